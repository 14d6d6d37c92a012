// A step size by its acceptance rate, as the paper's baselines adapt it:
// delta <- delta (1 + rate (a - target) / target), a in {0, 1} the accept flag (its mean over
// the lanes). For random walk and Langevin kernels delta is the variance step^2 of the proposal.
#pragma once

#include "gadwall/adapter.hpp"
#include "gadwall/options.hpp"

namespace gadwall {

struct StepOptions {
  double initial = 0;  // 0: a rule of the sampler's, from the dimension
  double target_accept = 0.25;
  double rate = 0.01;    // as in the authors' code; 0 keeps the step where it is
  bool variance = true;  // delta is step^2 (random walk, Langevin) rather than the step (HMC)

  void describe(OptionFields& o) {
    o("target-accept", target_accept, "acceptance rate to steer to", inside(0, 1));
    o("step", initial, "initial step size; 0: the sampler's own rule");
    o("step-rate", rate, "how fast the step follows the acceptance", between(0, 0.5));
  }
};

class StepAdapter final : public Adapter {
 public:
  explicit StepAdapter(StepOptions options) : options_(options) {}

  Tuning initial_tuning(Index n) const override {
    return Tuning(Factor::unit(n), options_.initial);
  }
  void learn(const Lesson& lesson, Tuning& tuning) override;

 private:
  StepOptions options_;
};

}  // namespace gadwall
