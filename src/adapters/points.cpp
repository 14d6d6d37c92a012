#include "adapters/points.hpp"

#include <algorithm>

#include "warps/rewarp.hpp"

namespace gadwall {

void Points::reserve(Index n, Index columns) {
  if (columns <= x_.cols()) return;
  const Index size = std::max(columns, 2 * x_.cols());
  x_.conservativeResize(n, size);
  scores_.conservativeResize(n, size);
  logp_.conservativeResize(size);
}

void Points::add(const Lesson& lesson) {
  if (lanes_ == 0) lanes_ = lesson.before.lanes();
  reserve(lesson.before.dim(), count_ + lanes_);
  for (Index k = 0; k < lanes_; ++k) {
    x_.col(count_) = lesson.after(k);
    scores_.col(count_) = lesson.gradient_after(k);
    logp_[count_] =
        lesson.transition.accepted[k] ? lesson.transition.next.logp[k] : lesson.before.logp[k];
    ++count_;
  }
}

void Points::rewarp(const Warp* from, const Warp* to) {
  gadwall::rewarp(from, to, x_.leftCols(count_), logp_.head(count_), scores_.leftCols(count_));
}

void Points::keep_last(Index iterations) {
  const Index kept = std::min(count_, iterations * lanes_);
  x_ = x_.middleCols(count_ - kept, kept).eval();
  scores_ = scores_.middleCols(count_ - kept, kept).eval();
  logp_ = logp_.segment(count_ - kept, kept).eval();
  count_ = kept;
}

void Points::archive(Archive& a) {
  a("lanes", lanes_);
  if (a.is_saving()) keep_last(iterations());  // no memory beyond them
  a("x", x_);
  a("scores", scores_);
  a("log density", logp_);
  count_ = x_.cols();
}

void PointsAdapter::learn(const Lesson& lesson, Tuning&) {
  points.add(lesson);
}

}  // namespace gadwall
