#include "kernels/first_lane.hpp"

#include <limits>

namespace gadwall {

void FirstLane::step(Evaluator& density, const Tuning& tuning, const State& now,
                     const LaneNoise& noise, Wants wants, Transition& out) const {
  State first(now.dim(), 1);
  first.x = now.x.leftCols(1);
  first.logp = now.logp.head(1);
  first.grad = now.grad.leftCols(1);
  first.whitened = now.whitened.leftCols(1);
  first.whitened_version = now.whitened_version;
  Transition moved(now.dim(), 1, out.own.cols());
  kernel_->step(density, tuning, first, noise, wants, moved);

  out.next.x = now.x;
  out.next.logp = now.logp;
  out.next.grad = now.grad;
  out.next.x.col(0) = moved.next.x;
  out.next.logp[0] = moved.next.logp[0];
  out.next.grad.col(0) = moved.next.grad;
  out.next.whitened_version = 0;  // the products of the waiting lanes are not made
  out.noise.col(0) = moved.noise;
  out.log_ratio.setConstant(-std::numeric_limits<double>::infinity());
  out.log_ratio[0] = moved.log_ratio[0];
  out.accept[0] = moved.accept[0];
  out.accepted[0] = moved.accepted[0];
  out.divergent[0] = moved.divergent[0];
  out.energy[0] = moved.energy[0];
  out.leapfrogs[0] = moved.leapfrogs[0];
  out.tree_depth[0] = moved.tree_depth[0];
  out.own.row(0) = moved.own;
}

}  // namespace gadwall
