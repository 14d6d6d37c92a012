// Which batch a thread takes next.
#pragma once

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "gadwall/types.hpp"

namespace gadwall {

/// Hands out the batch that is furthest behind, for one slice at a time; among the first of several
/// one that the thread has moved before. There may be a million: they wait in a heap, and nothing
/// takes memory while they go on. `Moved` is Batch, but for tests.
template <class Moved>
class Schedule {
 public:
  template <class Batches>
  Schedule(const Batches& batches, Index until) : until_(until) {
    waiting_.reserve(batches.size());
    for (const auto& batch : batches) give_back(batch.get());
  }

  Moved* take() {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) return nullptr;
    // All that are as far behind as the first may be the first.
    const std::size_t looked_at = std::min(waiting_.size(), kLook);
    for (std::size_t i = 0; i < looked_at; ++i) {
      if (waiting_[i].at != waiting_.front().at || !waiting_[i].batch->was_moved_here()) continue;
      std::swap(waiting_.front(), waiting_[i]);
      break;
    }
    std::pop_heap(waiting_.begin(), waiting_.end(), is_ahead);
    Moved* batch = waiting_.back().batch;
    waiting_.pop_back();
    return batch;
  }

  void give_back(Moved* batch) {
    const std::lock_guard lock(mutex_);
    const Index at = batch->iteration();
    if (at >= until_) return;
    waiting_.push_back({at, batch});
    std::push_heap(waiting_.begin(), waiting_.end(), is_ahead);
  }

 private:
  struct Waiting {
    Index at;  // its iteration
    Moved* batch;
  };

  static bool is_ahead(const Waiting& a, const Waiting& b) { return a.at > b.at; }

  static constexpr std::size_t kLook = 64;  // more than a machine has batches in its caches

  Index until_;
  std::mutex mutex_;
  std::vector<Waiting> waiting_;  // a heap, the furthest behind first
};

}  // namespace gadwall
