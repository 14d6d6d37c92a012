// The course of an adaptation, for people to look at: a few hundred rows however long warm-up is.
#pragma once

#include "gadwall/adapter.hpp"
#include "gadwall/draws.hpp"

namespace gadwall {

/// Makes a row every `stride` iterations; when there are too many, every second one goes and the
/// stride doubles.
class AdaptationRecord {
 public:
  explicit AdaptationRecord(Index warmup);

  /// One iteration of warm-up, after the decision.
  void add(const Transition& transition);

  bool is_due(Index iteration) const { return iteration % stride_ == 0; }
  void add_row(Index iteration, const Tuning& tuning, const NamedNumbers& recorded,
               const Vector& log_density);

  RecentMeans recent() const;

  /// A factor that is not finite proposes nothing that can be accepted: whether the last row leaves
  /// that open. Looking at every number of a factor takes as long as a product with it.
  bool may_be_broken() const;

  const AdaptationTrace& trace() const { return trace_; }

  /// A lane of a batch, as it was grouped before.
  struct Source {
    const AdaptationRecord* record;
    Index lane;
  };

  /// The record of lanes that are grouped anew: means over the batches they come from, each lane
  /// with its own log densities. All records have rows at the same iterations.
  static AdaptationRecord regrouped(const std::vector<Source>& lanes);

  void archive(Archive& a);

 private:
  void thin();

  Index stride_;
  double acceptance_sum_ = 0;  // since the last row
  double log_ratio_sum_ = 0;   // of min(0, r)
  Index count_ = 0;
  AdaptationTrace trace_;
};

}  // namespace gadwall
