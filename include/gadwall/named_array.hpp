// Numbers with a name and a shape: how data and factors go to files and come from them.
#pragma once

#include <string>
#include <vector>

#include "gadwall/types.hpp"

namespace gadwall {

/// The last index runs fastest.
struct NamedArray {
  std::string name;
  std::vector<Index> shape;  // empty: one number
  std::vector<double> values;
  bool operator==(const NamedArray&) const = default;
};

/// The values of a draw as one array of the draws file, with their names along its dimension.
struct LabelledArray {
  std::string name;
  std::string dimension;
};

}  // namespace gadwall
