// What trajectories bring per gradient, from what was seen of them.
#pragma once

#include <vector>

#include "adapters/paths.hpp"

namespace gadwall {

/// Trajectories of a number of steps uniform on 1 ... steps, or single steps that keep a share of
/// the momentum.
struct LengthEfficiency {
  Index steps = 0;
  double persistence = 0;
  double efficiency = 0;  // effective draws per gradient
};

/// All lengths judged from the same trajectories. With a_l the acceptance after l steps,
///
///   E[f(x) f(x')] = a_l f(x_0) f(x_l) + (1 - a_l) f(x_0)^2      r(M) = its correlation, mean over
///   l <= M
///
/// an iteration of cost (M + 1)/2 brings (1 - r)/(1 + r) effective draws of f. What single steps
/// that keep their momentum bring follows from r(1) (persistence.hpp). Over f = x_j and
/// (x_j - mean)^2 the mean of the slowest few decides. A step costs as many gradients as the
/// paths took.
LengthEfficiency best_length(const std::vector<Paths>& batches);

/// From the states of a stretch of lanes: effective draws per gradient, the same mean over the same
/// functions of their effective sample sizes.
double efficiency_of_states(const std::vector<Paths>& batches);

}  // namespace gadwall
