// Sizes for vector registers.
#pragma once

#include <Eigen/Core>

namespace gadwall {

constexpr Eigen::Index round_up(Eigen::Index value, Eigen::Index multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace gadwall
