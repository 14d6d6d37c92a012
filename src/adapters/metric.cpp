#include "adapters/metric.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include "adapters/balanced_covariance.hpp"
#include "adapters/reasonable_step.hpp"

namespace gadwall {
namespace {

/// covariance: n x n, or the n variances alone. One that has no root is passed over.
void change_metric(const Matrix& covariance, Tuning& tuning) {
  std::optional<Factor> found = Factor::from_covariance(tuning.factor().kind(), covariance);
  if (found) tuning.change_factor() = std::move(*found);
}

/// 1 / |g_i|, the mean over the lanes: a guess at the variances that has their units to half.
Vector first_variances(const Matrix& gradients) {
  Vector sizes = gradients.cwiseAbs().rowwise().mean();
  for (double& size : sizes) size = size > 0 && std::isfinite(size) ? 1 / size : 1;
  return sizes;
}

}  // namespace

MetricAdapter::MetricAdapter(MetricOptions options)
    : options_(options),
      step_(options.step),
      windows_(options.windows, options.warmup),
      draws_(options.metric, 0),
      scores_(options.metric, 0) {}

Tuning MetricAdapter::initial_tuning(Index n) const {
  const double step = options_.initial_step > 0 ? options_.initial_step : 1.0;
  return Tuning(Factor::first(options_.metric, n, 1), step);
}

void MetricAdapter::start(const State& state, Evaluator& density, const LaneNoise& noise,
                          Tuning& tuning) {
  forget(state.dim());
  if (options_.balanced) change_metric(first_variances(state.grad), tuning);
  tuning.step = options_.initial_step > 0 ? options_.initial_step
                                          : reasonable_step(state, density, noise, tuning);
  step_.restart(tuning.step);
}

void MetricAdapter::learn(const Lesson& lesson, Tuning& tuning) {
  tuning.step = step_.learn(lesson.transition.accept.mean());
  learned_ = true;
  if (options_.metric == Metric::unit) return;
  if (windows_.in_window(lesson.iteration)) note(lesson);
  if (windows_.ends_window(lesson.iteration)) end_window(lesson, tuning);
}

void MetricAdapter::note(const Lesson& lesson) {
  for (Index k = 0; k < lesson.before.lanes(); ++k) {
    draws_.add(lesson.after(k));
    if (options_.balanced) scores_.add(lesson.gradient_after(k));
  }
}

void MetricAdapter::forget(Index n) {
  draws_ = RunningCovariance(options_.metric, n);
  scores_ = RunningCovariance(options_.metric, options_.balanced ? n : 0);
}

void MetricAdapter::end_window(const Lesson& lesson, Tuning& tuning) {
  const Vector variances = tuning.factor().covariance_diagonal();
  change_metric(
      options_.balanced ? balanced_covariance(draws_, scores_, variances) : draws_.shrunk(),
      tuning);
  forget(lesson.before.dim());
  State after = lesson.before;
  commit(tuning, lesson.transition, after);
  tuning.step = reasonable_step(after, lesson.density, lesson.noise, tuning);
  step_.restart(tuning.step);
  learned_ = false;
}

void MetricAdapter::finish(Tuning& tuning) {
  if (learned_) tuning.step = step_.average();
}

void MetricAdapter::archive(Archive& a) {
  a("step", step_);
  a("draws", draws_);
  a("scores", scores_);
  a("learned", learned_);
}

}  // namespace gadwall
