#include "adapters/covariance.hpp"

#include "adapters/learnable.hpp"
#include "math/triangular.hpp"

namespace gadwall {
namespace {

// (x' - mu)_i w_i can be negative, so an unlucky streak could carry an entry of the diagonal below
// zero, where L stops being a Cholesky factor.
constexpr double kSmallestDiagonal = 1e-12;

}  // namespace

Tuning CovarianceAdapter::initial_tuning(Index n) const {
  require_learnable("adaptive Metropolis", options_.metric);
  return Tuning(Factor::first(options_.metric, n, options_.initial_scale), options_.step.initial);
}

void CovarianceAdapter::start(const State& state, Evaluator&, const LaneNoise&, Tuning& tuning) {
  require_learnable("adaptive Metropolis", tuning.factor().kind());
  mean_ = state.x.rowwise().mean();
}

void CovarianceAdapter::learn(const Lesson& lesson, Tuning& tuning) {
  const auto t = static_cast<double>(lesson.iteration);
  const double rate = options_.rate / (1 + t / horizon_);
  const double mean_rate = options_.mean_rate > 0 ? options_.mean_rate : rate;
  centred_.resize(lesson.before.dim(), lesson.before.lanes());
  for (Index k = 0; k < centred_.cols(); ++k) centred_.col(k) = lesson.after(k) - mean_;
  Factor& factor = tuning.change_factor();
  if (auto* diagonal = factor.get_if<DiagonalFactor>()) {
    learn_diagonal(rate, diagonal->entries());
  } else if (options_.mean_rate > 0) {
    learn_lower(rate, factor.as<LowerFactor>().lower());
  } else {
    learn_lower_by_the_text(rate, factor.as<LowerFactor>().lower());
  }
  mean_ += mean_rate * centred_.rowwise().mean();
  step_.learn(lesson, tuning);
}

/// L_ii <- L_ii + rate (mean of (x' - mu)_i^2 / L_ii - L_ii)
void CovarianceAdapter::learn_diagonal(double rate, Vector& diagonal) const {
  const auto variance = centred_.array().square().rowwise().mean();
  diagonal.array() += rate * (variance / diagonal.array() - diagonal.array());
}

void CovarianceAdapter::learn_lower(double rate, Matrix& lower) {
  const double share = rate / static_cast<double>(centred_.cols());
  solved_ = centred_;
  solve_lower(lower, solved_);
  lower *= 1 - rate;
  change_ = share * solved_.transpose();
  add_lower_product(centred_, change_, lower);
  lower.diagonal() = lower.diagonal().cwiseMax(kSmallestDiagonal);
}

/// Column j of L lower(w w^T) is w_j (sum of w_k L_k over k >= j), L_k the columns of L: sums that
/// grow from the last column to the first.
void CovarianceAdapter::learn_lower_by_the_text(double rate, Matrix& lower) {
  const Index n = lower.rows();
  const double share = rate / static_cast<double>(centred_.cols());
  solved_ = centred_;
  solve_lower(lower, solved_);
  sums_.setZero(n, centred_.cols());
  for (Index j = n - 1; j >= 0; --j) {
    auto column = lower.col(j).tail(n - j);
    for (Index k = 0; k < sums_.cols(); ++k) sums_.col(k).tail(n - j) += solved_(j, k) * column;
    column *= 1 - rate;
    for (Index k = 0; k < sums_.cols(); ++k) {
      column += share * solved_(j, k) * sums_.col(k).tail(n - j);
    }
  }
}

}  // namespace gadwall
