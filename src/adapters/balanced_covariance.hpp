// The covariance of a target from draws and from scores (gradients of log pi) at the same points.
//
// For a Gaussian the scores have covariance Sigma^-1, so that Sigma = cov(x) # cov(g)^-1, # being
// the geometric mean of matrices; in one dimension sqrt(var x / var g). Unlike the draws' own
// covariance it is right before the chain has crossed the target even once, from few points, and
// it is in the units of the target: nothing in it is a number of fixed size.
#pragma once

#include "adapters/running_covariance.hpp"

namespace gadwall {

/// n x n, or n x 1 where only variances were kept. Whitened by their scales, both covariances of
/// the N points are shrunk to the identity by gamma = 0.001 + 0.05 n / (n + N / 5) + 5 / (5 + N).
/// variances: of before, for coordinates that, or whose scores, have not varied at all.
Matrix balanced_covariance(const RunningCovariance& draws, const RunningCovariance& scores,
                           const Vector& variances);

}  // namespace gadwall
