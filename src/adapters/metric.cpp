#include "adapters/metric.hpp"

#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "adapters/reasonable_step.hpp"

namespace gadwall {
namespace {

/// 1 / |g_i|, the mean over the K lanes: a guess at the variances that has their units to half. The
/// log of one normal's size has a variance of pi^2 / 8, so that equal scales would look different:
/// what this explains of the spread of the logs is taken from them. A flat coordinate says nothing.
Vector first_variances(const Matrix& gradients) {
  Vector logs = gradients.cwiseAbs().rowwise().mean().array().log();
  double count = 0, sum = 0, squares = 0;
  for (const double log : logs) {
    if (!std::isfinite(log)) continue;
    count += 1;
    sum += log;
    squares += log * log;
  }
  const double mean = count > 0 ? sum / count : 0;
  const double spread = count > 1 ? (squares - sum * mean) / (count - 1) : 0;
  const double noise =
      std::numbers::pi * std::numbers::pi / 8 / static_cast<double>(gradients.cols());
  const double kept = spread > noise ? 1 - noise / spread : 0;
  for (double& log : logs) log = mean + (std::isfinite(log) ? kept * (log - mean) : 0);
  return (-logs).array().exp();
}

}  // namespace

std::optional<Metric> MetricOptions::form() const {
  if (metric == "auto") return std::nullopt;
  return metric_from_string(metric);
}

bool MetricOptions::from_scores() const {
  if (from != "auto") return from == "scores";
  return form().value_or(Metric::low_rank) == Metric::low_rank;
}

void MetricOptions::describe_metric(OptionFields& o) {
  o("metric", metric,
    "form of the learnt L; auto: by the dimension and by how many points there are",
    names_or_auto({Metric::unit, Metric::diag, Metric::dense, Metric::low_rank}));
  o("metric-from", from,
    "what the metric is made from, scores: gradients and draws; auto: draws for diag and dense, as "
    "Stan does, scores for lowrank and auto",
    {"auto", "draws", "scores"});
  o("rank", rank, "directions of a low rank L", between(1, 1e6));
  windows.describe(o);
}

void MetricOptions::describe(OptionFields& o) {
  describe_metric(o);
  o("step", initial_step, "initial step size; 0: found by doubling");
  step.describe(o);
}

MetricAdapter::MetricAdapter(MetricOptions options)
    : options_(std::move(options)),
      form_(options_.form().value_or(Metric::diag)),
      from_scores_(options_.from_scores()),
      step_(options_.step),
      windows_(options_.windows, options_.warmup),
      draws_(form_, 0),
      scored_({.form = options_.form(),
               .rank = options_.rank,
               .is_on_its_way = options_.is_on_its_way}) {}

Tuning MetricAdapter::initial_tuning(Index n) const {
  const double step = options_.initial_step > 0 ? options_.initial_step : 1.0;
  return Tuning(Factor::first(form_, n, 1), step);
}

void MetricAdapter::start(const State& state, Evaluator& density, const LaneNoise& noise,
                          Tuning& tuning) {
  if (!from_scores_) {
    draws_ = RunningCovariance(form_, state.dim());
  } else if (!options_.is_tuned) {
    std::optional<Factor> first = Factor::from_covariance(form_, first_variances(state.grad));
    if (first) tuning.change_factor() = std::move(*first);
  }
  tuning.step = options_.initial_step > 0 ? options_.initial_step
                                          : reasonable_step(state, density, noise, tuning);
  step_.restart(tuning.step);
}

void MetricAdapter::learn(const Lesson& lesson, Tuning& tuning) {
  tuning.step = step_.learn(lesson.transition.accept.mean());
  learned_ = true;
  if (form_ == Metric::unit) return;
  if (windows_.in_window(lesson.iteration)) note(lesson);
  if (windows_.ends_window(lesson.iteration)) end_window(lesson, tuning);
}

void MetricAdapter::note(const Lesson& lesson) {
  if (from_scores_) {
    scored_.add(lesson, windows_.window_at(lesson.iteration));
    return;
  }
  for (Index k = 0; k < lesson.before.lanes(); ++k) draws_.add(lesson.after(k));
}

/// One that has no root is passed over.
void MetricAdapter::change_metric(Tuning& tuning) {
  std::optional<Factor> found =
      from_scores_ ? scored_.end(tuning.factor()) : Factor::from_covariance(form_, draws_.shrunk());
  if (found) tuning.change_factor() = std::move(*found);
  draws_ = RunningCovariance(form_, from_scores_ ? 0 : tuning.factor().dim());
}

void MetricAdapter::end_window(const Lesson& lesson, Tuning& tuning) {
  change_metric(tuning);
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
  a("scored", scored_);
  a("learned", learned_);
}

}  // namespace gadwall
