// Waiting for a moment without the kernel's help, which takes longer than the moment.
#pragma once

#include <atomic>
#include <thread>

namespace gadwall {

/// A pause between two looks at what another thread writes.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

/// For a few instructions at a time. A thread that finds a std::mutex taken sleeps, and to be woken
/// takes longer than they do.
class SpinLock {
 public:
  void lock() {
    for (int looks = 0; is_taken_.test_and_set(std::memory_order_acquire); ++looks) {
      looks < kLooks ? relax() : std::this_thread::yield();  // whoever has it may be off its core
    }
  }
  void unlock() { is_taken_.clear(std::memory_order_release); }

 private:
  static constexpr int kLooks = 100;

  std::atomic_flag is_taken_;
};

}  // namespace gadwall
