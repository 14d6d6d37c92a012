#include "kernels/refinement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gadwall {
namespace {

/// Tries one step of one lane in different numbers of pieces.
class Pieces {
 public:
  Pieces(Integrator integrator, Evaluator& density, const Factor& L)
      : integrator_(integrator), density_(density), L_(L), piece_(1) {}

  int gradients() const { return gradients_; }

  /// From z, in 2^halvings pieces. False as soon as the energy leaves a range of `tolerance`, with
  /// z wherever that was.
  bool follow(double step, Index halvings, double tolerance, Phase& z) {
    const Index count = Index{1} << halvings;
    piece_[0] = step / static_cast<double>(count);
    double low = z.energy(0), high = low;
    for (Index i = 0; i < count; ++i) {
      integrate(integrator_, density_, L_, piece_, z);
      gradients_ += gradients_per_step(integrator_);
      const double energy = z.energy(0);
      low = std::min(low, energy);
      high = std::max(high, energy);
      if (!(high - low <= tolerance) || std::isnan(energy)) return false;
    }
    return true;
  }

 private:
  Integrator integrator_;
  Evaluator& density_;
  const Factor& L_;
  Vector piece_;
  int gradients_ = 0;
};

}  // namespace

bool Refinement::is_rough(double before, double after) const {
  return !(std::abs(after - before) <= tolerance);
}

RefinedStep refine(const Refinement& refinement, Integrator integrator, Evaluator& density,
                   const Factor& L, double step, Phase& z) {
  // The finest is taken as it is, as long as it goes through good points.
  constexpr double kAny = std::numeric_limits<double>::max();
  const Index most = refinement.most_halvings;
  Pieces pieces(integrator, density, L);
  Phase trial;
  RefinedStep out{.is_reversible = false};
  while (!out.is_reversible && out.halvings < most) {
    ++out.halvings;
    trial = z;
    const double tolerance = out.halvings < most ? refinement.tolerance : kAny;
    out.is_reversible = pieces.follow(step, out.halvings, tolerance, trial);
  }
  z = trial;
  for (Index coarser = 0; out.is_reversible && coarser < out.halvings; ++coarser) {
    trial = z;
    out.is_reversible = !pieces.follow(-step, coarser, refinement.tolerance, trial);
  }
  out.gradients = pieces.gradients();
  return out;
}

}  // namespace gadwall
