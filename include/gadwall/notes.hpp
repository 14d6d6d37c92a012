// What the parts of a sampler put into the record of a run.
#pragma once

#include <map>
#include <string>
#include <variant>

#include "gadwall/archive.hpp"

namespace gadwall {

/// Numbers of an adapter, by name: words with underscores.
using NamedNumbers = std::map<std::string, double>;

/// One finding of a meeting: a number or some words. The same names again, in the same order, are
/// the next row of a table: candidate, efficiency, candidate, efficiency.
struct Note {
  std::string name;
  std::variant<double, std::string> value;

  bool operator==(const Note&) const = default;
  void archive(Archive& a);
};

}  // namespace gadwall
