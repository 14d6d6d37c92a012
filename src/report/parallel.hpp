// A loop whose turns are independent, on all processors.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace gadwall {

/// task(i) for i = 0 ... count - 1, in any order; each writes only what is its own. The first
/// exception is lost with the program, so a task must not throw.
template <class Task>
void for_each_in_parallel(std::size_t count, Task task) {
  std::atomic<std::size_t> next{0};
  const auto work = [&]() noexcept {
    for (std::size_t i = next++; i < count; i = next++) task(i);
  };
  const std::size_t wanted = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 16);
  std::vector<std::jthread> helpers;
  for (std::size_t t = 1; t < std::min(wanted, count); ++t) helpers.emplace_back(work);
  work();
}

}  // namespace gadwall
