// The RMSprop step of the strict lower triangle of L: one pass that reads and writes L and the mean
// squares G once. The gradient is a sum of outer products and never exists as a matrix.
//
// G and the step are float32, L is double. The step of a stochastic gradient is as large as its
// noise; its last digits mean nothing, and at half the size it takes half the time: the pass is
// bound by memory, by roots and by divisions.
#pragma once

#include "gadwall/archive.hpp"
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

class RmspropTriangle {
 public:
  /// G = 0. L is learnt in units of its rows, M = diag(units)^-1 L; all 1: L itself.
  void start(const Vector& units);

  /// For i > j, with the gradient of M, units_i gradient_ij: G_ij <- kept G_ij + fresh
  /// gradient_ij^2, L_ij <- L_ij + units_i rate gradient_ij / (1 + sqrt G_ij), the step to about
  /// 3e-7 of itself. A gradient whose entries may exceed 1e18 is scaled down to that: its square
  /// must be a float, and a step so far out has the size rate / sqrt(fresh) anyway. One that is not
  /// finite is passed over. The rest of L stays as it is.
  void ascend(const OuterProducts& gradient, const RmspropStep& step, Matrix& lower);

  Matrix mean_squares() const { return moment_.cast<double>(); }
  void archive(Archive& a);

 private:
  bool take(const OuterProducts& gradient);  // false: it is not finite

  Vector units_;
  Eigen::VectorXf step_units_;    // the same, for the steps
  Eigen::MatrixXf moment_;        // G; 0 on the diagonal and above it
  Eigen::MatrixXf left_, right_;  // of the present gradient
};

}  // namespace gadwall
