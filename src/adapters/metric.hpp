// Stan's warm-up: the step size by dual averaging all along, and the metric (the inverse mass
// L L^T) from the draws of each window, shrunk towards a small multiple of the identity. The lanes
// of a batch pool their draws and their acceptance.
//
// Balanced: scales from the first gradient, 1 / sqrt|g_i|, then the balanced covariance of each
// window. Nothing is of fixed size, so scales of 1e-6 and 1e4 are found as well as 1.
#pragma once

#include "adapters/dual_averaging.hpp"
#include "adapters/running_covariance.hpp"
#include "adapters/warmup_windows.hpp"
#include "gadwall/adapter.hpp"

namespace gadwall {

struct MetricOptions {
  Metric metric = Metric::diag;
  double initial_step = 0;  // 0: a doubling search for the step whose acceptance crosses 0.8
  bool balanced = false;    // from scores as well as draws, and in the target's own units
  DualAveragingOptions step;
  WindowOptions windows;
  Index warmup = 1000;  // iterations that the windows are laid out for

  void describe(OptionFields& o) {
    o("metric", metric, "form of the learnt L", {Metric::unit, Metric::diag, Metric::dense});
    o("step", initial_step, "initial step size; 0: found by doubling");
    step.describe(o);
    windows.describe(o);
  }
};

class MetricAdapter final : public Adapter {
 public:
  explicit MetricAdapter(MetricOptions options);

  Tuning initial_tuning(Index n) const override;
  void start(const State& state, Evaluator& density, const LaneNoise& noise,
             Tuning& tuning) override;
  void learn(const Lesson& lesson, Tuning& tuning) override;
  void finish(Tuning& tuning) override;
  void archive(Archive& a) override;

 private:
  void note(const Lesson& lesson);
  void forget(Index n);
  void end_window(const Lesson& lesson, Tuning& tuning);

  MetricOptions options_;
  DualAveraging step_;
  WarmupWindows windows_;
  RunningCovariance draws_, scores_;  // of the present window; scores where balanced
  bool learned_ = false;              // whether step_ has an average since its last restart
};

}  // namespace gadwall
