// The RMSprop step of the strict lower triangle of L: one pass that reads and writes L and the mean
// squares G once. The gradient is a sum of outer products and never exists as a matrix.
#pragma once

#include "gadwall/types.hpp"

namespace gadwall {

/// gradient(i, j) = sum over c < count of left(i, c) right(j, c). Both n x (at least count).
struct OuterProducts {
  const Matrix& left;
  const Matrix& right;
  Index count;
};

struct RmspropStep {
  double kept;   // weight of the old mean square
  double fresh;  // weight of the gradient's square
  double rate;
};

/// For i > j: G_ij <- kept G_ij + fresh gradient_ij^2, L_ij <- L_ij + rate gradient_ij /
/// (1 + sqrt G_ij). On the diagonal and above it G must be 0, and L stays as it is.
void ascend_below_diagonal(const OuterProducts& gradient, const RmspropStep& step, Matrix& moment,
                           Matrix& lower);

}  // namespace gadwall
