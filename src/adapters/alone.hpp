// What a lane that has to find the bulk by itself learns on its way: a scale per coordinate, from
// the first gradient, 1 / sqrt|g_j|, and then every few iterations from the draws and scores of the
// last half of its path, (var x_j / var g_j)^(1/4); the step by dual averaging. The first lane of a
// batch is the one that walks; the others wait (kernels/first_lane.hpp).
#pragma once

#include "adapters/dual_averaging.hpp"
#include "adapters/points.hpp"

namespace gadwall {

struct AloneOptions {
  Index every = 8;  // iterations between two metrics
  DualAveragingOptions step = {};
};

class AloneAdapter final : public Adapter {
 public:
  explicit AloneAdapter(AloneOptions options) : options_(options), step_(options.step) {}

  Tuning initial_tuning(Index n) const override {
    return Tuning(Factor::first(Metric::diag, n, 1));
  }
  void start(const State& state, Evaluator& density, const LaneNoise& noise,
             Tuning& tuning) override;
  void learn(const Lesson& lesson, Tuning& tuning) override;
  void finish(Tuning& tuning) override;
  void archive(Archive& a) override;

  const Points& points() const { return points_; }

  /// The log density no longer climbs: its mean over the last iterations exceeds that over as many
  /// before by less than 1 + its standard deviation.
  bool has_arrived() const;

 private:
  AloneOptions options_;
  DualAveraging step_;
  Points points_{1};
};

}  // namespace gadwall
