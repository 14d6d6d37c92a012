// The no-U-turn sampler: multinomial sampling from a doubling trajectory (Betancourt 2017) with
// the generalised U-turn check, also across the join of two halves. In whitened momenta v = L^T p
// (phase.hpp) the check p^T M^-1 rho > 0 is the plain inner product of v and the sum of the v's.
// Lanes have trees of different sizes, so they go one after the other.
#pragma once

#include "gadwall/kernel.hpp"
#include "gadwall/options.hpp"
#include "kernels/refinement.hpp"

namespace gadwall {

struct NutsOptions {
  Index max_depth = 10;            // at most 2^10 - 1 steps, as in Stan
  double max_energy_error = 1000;  // beyond it the trajectory has diverged and stops
  Integrator integrator = Integrator::leapfrog;
  Refinement refinement = {};  // off, as in Stan

  void describe(OptionFields& o) {
    o("max-depth", max_depth, "a trajectory has at most 2^depth - 1 steps", between(1, 30));
    o("max-energy-error", max_energy_error, "a trajectory beyond it is divergent", above(0));
    o("integrator", integrator, "how a trajectory is followed step by step");
    refinement.describe(o);
  }
};

class Nuts final : public Kernel {
 public:
  explicit Nuts(NutsOptions options) : options_(options) {}
  bool uses_gradient() const override { return true; }
  void step(Evaluator& density, const Tuning& tuning, const State& now, const LaneNoise& noise,
            Wants wants, Transition& out) const override;

 private:
  NutsOptions options_;
};

}  // namespace gadwall
