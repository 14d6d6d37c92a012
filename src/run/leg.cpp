#include "run/leg.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

namespace gadwall {
namespace {

// Long enough that handing batches over costs nothing, short enough that all chains go on side by
// side and a pause is soon there.
constexpr double kSliceSeconds = 0.02;

/// Hands out the batch that is furthest behind, for one slice at a time.
class Schedule {
 public:
  Schedule(const Batches& batches, Index until) : until_(until) {
    for (const auto& batch : batches) give_back(batch.get());
  }

  Batch* take() {
    const std::lock_guard lock(mutex_);
    const auto behind = std::ranges::min_element(waiting_, {}, &Batch::iteration);
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
class Stretch {
 public:
  Stretch(const Batches& batches, const Leg& leg)
      : leg_(leg), schedule_(batches, leg.until), slice_{leg.until, kSliceSeconds, {&paused_}} {
    if (leg.stop != nullptr) slice_.halts.push_back(leg.stop);
  }

  void run(int threads) {
    {
      std::vector<std::jthread> others;
      for (int i = 1; i < threads; ++i) others.emplace_back([this] { work(); });
      work();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void work() {
    try {
      while (Batch* batch = slice_.is_halted() ? nullptr : schedule_.take()) {
        leg_.advance(*batch, slice_);
        schedule_.give_back(batch);
        if (leg_.pauses && leg_.pauses()) paused_ = true;
      }
    } catch (...) {
      const std::lock_guard lock(failure_mutex_);
      if (!failure_) failure_ = std::current_exception();
      paused_ = true;
    }
  }

  const Leg& leg_;
  Schedule schedule_;
  std::atomic<bool> paused_{false};
  Slice slice_;
  std::exception_ptr failure_;
  std::mutex failure_mutex_;
};

}  // namespace

void run_leg(const Batches& batches, const Leg& leg) {
  const int threads = std::min<int>(leg.threads, static_cast<int>(batches.size()));
  Stretch(batches, leg).run(threads);
  Leg rest = leg;  // those behind come up to the furthest, and nothing holds them
  rest.until = (*std::ranges::max_element(batches, {}, [](const auto& batch) {
                 return batch->iteration();
               }))->iteration();
  rest.pauses = nullptr;
  rest.stop = nullptr;
  Stretch(batches, rest).run(threads);
}

}  // namespace gadwall
