// Stan's warm-up: the step size by dual averaging all along, and the metric (the inverse mass
// L L^T) at the end of each window. The lanes of a batch pool their draws and their acceptance.
//
// From draws: the covariance of the draws of the window, shrunk towards a small multiple of the
// identity, as Stan does. From scores as well: scales from the first gradient, about 1 / sqrt|g_i|,
// then the metric of adapters/score_window.hpp. Nothing is of fixed size, so scales of 1e-6 and 1e4
// are found as well as 1.
#pragma once

#include <string>

#include "adapters/dual_averaging.hpp"
#include "adapters/running_covariance.hpp"
#include "adapters/score_window.hpp"
#include "gadwall/adapter.hpp"

namespace gadwall {

struct MetricOptions {
  std::string metric = "diag";
  std::string from = "auto";  // what the metric is made from; auto: as the metric needs
  Index rank = ScoreMetricOptions{}.most_rank;
  bool is_on_its_way = false;  // from scores: ScoreWindowOptions
  bool is_tuned = false;       // the first metric is given, and not guessed from a gradient
  double initial_step = 0;     // 0: a doubling search for the step whose acceptance crosses 0.8
  DualAveragingOptions step;
  WindowOptions windows;
  Index warmup = 1000;  // iterations that the windows are laid out for

  /// None: auto.
  std::optional<Metric> form() const;
  bool from_scores() const;

  void describe_metric(OptionFields& o);
  void describe(OptionFields& o);
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
  void change_metric(Tuning& tuning);
  void end_window(const Lesson& lesson, Tuning& tuning);

  MetricOptions options_;
  Metric form_;  // of auto the first one
  bool from_scores_;
  DualAveraging step_;
  WarmupWindows windows_;
  RunningCovariance draws_;  // of the present window, where they alone teach
  ScoreWindow scored_;       // where scores do
  bool learned_ = false;     // whether step_ has an average since its last restart
};

}  // namespace gadwall
