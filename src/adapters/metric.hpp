// Stan's warm-up: the step size by dual averaging all along, and the metric (the inverse mass
// L L^T) from the draws of each window, shrunk towards a small multiple of the identity. The lanes
// of a batch pool their draws and their acceptance.
#pragma once

#include "adapters/dual_averaging.hpp"
#include "adapters/running_covariance.hpp"
#include "adapters/warmup_windows.hpp"
#include "gadwall/adapter.hpp"

namespace gadwall {

struct MetricOptions {
  Metric metric = Metric::diag;
  double initial_step = 0;  // 0: a doubling search for the step whose acceptance crosses 0.8
  DualAveragingOptions step;
  WindowOptions windows;
  Index warmup = 1000;
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
  void end_window(const Lesson& lesson, Tuning& tuning);

  MetricOptions options_;
  DualAveraging step_;
  WarmupWindows windows_;
  RunningCovariance draws_;
  bool learned_ = false;  // whether step_ has an average since its last restart
};

}  // namespace gadwall
