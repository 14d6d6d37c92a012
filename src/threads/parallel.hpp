// A loop whose turns are independent, on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace gadwall {

/// task(i) for i = 0 ... count - 1, in any order; each writes only what is its own. After the first
/// exception no turn begins; it is thrown again when those under way have ended.
template <class Task>
void for_each_on_threads(std::size_t threads, std::size_t count, Task task) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex mutex;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) task(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> helpers;
    try {
      for (std::size_t t = 1; t < std::min(threads, count); ++t) helpers.emplace_back(work);
    } catch (const std::system_error&) {  // no more threads to be had: go on with these
    }
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

/// On all processors.
template <class Task>
void for_each_in_parallel(std::size_t count, Task task) {
  for_each_on_threads(std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 16), count,
                      std::move(task));
}

}  // namespace gadwall
