// Which batch a thread takes next.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "gadwall/types.hpp"
#include "threads/spin.hpp"

namespace gadwall {

/// Hands out the batch that is furthest behind, for one slice at a time; among the first of several
/// the one that the thread has moved last, which may still be in the caches of its processor. There
/// may be a million: they wait in a heap, and nothing takes memory while they go on. `Moved` is
/// Batch, but for tests.
template <class Moved>
class Schedule {
 public:
  template <class Batches>
  Schedule(const Batches& batches, Index until) : until_(until) {
    waiting_.reserve(batches.size());
    for (const auto& batch : batches) give_back(batch.get());
  }

  Moved* take() {
    if (count_.load(std::memory_order_acquire) == 0) return nullptr;
    const std::lock_guard lock(lock_);
    if (waiting_.empty()) return nullptr;
    // All that are as far behind as the first may be the first.
    const std::size_t looked_at = std::min(waiting_.size(), kLook);
    std::size_t best = 0;
    std::uint64_t last = waiting_.front().batch->moved_here();
    for (std::size_t i = 1; i < looked_at; ++i) {
      if (waiting_[i].at != waiting_.front().at) continue;
      const std::uint64_t moved = waiting_[i].batch->moved_here();
      if (moved > last) std::tie(best, last) = std::pair(i, moved);
    }
    std::swap(waiting_.front(), waiting_[best]);
    std::pop_heap(waiting_.begin(), waiting_.end(), is_ahead);
    Moved* batch = waiting_.back().batch;
    waiting_.pop_back();
    count_.store(waiting_.size(), std::memory_order_release);
    return batch;
  }

  void give_back(Moved* batch) {
    const Index at = batch->iteration();
    if (at >= until_) return;
    const std::lock_guard lock(lock_);
    waiting_.push_back({at, batch});
    std::push_heap(waiting_.begin(), waiting_.end(), is_ahead);
    count_.store(waiting_.size(), std::memory_order_release);
  }

 private:
  struct Waiting {
    Index at;  // its iteration
    Moved* batch;
  };

  static bool is_ahead(const Waiting& a, const Waiting& b) { return a.at > b.at; }

  static constexpr std::size_t kLook = 64;  // more than a machine has batches in its caches

  Index until_;
  SpinLock lock_;
  std::vector<Waiting> waiting_;       // a heap, the furthest behind first
  std::atomic<std::size_t> count_{0};  // of them, for a look without the lock
};

}  // namespace gadwall
