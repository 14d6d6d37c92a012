// Hamiltonian Monte Carlo with a given number of steps (phase.hpp). All lanes take the same number;
// jitter multiplies the step of each lane and iteration by a uniform number in
// [1 - jitter, 1 + jitter], which breaks the resonances of trajectories of one fixed length.
#pragma once

#include "gadwall/kernel.hpp"
#include "gadwall/options.hpp"
#include "kernels/refinement.hpp"

namespace gadwall {

struct HmcOptions {
  Index leapfrogs = 10;            // the paper tries 5, 10 and 20
  double jitter = 0;               // off, as in the paper
  double max_energy_error = 1000;  // beyond it a trajectory counts as divergent, as in Stan
  Integrator integrator = Integrator::leapfrog;
  Refinement refinement = {};  // off, as in the paper

  void describe(OptionFields& o) {
    o("leapfrog", leapfrogs, "leapfrog steps of a trajectory", between(1, 1e6));
    o("jitter", jitter, "the step varies by up to this fraction, at random", between(0, 1));
    o("max-energy-error", max_energy_error, "a trajectory beyond it is divergent", above(0));
    o("integrator", integrator, "how a trajectory is followed step by step");
    refinement.describe(o);
  }
};

/// A trajectory of all lanes: `steps` are integrated where the path is wanted, else `stop`; the
/// state after `stop` steps is proposed.
struct HmcTrajectory {
  Integrator integrator;
  Index stop;
  Index steps;
  double jitter;
  double max_energy_error;
  double careful = 0;      // share of the trajectories whose steps are half as long
  double persistence = 0;  // share of the momentum that is kept: v <- a v + sqrt(1 - a^2) eps
  Refinement refinement = {};
};

void hmc_step(const HmcTrajectory& trajectory, Evaluator& density, const Tuning& tuning,
              const State& now, const LaneNoise& noise, Wants wants, Transition& out);

class Hmc final : public Kernel {
 public:
  explicit Hmc(HmcOptions options) : options_(options) {}
  bool uses_gradient() const override { return true; }
  void step(Evaluator& density, const Tuning& tuning, const State& now, const LaneNoise& noise,
            Wants wants, Transition& out) const override;

 private:
  HmcOptions options_;
};

}  // namespace gadwall
