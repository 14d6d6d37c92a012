// Random walk Metropolis: y = x + step L eps, r = log pi(y) - log pi(x).
#pragma once

#include "gadwall/kernel.hpp"

namespace gadwall {

class RandomWalk final : public Kernel {
 public:
  bool uses_gradient() const override { return false; }
  void step(Evaluator& density, const Tuning& tuning, const State& now, const LaneNoise& noise,
            Wants wants, Transition& out) const override;
};

}  // namespace gadwall
