// Which batch a thread takes next.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>

#include "gadwall/types.hpp"

namespace gadwall {

/// Hands out the batch that is furthest behind, for one slice at a time; among the first of several
/// one that the thread has moved before. There may be a million, so none is looked at twice for
/// nothing. `Moved` is Batch, but for tests.
template <class Moved>
class Schedule {
 public:
  template <class Batches>
  Schedule(const Batches& batches, Index until) : until_(until) {
    for (const auto& batch : batches) give_back(batch.get());
  }

  Moved* take() {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) return nullptr;
    const auto behind = waiting_.begin();
    std::deque<Moved*>& equal = behind->second;
    const auto looked_at = equal.begin() + std::min<std::ptrdiff_t>(std::ssize(equal), kLook);
    auto chosen = std::find_if(equal.begin(), looked_at,
                               [](const Moved* batch) { return batch->was_moved_here(); });
    if (chosen == looked_at) chosen = equal.begin();
    Moved* batch = *chosen;
    equal.erase(chosen);
    if (equal.empty()) waiting_.erase(behind);
    return batch;
  }

  void give_back(Moved* batch) {
    const std::lock_guard lock(mutex_);
    const Index iteration = batch->iteration();
    if (iteration < until_) waiting_[iteration].push_back(batch);
  }

 private:
  static constexpr std::ptrdiff_t kLook = 64;  // more than a machine has batches in its caches

  Index until_;
  std::mutex mutex_;
  std::map<Index, std::deque<Moved*>> waiting_;  // by the iteration at which they are
};

}  // namespace gadwall
