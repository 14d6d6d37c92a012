// Numbers of a std::vector where Eigen likes them.
#pragma once

#include <vector>

#include "gadwall/types.hpp"

namespace gadwall {

/// To add up: the order in which Eigen does that depends on where in memory the numbers begin,
/// which for a std::vector differs from run to run, and with it the last digit.
inline Vector aligned_copy(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

}  // namespace gadwall
