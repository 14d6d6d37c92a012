// What a trajectory of l leapfrog steps of length h adds to the entropy of a proposal (Hirt,
// Titsias & Dellaportas 2021): y as a function of the momentum has the Jacobian h l L (I + D),
// about
//
//   D = h^2 (l^2 - 1) / 6  L^T H L,   H the Hessian of log pi halfway
//
// so that the entropy is log|L| + log|det(I + D)| and a constant. With c = h^2 (l^2 - 1) / 6 its
// gradient in L is 2 c H L (I + D)^-1; a vector e of random signs makes it the mean of the outer
// products of 2 c H L z and e, z = (I + D)^-1 e by the first terms of the series e - D e + D^2 e
// ... Every term takes one product with H. A term that does not shrink, where the series would not
// converge, is made 0.99 times as long as the one before.
#pragma once

#include "adapters/speed_gradient.hpp"

namespace gadwall {

struct TrajectoryEntropy {
  Index leapfrogs;  // l
  Index terms;      // of the series beyond the first
  double weight;    // beta
};

/// weight times the gradient of log|det(I + D)|, mean over the lanes, is added.
void add_trajectory_entropy(const TrajectoryEntropy& entropy, const Lesson& lesson,
                            const Tuning& tuning, SpeedGradient& gradient);

}  // namespace gadwall
