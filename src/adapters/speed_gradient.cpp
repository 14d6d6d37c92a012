#include "adapters/speed_gradient.hpp"

#include <cmath>

namespace gadwall {
namespace {

Index terms_of(ProposalKind proposal) {
  return proposal == ProposalKind::langevin_exact || proposal == ProposalKind::leapfrog ? 3 : 1;
}

}  // namespace

void SpeedGradient::gather(ProposalKind proposal, const Lesson& lesson, const Factor& L) {
  const Index n = lesson.before.dim();
  const Index lanes = lesson.before.lanes();
  const Index most = terms_of(proposal) * lanes;
  if (left_.rows() != n || left_.cols() < most) {
    left_.resize(n, most);
    right_.resize(n, most);
  }
  scratch_.resize(n);
  count_ = 0;
  for (Index k = 0; k < lanes; ++k) {
    const double r = lesson.transition.log_ratio[k];
    if (!(r < 0) || !std::isfinite(lesson.transition.next.logp[k])) continue;
    if (proposal == ProposalKind::leapfrog && !std::isfinite(r)) continue;  // bad on the way
    gather_lane(proposal, lesson, L, k);
  }
  if (lanes > 1) left_.leftCols(count_) *= 1 / static_cast<double>(lanes);
  accepted_share_ = lesson.accepted_share();
  if (proposal == ProposalKind::random_walk) return;  // its kernel whitens nothing
  score_square_ = lesson.transition.whitened.squaredNorm() / static_cast<double>(n * lanes);
}

void SpeedGradient::gather_lane(ProposalKind proposal, const Lesson& lesson, const Factor& L,
                                Index lane) {
  const Transition& t = lesson.transition;
  const auto g_x = lesson.before.grad.col(lane);
  const auto g_y = t.next.grad.col(lane);
  switch (proposal) {
    case ProposalKind::random_walk:
      append(g_y, t.noise.col(lane));
      return;
    case ProposalKind::leapfrog:
      append(g_y, t.move.col(lane));
      append(t.impulses.drifts.col(lane), t.next.whitened.col(lane));
      append(-t.impulses.kicks.col(lane), t.impulses.momentum.col(lane));
      return;
    case ProposalKind::langevin_fast:
    case ProposalKind::langevin_exact:
      append(0.5 * (g_y - g_x), t.move.col(lane) - 0.5 * t.next.whitened.col(lane));
  }
  if (proposal != ProposalKind::langevin_exact) return;
  const auto k = t.curvature.col(lane);
  append(-k / 2, t.move.col(lane));
  L.transpose_times(k, scratch_);
  append(-g_x / 4, scratch_);
}

SpeedGradient SpeedGradient::mean(std::span<const SpeedGradient> batches) {
  SpeedGradient all;
  all.left_.resize(batches.front().left_.rows(), 0);  // n rows though no lane may have a gradient
  all.right_.resize(all.left_.rows(), 0);
  const double weight = 1 / static_cast<double>(batches.size());
  for (const SpeedGradient& batch : batches) {
    for (Index c = 0; c < batch.count_; ++c) {
      all.append(weight * batch.left_.col(c), batch.right_.col(c));
    }
    all.accepted_share_ += weight * batch.accepted_share_;
    all.score_square_ += weight * batch.score_square_;
  }
  return all;
}

void SpeedGradient::archive(Archive& a) {
  Matrix left = left_.leftCols(count_);
  Matrix right = right_.leftCols(count_);
  a("left", left);
  a("right", right);
  a("accepted share", accepted_share_);
  a("score square", score_square_);
  if (a.is_saving()) return;
  left_ = left;
  right_ = right;
  count_ = left_.cols();
}

}  // namespace gadwall
