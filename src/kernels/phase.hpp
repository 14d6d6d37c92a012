// Points of phase space and the leapfrog step, in whitened momenta v = L^T p: with inverse mass
// L L^T the momentum p ~ N(0, (L L^T)^-1) becomes v ~ N(0, I), and
//
//   v += h/2 L^T g,   x += h L v,   v += h/2 L^T g      H = |v|^2 / 2 - log pi(x)
//
// so that no solve with L is ever needed.
#pragma once

#include "gadwall/kernel.hpp"

namespace gadwall {

/// K points: every matrix is n x K.
struct Phase {
  void resize(Index n, Index lanes);

  double energy(Index lane) const { return v.col(lane).squaredNorm() / 2 - logp[lane]; }

  Matrix x, v, grad;
  Matrix whitened;  // L^T grad
  Vector logp;
};

/// One leapfrog step of every lane, each with its own length steps[k] (negative: backwards).
void leapfrog(Evaluator& density, const Factor& L, const Vector& steps, Phase& z);

}  // namespace gadwall
