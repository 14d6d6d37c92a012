#include "adapters/score_window.hpp"

#include <algorithm>

namespace gadwall {
namespace {

constexpr Index kMostPoints = 2000;  // of a window, where no more are needed for a dense metric

// Refined directions come without noise, so fewer will do: the time goes with the cube. Both
// covariances of their subspace, 2 rank x 2 rank, want a few times as many.
constexpr Index kMostRefined = 1000;
constexpr Index kRefinedPerDirection = 10;

/// For points of a chain on its way, which are few and alike.
double cautious_shrinkage(Index n, Index points) {
  const auto dimension = static_cast<double>(n);
  const auto count = static_cast<double>(points);
  return std::min(1.0, 0.001 + 0.05 * dimension / (dimension + count / 5) + 5 / (5 + count));
}

}  // namespace

/// Twice as many as make those of the window before superfluous: of a thinned window at least half
/// are left.
Index ScoreWindow::most_points(Index n) const {
  const bool may_be_dense = options_.form ? *options_.form == Metric::dense : n <= kLargestDense;
  if (may_be_dense) return std::max(kMostPoints, 2 * kEnoughPoints * n);
  if (!options_.refine) return kMostPoints;
  return std::clamp(kRefinedPerDirection * options_.rank, kMostRefined, kMostPoints);
}

void ScoreWindow::add(const Lesson& lesson, const Window& window) {
  const Index all = (window.last - window.first + 1) * lesson.before.lanes();
  const Index most = most_points(lesson.before.dim());
  const Index thin = (all + most - 1) / most;
  if ((window.last - lesson.iteration) % thin != 0) return;
  points_.add(lesson);
  ++iterations_;
}

const Points& ScoreWindow::gather(Index n) {
  const Index own = iterations_ * points_.lanes();
  const bool is_enough = own >= std::min(kEnoughPoints * n, most_points(n) / 2);
  if (is_enough || options_.is_on_its_way) points_.keep_last(iterations_);
  return points_;
}

void ScoreWindow::forget() {
  points_.keep_last(iterations_);
  iterations_ = 0;
}

std::optional<Factor> ScoreWindow::end(const Factor& before) {
  const Points& points = gather(before.dim());
  std::optional<Factor> found = window_metric(options_, points.x(), points.scores(), before);
  forget();
  return found;
}

std::optional<Factor> window_metric(const ScoreWindowOptions& options, const Matrix& x,
                                    const Matrix& scores, const Factor& before) {
  const Index n = before.dim();
  const Index count = x.cols();
  ScoreMetricOptions how{
      .most_rank = options.rank, .most_kept = options.most_kept, .refine = options.refine};
  if (options.is_on_its_way) how.shrinkage = cautious_shrinkage(n, count);
  const Vector scales = before.covariance_diagonal().cwiseSqrt();
  std::optional<Factor> found =
      score_metric(options.form.value_or(form_for(n, count)), x, scores, scales, how);
  if (found && !found->is_finite()) found.reset();
  return found;
}

void ScoreWindow::archive(Archive& a) {
  a("points", points_);
  a("iterations", iterations_);
}

}  // namespace gadwall
