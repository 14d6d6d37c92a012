#include "adapters/alone.hpp"

#include <algorithm>
#include <cmath>

#include "adapters/reasonable_step.hpp"
#include "adapters/score_metric.hpp"

namespace gadwall {
namespace {

constexpr Index kLookBack = 8;  // iterations on each side, to see whether the lane still climbs

/// A step from where the first lane is, with the metric there is.
double first_step(const State& state, Evaluator& density, const LaneNoise& noise,
                  const Tuning& tuning) {
  State first(state.dim(), 1);
  first.x = state.x.leftCols(1);
  first.logp = state.logp.head(1);
  first.grad = state.grad.leftCols(1);
  return reasonable_step(first, density, noise, tuning);
}

}  // namespace

void AloneAdapter::start(const State& state, Evaluator& density, const LaneNoise& noise,
                         Tuning& tuning) {
  Vector scales = state.grad.col(0).cwiseAbs().cwiseSqrt().cwiseInverse();
  for (double& scale : scales) scale = std::isfinite(scale) && scale > 0 ? scale : 1;
  tuning.change_factor() = Factor::diagonal(scales);
  tuning.step = first_step(state, density, noise, tuning);
  step_.restart(tuning.step);
}

void AloneAdapter::learn(const Lesson& lesson, Tuning& tuning) {
  tuning.step = step_.learn(lesson.transition.accept[0]);
  points_.add(lesson);
  const Index done = lesson.iteration + 1;
  if (done % options_.every != 0) return;
  const Index half = points_.iterations() / 2;
  tuning.change_factor() =
      Factor::diagonal(score_scales(points_.x().rightCols(half), points_.scores().rightCols(half),
                                    tuning.factor().matrix_diagonal()));
  State after = lesson.before;
  commit(tuning, lesson.transition, after);
  tuning.step = first_step(after, lesson.density, lesson.noise, tuning);
  step_.restart(tuning.step);
}

void AloneAdapter::finish(Tuning& tuning) {
  const double average = step_.average();
  if (std::isfinite(average) && average > 0) tuning.step = average;
}

bool AloneAdapter::has_arrived() const {
  const Index span = std::min(kLookBack, points_.iterations() / 2);
  if (span < 2) return false;
  const Eigen::ArrayXd last = points_.logp().tail(span);
  const Eigen::ArrayXd before = points_.logp().tail(2 * span).head(span);
  const double sd = std::sqrt((last - last.mean()).square().sum() / static_cast<double>(span - 1));
  return last.mean() - before.mean() < 1 + sd;
}

void AloneAdapter::archive(Archive& a) {
  a("step", step_);
  a("points", points_);
}

}  // namespace gadwall
