// Threads that stay together as long as a run.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace gadwall {

/// Batches meet every few iterations, which are a few hundred microseconds: threads made anew each
/// time, or woken by the kernel each time, would cost as much as the work. So a thread that has
/// nothing to do looks for work a short while before it sleeps.
class Crew {
 public:
  /// The caller is one of them. Where the system has no more threads to give, those that it has
  /// given do the work.
  explicit Crew(int threads);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// work() on every thread; returns when all are done. The first exception is thrown again then.
  void work(const std::function<void()>& work);

 private:
  void serve();
  void do_work() noexcept;

  std::vector<std::jthread> others_;
  bool spins_;                                   // not where threads would take turns on a core
  const std::function<void()>* work_ = nullptr;  // null: go home
  std::atomic<std::uint32_t> calls_{0};
  std::atomic<std::uint32_t> busy_{0};
  std::exception_ptr failure_;
  std::mutex failure_mutex_;
};

}  // namespace gadwall
