#include "diagnostics/score_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gadwall/error.hpp"

namespace gadwall {
namespace {

constexpr Index kDrawsPerScore = 10;
constexpr double kRidge = 1e-12;  // of the sum of squares: scores that depend on each other

Matrix stacked_scores(const Draws& draws, const std::vector<Index>& columns) {
  Matrix scores(draws.draws() * static_cast<Index>(draws.chains.size()),
                static_cast<Index>(columns.size()));
  Index row = 0;
  for (const Chain& chain : draws.chains) {
    scores.middleRows(row, draws.draws()) = chain.statistics(Eigen::all, columns);
    row += draws.draws();
  }
  return scores;
}

}  // namespace

ScoreControl::ScoreControl(const Draws& draws) {
  const std::vector<Index> columns = score_columns(draws.statistics);
  if (columns.empty()) {
    throw UsageError("the run has no scores, expected one sampled with `save-scores`");
  }
  scores_ = stacked_scores(draws, columns);
  const auto n = static_cast<Index>(columns.size());
  if (scores_.rows() < kDrawsPerScore * n) {
    throw UsageError(fmt::format("{} draws for {} scores, expected at least {}", scores_.rows(), n,
                                 kDrawsPerScore * n));
  }
  if (!scores_.allFinite()) throw UsageError("the scores are not finite, expected finite ones");
  mean_ = scores_.colwise().mean();
  scores_.rowwise() -= mean_.transpose();
  for (Index j = 0; j < n; ++j) {
    const double sd = std::sqrt(scores_.col(j).squaredNorm() / static_cast<double>(scores_.rows()));
    if (!(sd > 0)) continue;
    scores_.col(j) /= sd;
    mean_[j] /= sd;
  }
  Matrix squares = Matrix::Zero(n, n);
  add_inner_products(scores_, squares);
  squares.diagonal().array() += kRidge * static_cast<double>(scores_.rows());
  normal_ = SymmetricSolver(squares);
}

bool can_control_means(const Draws& draws) {
  const auto scores = static_cast<Index>(score_columns(draws.statistics).size());
  const Index count = draws.draws() * static_cast<Index>(draws.chains.size());
  return scores > 0 && count >= kDrawsPerScore * scores &&
         std::ranges::all_of(draws.chains,
                             [](const Chain& chain) { return chain.statistics.allFinite(); });
}

ControlledMean ScoreControl::mean(const Matrix& f) const {
  const Eigen::Map<const Vector> all(f.data(), f.size());
  const Vector centred = all.array() - all.mean();
  const Vector coefficients = normal_.solve(Vector(scores_.transpose() * centred));
  Matrix left = f;
  Eigen::Map<Vector>(left.data(), left.size()).noalias() -= scores_ * coefficients;
  // Each fitted coefficient takes a part in N of the noise out of the residuals.
  const auto count = static_cast<double>(f.size());
  const double freedom = count / (count - static_cast<double>(scores_.cols()) - 1);
  return {all.mean() - coefficients.dot(mean_), std::sqrt(freedom) * mcse_mean(left)};
}

}  // namespace gadwall
