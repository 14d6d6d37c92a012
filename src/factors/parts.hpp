// Named arrays to vectors and matrices, with every check that a file nobody has seen needs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gadwall/named_array.hpp"

namespace gadwall {

NamedArray part_from(const std::string& name, const Vector& values);
NamedArray part_from(const std::string& name, const Matrix& values);

/// Looks for arrays by name. All of these throw a UsageError that begins with the array's name.
class PartsReader {
 public:
  explicit PartsReader(std::span<const NamedArray> parts) : parts_(parts) {}

  bool has(const std::string& name) const { return find(name) != nullptr; }

  /// Its second extent.
  Index columns(const std::string& name) const;

  /// n finite numbers, all of them positive.
  Vector positive(const std::string& name, Index n) const;

  /// rows x columns finite numbers.
  Matrix matrix(const std::string& name, Index rows, Index columns) const;

 private:
  const NamedArray* find(const std::string& name) const;
  const NamedArray& get(const std::string& name) const;
  const NamedArray& get(const std::string& name, const std::vector<Index>& shape) const;

  std::span<const NamedArray> parts_;
};

/// UsageError that begins with the array's name.
[[noreturn]] void refuse_part(const std::string& name, const std::string& why);

}  // namespace gadwall
