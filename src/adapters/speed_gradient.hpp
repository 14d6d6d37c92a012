// The gradient of E[min(0, r)] in L at one iteration: a sum of outer products a b^T. Where r >= 0
// there is none; where r < 0, rejected or not, it is grad_L r:
//
//   random walk       a = g_y                b = eps
//   Langevin, fast    a = (g_y - g_x) / 2    b = u - L^T g_y / 2       (g_y held constant)
//   Langevin, exact   the same, and  a = -k / 2, b = u;  a = -g_x / 4, b = L^T k
//                     with k = H(y) L d, the kernel's curvature
//   leapfrog          a = g_y, b = u;  a = drifts, b = L^T g_y;  a = -kicks, b = v_l
//                     (Transition::impulses; every gradient of the trajectory held constant)
#pragma once

#include <span>

#include "adapters/rmsprop.hpp"
#include "gadwall/adapter.hpp"

namespace gadwall {

enum class ProposalKind { random_walk, langevin_fast, langevin_exact, leapfrog };

/// Of one batch, the mean over its lanes; or of several together.
class SpeedGradient {
 public:
  /// Of this iteration; what was there before is forgotten.
  void gather(ProposalKind proposal, const Lesson& lesson, const Factor& L);

  /// One more outer product, a b^T.
  template <class A, class B>
  void append(const A& a, const B& b) {
    if (count_ == left_.cols()) {
      left_.conservativeResize(a.size(), 2 * count_ + 1);
      right_.conservativeResize(a.size(), 2 * count_ + 1);
    }
    left_.col(count_) = a;
    right_.col(count_) = b;
    ++count_;
  }

  /// The mean over batches of as many lanes each, in their order.
  static SpeedGradient mean(std::span<const SpeedGradient> batches);

  OuterProducts products() const { return {left_, right_, count_}; }
  double accepted_share() const { return accepted_share_; }

  /// The mean over the lanes of |L^T g|^2 / n at the states before: 1 where L L^T is the covariance
  /// of a Gaussian target.
  double score_square() const { return score_square_; }

  void archive(Archive& a);

 private:
  void gather_lane(ProposalKind proposal, const Lesson& lesson, const Factor& L, Index lane);

  Matrix left_, right_;  // the a's and b's, one per column; more columns than are used
  Index count_ = 0;
  double accepted_share_ = 0;
  double score_square_ = 0;
  Vector scratch_;
};

}  // namespace gadwall
