// What is kept of the draws of a batch's lanes.
#pragma once

#include <memory>
#include <vector>

#include "gadwall/run.hpp"

namespace gadwall {

class KeptValues {
 public:
  KeptValues(const RunPlan& plan, Index lanes);

  /// Of the lane's next draw, x; valid until the next call.
  ConstVectorRef of(Index lane, ConstVectorRef x, const NoiseKey& key);

  /// A lane goes on where it was a lane of others.
  void take(Index lane, KeptValues& others, Index from);

  /// Whether there is something to archive.
  bool evolve() const;
  void archive(Archive& a);

 private:
  const RunPlan& plan_;
  std::vector<std::unique_ptr<DrawMaker>> makers_;  // by lane; null: the target makes its draws
  Vector all_, saved_;                              // the values of a draw
};

}  // namespace gadwall
