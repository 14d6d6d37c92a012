#include "run/leg.hpp"

#include <algorithm>
#include <mutex>

namespace gadwall {
namespace {

// Long enough that handing batches over costs nothing, short enough that all chains go on side by
// side and a pause is soon there.
constexpr double kSliceSeconds = 0.02;

/// Hands out the batch that is furthest behind, for one slice at a time; among several one that
/// the thread has moved before.
class Schedule {
 public:
  Schedule(const Batches& batches, Index until) : until_(until) {
    waiting_.reserve(batches.size());
    for (const auto& batch : batches) give_back(batch.get());
  }

  Batch* take() {
    const std::lock_guard lock(mutex_);
    const auto behind = std::ranges::min_element(waiting_, {}, [](const Batch* batch) {
      return std::pair(batch->iteration(), !batch->was_moved_here());
    });
    if (behind == waiting_.end()) return nullptr;
    Batch* batch = *behind;
    waiting_.erase(behind);
    return batch;
  }

  void give_back(Batch* batch) {
    const std::lock_guard lock(mutex_);
    if (batch->iteration() < until_) waiting_.push_back(batch);
  }

 private:
  Index until_;
  std::mutex mutex_;
  std::vector<Batch*> waiting_;
};

/// A thread that finds no batch waiting leaves: there are then no more batches than threads still
/// at work.
void advance_all(Crew& crew, const Batches& batches, const Leg& leg) {
  Schedule schedule(batches, leg.until);
  std::atomic<bool> paused{false};
  const Slice slice{leg.until, kSliceSeconds, {&paused, leg.stop}};
  crew.work([&] {
    try {
      while (Batch* batch = slice.is_halted() ? nullptr : schedule.take()) {
        leg.advance(*batch, slice);
        schedule.give_back(batch);
        if (leg.pauses && leg.pauses()) paused = true;
      }
    } catch (...) {
      paused = true;
      throw;
    }
  });
}

}  // namespace

void run_leg(Crew& crew, const Batches& batches, const Leg& leg) {
  advance_all(crew, batches, leg);
  const auto [behind, ahead] = std::ranges::minmax_element(
      batches, {}, [](const auto& batch) { return batch->iteration(); });
  if ((*behind)->iteration() == (*ahead)->iteration()) return;
  // Those behind come up to the furthest, and nothing holds them.
  advance_all(crew, batches, {(*ahead)->iteration(), leg.advance, nullptr, nullptr});
}

}  // namespace gadwall
