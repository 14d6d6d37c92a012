// The angle h of the exact drift: one shear step (kernels/phase.hpp) from a fresh momentum is the
// Langevin proposal whose drift is exact where the target is Gaussian with covariance L L^T,
//
//   y = x + (1 - c) L L^T g + sqrt(1 - c^2) L eps,   c = cos h
//
// The nearer h to a quarter turn, the less y remembers x; the farther the target from that
// Gaussian, the fewer are accepted. So h is the largest angle, up to a limit, that is accepted
// often enough, found by dual averaging. How often that is depends on the angle: a small one is a
// step of an ordinary Langevin sampler, which is best when little more than half of its proposals
// are accepted; one near a quarter turn draws anew, and where such proposals are rejected a chain
// stays.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "adapters/dual_averaging.hpp"
#include "gadwall/adapter.hpp"

namespace gadwall {

struct AngleOptions {
  double accept = 0.85;  // wanted of a quarter turn
  double most = 1.4;     // beyond it tails stick, however well the bulk accepts

  /// What is wanted of an angle: a half of the smallest, or less where a quarter turn needs less.
  double accept_at(double angle) const {
    const double least = std::min(0.5, accept);
    return least + (accept - least) * std::pow(std::sin(std::min(angle, std::numbers::pi / 2)), 4);
  }

  void describe(OptionFields& o) {
    o("angle-accept", accept,
      "exact drift: acceptance that a quarter turn needs to be chosen; smaller angles need less, "
      "down to a half",
      inside(0, 1));
    o("largest-angle", most, "exact drift: no angle is larger; a quarter turn is 1.571",
      inside(0, 3));
  }
};

class AngleAdapter final : public Adapter {
 public:
  explicit AngleAdapter(AngleOptions options) : options_(options), averaging_({.target = 0}) {}

  Tuning initial_tuning(Index n) const override { return Tuning(Factor::unit(n), options_.most); }
  void start(const State&, Evaluator&, const LaneNoise&, Tuning& tuning) override {
    averaging_.restart(tuning.step, 1);
  }
  void learn(const Lesson& lesson, Tuning& tuning) override {
    const double excess = lesson.transition.accept.mean() - options_.accept_at(tuning.step);
    tuning.step = std::min(averaging_.learn(excess), options_.most);
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
