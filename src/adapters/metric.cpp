#include "adapters/metric.hpp"

#include <Eigen/Cholesky>
#include <cmath>

#include "adapters/reasonable_step.hpp"

namespace gadwall {

MetricAdapter::MetricAdapter(MetricOptions options)
    : options_(options),
      step_(options.step),
      windows_(options.windows, options.warmup),
      draws_(options.metric, 0) {}

Tuning MetricAdapter::initial_tuning(Index n) const {
  const double step = options_.initial_step > 0 ? options_.initial_step : 1.0;
  if (options_.metric == Metric::unit) return Tuning(Factor::unit(n), step);
  if (options_.metric == Metric::diag) return Tuning(Factor::diagonal(Vector::Ones(n)), step);
  return Tuning(Factor::dense(Matrix::Identity(n, n)), step);
}

void MetricAdapter::start(const State& state, Evaluator& density, const LaneNoise& noise,
                          Tuning& tuning) {
  draws_ = RunningCovariance(options_.metric, state.dim());
  tuning.step = options_.initial_step > 0 ? options_.initial_step
                                          : reasonable_step(state, density, noise, tuning);
  step_.restart(tuning.step);
}

void MetricAdapter::learn(const Lesson& lesson, Tuning& tuning) {
  tuning.step = step_.learn(lesson.transition.accept.mean());
  learned_ = true;
  if (options_.metric == Metric::unit) return;
  const auto iteration = static_cast<Index>(lesson.noise.iteration);
  if (windows_.in_window(iteration)) {
    for (Index k = 0; k < lesson.before.lanes(); ++k) draws_.add(lesson.after(k));
  }
  if (windows_.ends_window(iteration)) end_window(lesson, tuning);
}

void MetricAdapter::end_window(const Lesson& lesson, Tuning& tuning) {
  const Matrix covariance = draws_.shrunk();
  if (covariance.allFinite()) {
    Factor& factor = tuning.change_factor();
    if (options_.metric == Metric::diag) {
      factor.diagonal_entries() = covariance.col(0).cwiseSqrt();
    } else {
      factor.lower() = covariance.llt().matrixL();
    }
  }
  draws_ = RunningCovariance(options_.metric, lesson.before.dim());
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
  a("learned", learned_);
}

}  // namespace gadwall
