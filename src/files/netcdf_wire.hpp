// What a NetCDF draws file holds, as archives: how it comes from the process that reads it.
#pragma once

#include "files/netcdf_source.hpp"
#include "gadwall/archive.hpp"

namespace gadwall::files {

// For both directions; RunError for what does not fit together.
void archive(Archive& a, NetcdfHead& head);
void archive(Archive& a, NetcdfVariables& variables);
void archive(Archive& a, NetcdfLearnt& learnt);
void archive(Archive& a, std::vector<MeasuredFacts>& costs);
void archive(Archive& a, TargetData& data);

template <class T>
std::string to_bytes(T value) {
  Archive saved;
  archive(saved, value);
  return saved.bytes();
}

template <class T>
T from_bytes(const std::string& bytes) {
  Archive saved(bytes);
  T value;
  archive(saved, value);
  return value;
}

}  // namespace gadwall::files
