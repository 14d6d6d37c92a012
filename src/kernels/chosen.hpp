// A Hamiltonian kernel whose trajectories are as the tuning says (Tuning::trajectory): a number of
// steps drawn uniformly from 1 ... M, the same for all lanes of a run so that evaluations stay
// batched, each lane's step jittered, a share of the momentum kept where the tuning says so
// (Horowitz 1991); or, where M is 0, until the path turns (nuts). Where one of them brings little,
// the tuning says how many make a draw: the composition of their transitions.
#pragma once

#include "gadwall/kernel.hpp"
#include "kernels/nuts.hpp"

namespace gadwall {

struct ChosenOptions {
  double jitter = 0.1;             // of the step, at random: breaks resonances
  double careful = 0.04;           // share of trajectories with half the step: where a step that is
                                   // right for the bulk is never accepted, a lane does not stay
  Index max_depth = 10;            // where the path goes on until it turns
  double max_energy_error = 1000;  // beyond it a trajectory is divergent
  Refinement refinement{.most_halvings = 6};

  void describe(OptionFields& o) {
    o("jitter", jitter, "the step varies by up to this fraction, at random", between(0, 1));
    o("careful", careful, "share of the trajectories with half the step", between(0, 1));
    o("max-depth", max_depth, "a trajectory has at most 2^depth - 1 steps", between(1, 30));
    o("max-energy-error", max_energy_error, "a trajectory beyond it is divergent", above(0));
    refinement.describe(o);
  }
};

class Chosen final : public Kernel {
 public:
  explicit Chosen(ChosenOptions options) : options_(options) {}
  bool uses_gradient() const override { return true; }
  void step(Evaluator& density, const Tuning& tuning, const State& now, const LaneNoise& noise,
            Wants wants, Transition& out) const override;

 private:
  ChosenOptions options_;
};

}  // namespace gadwall
