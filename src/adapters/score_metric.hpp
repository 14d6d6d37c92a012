// A metric from draws and scores (gradients of log pi) at the same points.
//
// For a Gaussian the score is g = -Sigma^-1 (x - mu), so that cov(g) = Sigma^-1 cov(x) Sigma^-1 and
//
//   Sigma = cov(x) # cov(g)^-1       A # B = A^(1/2) (A^(-1/2) B A^(-1/2))^(1/2) A^(1/2)
//
// exactly, whatever the points are, as soon as there are more of them than dimensions. Each
// coordinate is first scaled by s_j = (var x_j / var g_j)^(1/4), which is all that a diagonal
// metric has. In low rank the same is done in the subspace that the widest directions of the draws
// and of the scores span, and the directions whose eigenvalue is far from 1 are kept.
//
// In thousands of dimensions that subspace misses a part of each direction, since the noise of the
// draws widens others, and the scales take in what the directions should explain. `refine` mends
// both: in coordinates where the covariance is I + U (lambda - I) U^T the sum
//
//   x + g = U (I - lambda^-1) U^T x
//
// lies in the span of U without any noise, so directions are looked for in x + g alone; and the
// scales are found anew from draws and scores whose directions have been shortened by sqrt(lambda).
#pragma once

#include <optional>

#include "gadwall/factor.hpp"

namespace gadwall {

struct ScoreMetricOptions {
  double shrinkage = 2e-4;  // of both whitened covariances to the identity: 3 % gave exactness away
  Index most_rank = 64;     // of low rank
  double keep_beyond = 2;   // low rank: eigenvalues outside [1 / this, this]
  Index most_kept = 1000000;  // low rank: of them, those farthest from 1
  bool refine = false;        // low rank: directions from x + g, scales from what they leave
  Index rounds = 2;           // of that; more were no better on wide Gaussians
};

// The rule by which forms are chosen, and points of an earlier window used.
constexpr Index kDensePoints = 4;   // per dimension, from which a dense metric is better than none
constexpr Index kEnoughPoints = 5;  // per dimension: those of the window before, which may be from
                                    // the way to the bulk, are no longer needed
constexpr Index kLargestDense = 400;  // beyond, a dense metric costs more than it brings

/// The form of a metric for n dimensions from so many points, where nobody says which.
Metric form_for(Index n, Index points);

/// x, scores: n x N. before: the scales of coordinates that, or whose scores, have not varied.
/// Nothing where the covariances have no root.
std::optional<Factor> score_metric(Metric form, const Matrix& x, const Matrix& scores,
                                   const Vector& before, const ScoreMetricOptions& options = {});

/// (var x_j / var g_j)^(1/4), n.
Vector score_scales(const Matrix& x, const Matrix& scores, const Vector& before);

/// The share of the scores' variance, whitened by the scales, that a linear function of the draws
/// explains on points it was not fitted to: 1 for a Gaussian. first, second: two halves.
double score_linearity(const Matrix& x_first, const Matrix& scores_first, const Matrix& x_second,
                       const Matrix& scores_second, const Vector& scales);

}  // namespace gadwall
