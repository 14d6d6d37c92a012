// Preconditioned Metropolis-adjusted Langevin. With S = step L:
//
//   u = S^T g_x / 2 + eps,   y = x + S u          (so y ~ N(x + S S^T g_x / 2, S S^T))
//   d = u + S^T g_y / 2,     r = log pi(y) - log pi(x) - (|d|^2 - |eps|^2) / 2
//
// S^T g_x is kept with the state and S^T g_y becomes it on acceptance: two products with L per
// iteration once L stands still. When an adapter wants the curvature, one Hessian-vector product
// k = H(y) (S d) is reported: d r / d L through the gradient at y needs no more than that.
#pragma once

#include "gadwall/kernel.hpp"

namespace gadwall {

class Langevin final : public Kernel {
 public:
  bool uses_gradient() const override { return true; }
  void step(Evaluator& density, const Tuning& tuning, const State& now, const LaneNoise& noise,
            Wants wants, Transition& out) const override;
};

}  // namespace gadwall
