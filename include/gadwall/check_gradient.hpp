// Is a gradient that of its density? Asked before a run, not after it.
#pragma once

#include <string>

#include "gadwall/target.hpp"
#include "gadwall/types.hpp"

namespace gadwall {

struct GradientCheck {
  Index coordinate = 0;  // the one that is furthest off
  double given = 0;      // its derivative as the target says
  double measured = 0;   // by differences of the log density
  double error = 0;      // |given - measured| / (1 + |given| + what rounding explains)

  /// Differences of a smooth density agree with its gradient to about 1e-9.
  bool is_right() const { return error < 1e-4; }
};

/// Central differences at x, where the density must be finite: 2 n evaluations. UsageError where
/// it is not.
GradientCheck check_gradient(const Target& target, ConstVectorRef x);

/// "the gradient of x.3 is 2, by differences of the log density 1.5"
std::string to_text(const GradientCheck& check, const Target& target);

}  // namespace gadwall
