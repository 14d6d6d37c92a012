#include "adapters/drift.hpp"

#include <algorithm>

namespace gadwall {
namespace {

constexpr Index kLeastPoints = 100;
constexpr Index kMostForTheAngle = 1000;  // iterations

/// The iterations of the drift: some before the first window, those that correct, those in which
/// the angle alone goes on.
struct DriftParts {
  explicit DriftParts(Index iterations)
      : before(iterations / 16),
        angle(std::min(kMostForTheAngle, iterations / 4)),
        corrected(iterations - angle - before) {}

  Index before, angle, corrected;
};

ScoreWindowOptions window_options(const DriftOptions& o) {
  const Index looked_at = std::max(o.rank, ScoreMetricOptions{}.most_rank);
  return {.form = o.metric,
          .rank = looked_at,
          .most_kept = o.rank,
          .refine = o.metric == Metric::low_rank};
}

}  // namespace

Index least_points(Metric form, Index n) {
  return form == Metric::dense ? std::max(kLeastPoints, kEnoughPoints * n) : kLeastPoints;
}

Index corrected_iterations(const DriftOptions& o) {
  return DriftParts(o.iterations).corrected;
}

WarmupWindows drift_windows(const DriftOptions& o) {
  if (!o.correct) return WarmupWindows({}, 0);
  const DriftParts parts(o.iterations);
  const Index first = std::max<Index>(1, parts.corrected / 3);
  return WarmupWindows({.start = parts.before, .base = first, .end = parts.angle}, o.iterations);
}

std::optional<Factor> corrected_factor(const DriftOptions& o, const Matrix& x, const Matrix& scores,
                                       const Factor& before) {
  if (x.cols() < least_points(o.metric, before.dim())) return std::nullopt;
  return window_metric(window_options(o), x, scores, before);
}

DriftAdapter::DriftAdapter(const DriftOptions& options)
    : options_(options),
      windows_(drift_windows(options)),
      window_(window_options(options)),
      angle_(options.angle) {}

Tuning DriftAdapter::initial_tuning(Index n) const {
  return Tuning(Factor::unit(n), options_.angle.most);
}

void DriftAdapter::start(const State&, Evaluator&, const LaneNoise&, Tuning& tuning) {
  angle_.restart(tuning.step);
}

void DriftAdapter::learn(const Lesson& lesson, Tuning& tuning) {
  tuning.step = angle_.learn(tuning.step, lesson.transition.accept.mean());
  if (!windows_.in_window(lesson.iteration)) return;
  window_.add(lesson, windows_.window_at(lesson.iteration));
  if (options_.pool || !windows_.ends_window(lesson.iteration)) return;
  const Points& seen = window_.gather(tuning.factor().dim());
  correct(corrected_factor(options_, seen.x(), seen.scores(), tuning.factor()), tuning);
}

void DriftAdapter::correct(const std::optional<Factor>& corrected, Tuning& tuning) {
  window_.forget();
  if (!corrected) return;
  tuning.change_factor() = *corrected;
  angle_.restart(tuning.step);
}

void DriftAdapter::finish(Tuning& tuning) {
  tuning.step = angle_.found();
}

void DriftAdapter::archive(Archive& a) {
  a("angle", angle_);
  a("window", window_);
}

}  // namespace gadwall
