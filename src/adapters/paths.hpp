// What is seen of trajectories while their length is chosen: for some coordinates, where they
// begin, where they are after each step and how likely it would have been accepted there.
#pragma once

#include <vector>

#include "gadwall/adapter.hpp"

namespace gadwall {

/// One column per lane and iteration, iteration by iteration; c coordinates.
struct Paths {
  Matrix start;   // c x columns
  Matrix after;   // where the lane went
  Matrix end;     // (c * steps) x columns: after step 1, after step 2, ...
  Matrix accept;  // steps x columns
  Index lanes = 0;
  double gradients = 0;  // that the iterations took
  double divergences = 0;

  Index steps() const { return accept.rows(); }
  void archive(Archive& a);
};

/// Learns nothing by itself; a meeting says what to look at, and chooses.
class PathsAdapter final : public Adapter {
 public:
  enum class Look { away, at_states, along_paths };

  Wants wants() const override { return {.path = look_ == Look::along_paths}; }
  Tuning initial_tuning(Index n) const override {
    return Tuning(Factor::first(Metric::diag, n, 1));
  }
  void learn(const Lesson& lesson, Tuning&) override;
  void archive(Archive& a) override;

  /// From the next iteration on; what was seen before is forgotten.
  void look(Look look);
  const Paths& seen() const { return paths_; }

 private:
  Look look_ = Look::away;
  Paths paths_;
};

}  // namespace gadwall
