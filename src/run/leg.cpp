#include "run/leg.hpp"

#include <algorithm>
#include <atomic>
#include <functional>

#include "run/schedule.hpp"

namespace gadwall {
namespace {

// Long enough that handing batches over costs nothing, short enough that all chains go on side by
// side and a pause is soon there.
constexpr double kSliceSeconds = 0.02;

/// A thread that finds no batch waiting leaves: there are then no more batches than threads still
/// at work.
void advance_all(Crew& crew, const Batches& batches, const Leg& leg) {
  Schedule<Batch> schedule(batches, leg.until);
  std::atomic<bool> paused{false};
  const Slice slice{leg.until, kSliceSeconds, {&paused, leg.stop}};
  const auto work = [&] {
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
  };
  crew.work(std::ref(work));  // which takes no memory
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
