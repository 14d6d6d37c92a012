// Points of phase space and the steps between them, in whitened momenta v = L^T p: with inverse
// mass L L^T the momentum p ~ N(0, (L L^T)^-1) becomes v ~ N(0, I), and a step of length h is
//
//   v += a L^T g,   x += b L v,   v += a L^T g      H = |v|^2 / 2 - log pi(x)
//
// so that no solve with L is ever needed. a = h/2 and b = h is leapfrog. a = tan(h/2) and b = sin h
// is the shear step: three shears that make up the rotation by h, the exact flow where the target
// is Gaussian with covariance L L^T. Both are reversible and keep volume, whatever the target.
#pragma once

#include "gadwall/kernel.hpp"

namespace gadwall {

/// K points: every matrix is n x K.
struct Phase {
  void resize(Index n, Index lanes);

  /// Never inlined: energies are subtracted from each other, and the same point has to have the
  /// same one to the last bit wherever it is asked for.
  [[gnu::noinline]] double energy(Index lane) const;

  Matrix x, v, grad;
  Matrix whitened;  // L^T grad
  Vector logp;
};

/// One step of every lane, each with its own length steps[k] (negative: backwards). Angles of the
/// shear step beyond 3 are taken as 3: at pi its kick is infinite.
void integrate(Integrator integrator, Evaluator& density, const Factor& L, const Vector& steps,
               Phase& z);

inline void leapfrog(Evaluator& density, const Factor& L, const Vector& steps, Phase& z) {
  integrate(Integrator::leapfrog, density, L, steps, z);
}

int gradients_per_step(Integrator integrator);

}  // namespace gadwall
