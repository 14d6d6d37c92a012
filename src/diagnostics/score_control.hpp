// Score control variates. The score g = grad log pi has mean zero under pi, so that f - B^T g has
// the mean of f whatever B; with B the least squares regression of f on g most of the noise goes
// where the target is near Gaussian (f = x_i is then linear in g). The variance of what is left,
// through its own ESS, gives the standard error. B is fitted to the same draws: a bias of order 1 /
// N, below the standard error as long as there are many more draws than scores.
#pragma once

#include <vector>

#include "gadwall/summary.hpp"
#include "math/decompositions.hpp"

namespace gadwall {

/// One regression for all parameters of a run.
class ScoreControl {
 public:
  /// UsageError where the run has no scores, or fewer than ten draws per score.
  explicit ScoreControl(const Draws& draws);

  /// f: N x C, a chain per column, like Draws::parameter.
  ControlledMean mean(const Matrix& f) const;

 private:
  Matrix scores_;           // (C N) x n, centred, in units of their standard deviations
  Vector mean_;             // of the scores, in these units
  SymmetricSolver normal_;  // of scores_^T scores_
};

}  // namespace gadwall
