// The angle h of the exact drift: one shear step (kernels/phase.hpp) from a fresh momentum is the
// Langevin proposal whose drift is exact where the target is Gaussian with covariance L L^T,
//
//   y = x + (1 - c) L L^T g + sqrt(1 - c^2) L eps,   c = cos h
//
// The nearer h to a quarter turn, the less y remembers x; the farther the target from that
// Gaussian, the fewer are accepted. So h is the largest angle, up to a limit, whose acceptance is
// `accept`, found by dual averaging.
#pragma once

#include <algorithm>

#include "adapters/dual_averaging.hpp"
#include "gadwall/adapter.hpp"

namespace gadwall {

struct AngleOptions {
  DualAveragingOptions averaging{.target = 0.8};
  double most = 1.4;  // beyond it tails stick, however well the bulk accepts

  void describe(OptionFields& o) {
    o("angle-accept", averaging.target, "exact drift: acceptance that the angle is chosen for",
      inside(0, 1));
    o("largest-angle", most, "exact drift: no angle is larger; a quarter turn is 1.571",
      inside(0, 3));
  }
};

class AngleAdapter final : public Adapter {
 public:
  explicit AngleAdapter(AngleOptions options) : options_(options), averaging_(options.averaging) {}

  Tuning initial_tuning(Index n) const override { return Tuning(Factor::unit(n), options_.most); }
  void start(const State&, Evaluator&, const LaneNoise&, Tuning& tuning) override {
    averaging_.restart(tuning.step, 1);
  }
  void learn(const Lesson& lesson, Tuning& tuning) override {
    tuning.step = std::min(averaging_.learn(lesson.transition.accept.mean()), options_.most);
  }
  void finish(Tuning& tuning) override {
    tuning.step = std::min(averaging_.average(), options_.most);
  }
  void archive(Archive& a) override { a("averaging", averaging_); }

 private:
  AngleOptions options_;
  DualAveraging averaging_;
};

}  // namespace gadwall
