// Steps that are shorter where they have to be. A step of length h is followed in 1, 2, 4, ... 2^m
// pieces of length h, h/2, h/4, ...: in as few as keep the energy, on the way, within a range of
// `tolerance`; in 2^m where no number does.
//
//   c(z, h) = the number of halvings that this rule finds from z;   z' = the end of that step
//
// A step is proposed only where its reverse takes the same pieces, c(z', -h) = c(z, h): to see it
// all coarser ones are tried from z', backwards, and each has to fail. Then z -> z' is one of the
// maps with a fixed number of pieces, each reversible and volume preserving, and z' -> z is the
// same map backwards: an involution with the momentum turned round, so that the usual ratio of
// densities is exact, with kept momenta too. Where it is not so the trajectory ends: a proposal is
// rejected, a tree does not grow any further. (Within-orbit adaptation of steps, by its
// deterministic rule: Bou-Rabee, Carpenter, Kleppe & Liu 2025, arXiv 2506.18746.)
//
// A step that is smooth at once costs nothing more than before.
#pragma once

#include "gadwall/options.hpp"
#include "kernels/phase.hpp"

namespace gadwall {

struct Refinement {
  Index most_halvings = 0;  // m; 0: every step is taken whole
  double tolerance = 1;     // of the energy along a step

  void describe(OptionFields& o) {
    o("halvings", most_halvings, "how often a step may be halved where it is too long; 0: never",
      between(0, 20));
    o("step-error", tolerance, "energy error of a step beyond which it is halved", above(0));
  }

  bool is_on() const { return most_halvings > 0; }

  /// Whether a step between points of these energies has to be cut; not a number: it has.
  bool is_rough(double before, double after) const;
};

/// What became of a step that was cut.
struct RefinedStep {
  Index halvings = 0;
  int gradients = 0;          // of all that was tried, there and back
  bool is_reversible = true;  // false: its end must not be proposed
};

/// z: the one lane before a step whose whole is known to be rough; afterwards its end.
RefinedStep refine(const Refinement& refinement, Integrator integrator, Evaluator& density,
                   const Factor& L, double step, Phase& z);

}  // namespace gadwall
