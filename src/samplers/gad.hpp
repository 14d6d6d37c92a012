// The samplers of the paper that learn L by the speed measure, and what goes beyond it: the exact
// drift, trajectories of several steps, one L for all batches.
#pragma once

#include "adapters/drift.hpp"
#include "adapters/speed_ascent.hpp"
#include "gadwall/sampler.hpp"
#include "kernels/refinement.hpp"
#include "samplers/scout.hpp"

namespace gadwall {

struct GadOptions {
  SpeedMeasureOptions learner;
  ScoutOptions scout;

  void describe(OptionFields& o) {
    learner.describe(o);
    scout.describe(o);
  }
};

struct GadLangevinOptions : GadOptions {
  std::string drift = "published";  // exact: L is rescaled when it is learnt, and one shear step of
                                    // a measured angle proposes
  AngleOptions angle;
  std::string shape = "corrected";  // of L, from states and scores
  double persistence = 0.3;         // share of the noise that is kept from one step to the next
  double careful = 0.04;            // share of shear steps of half the angle
  Refinement refinement;

  bool corrects() const { return shape == "corrected"; }

  void describe(OptionFields& o) {
    GadOptions::describe(o);
    o("drift", drift,
      "of the draws; exact: for a Gaussian the proposal is exact, at an angle chosen at the end "
      "of warm-up",
      {"published", "exact"});
    angle.describe(o);
    o("shape", shape,
      "exact drift: L as it was learnt, or what is wrong with it mended from states and scores",
      {"learnt", "corrected"});
    o("persistence", persistence, "exact drift: share of the noise kept from step to step",
      between(0, 0.999));
    o("careful", careful, "share of the trajectories with half the step", between(0, 1));
    refinement.describe(o);
  }
};

struct GadHmcOptions : GadOptions {
  double jitter = 0.1;             // breaks resonances
  double max_energy_error = 1000;  // beyond it a trajectory counts as divergent, as in Stan

  void describe(OptionFields& o) {
    GadOptions::describe(o);
    o("leapfrog", learner.leapfrogs, "leapfrog steps of a trajectory", between(1, 1e6));
    o("series", learner.series,
      "terms, each a product with the Hessian, of what a trajectory adds to the entropy",
      between(0, 1000));
    o("beta-ceiling", learner.beta_ceiling, "beta stays below it", above(0));
    o("jitter", jitter, "the step varies by up to this fraction, at random", between(0, 1));
    o("max-energy-error", max_energy_error, "a trajectory beyond it is divergent", above(0));
  }
};

std::vector<Stage> gad_walk_stages(const GadOptions& options, const Circumstances& c);
std::vector<Stage> gad_langevin_stages(const GadLangevinOptions& options, const Circumstances& c);
std::vector<Stage> gad_hmc_stages(const GadHmcOptions& options, const Circumstances& c);

}  // namespace gadwall
