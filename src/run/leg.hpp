// A leg of a run: the crew takes batches, slice by slice, until every batch stands at one
// iteration.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "run/batch.hpp"
#include "threads/crew.hpp"

namespace gadwall {

using Batches = std::vector<std::unique_ptr<Batch>>;

struct Leg {
  Index until = 0;
  /// One slice of one batch.
  std::function<void(Batch&, const Slice&)> advance;
  /// Asked after every slice: whether all should stand still before they are there.
  std::function<bool()> pauses;
  const std::atomic<bool>* stop = nullptr;  // the same, from outside
};

/// Returns with every batch at the same iteration: `until`, or where the furthest was when the leg
/// was paused. What the batches do never depends on which thread does it. The first exception ends
/// the leg.
void run_leg(Crew& crew, const Batches& batches, const Leg& leg);

}  // namespace gadwall
