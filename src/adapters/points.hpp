// The states of a stretch of a run with their scores (gradients of log pi): what metrics are made
// from.
#pragma once

#include <vector>

#include "gadwall/adapter.hpp"

namespace gadwall {

/// Of `lanes` lanes, one iteration after the other: column t * lanes + k is lane k at iteration t.
class Points {
 public:
  explicit Points(Index lanes = 0) : lanes_(lanes) {}

  /// The states that the lanes of an iteration end in; only the first `lanes` of them.
  void add(const Lesson& lesson);

  /// In other coordinates from here on; null: the model's own.
  void rewarp(const Warp* from, const Warp* to);

  /// Only the last iterations are kept.
  void keep_last(Index iterations);

  Index lanes() const { return lanes_; }
  Index iterations() const { return lanes_ == 0 ? 0 : count_ / lanes_; }
  auto x() const { return x_.leftCols(count_); }
  auto scores() const { return scores_.leftCols(count_); }
  auto logp() const { return logp_.head(count_); }

  void archive(Archive& a);

 private:
  void reserve(Index n, Index columns);

  Index lanes_;
  Index count_ = 0;
  Matrix x_, scores_;  // n x at least count_
  Vector logp_;
};

/// Collects the states of a batch, and learns nothing from them by itself: a meeting does.
class PointsAdapter final : public Adapter {
 public:
  Tuning initial_tuning(Index n) const override {
    return Tuning(Factor::first(Metric::diag, n, 1));
  }
  void learn(const Lesson& lesson, Tuning&) override;
  void archive(Archive& a) override { a("points", points); }

  Points points;
};

}  // namespace gadwall
