// Waiting that leaves the processor to others.
#pragma once

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace gadwall {

/// At first not at all: who is waited for is about to come. Then it sleeps, longer the longer it
/// waits, to give the processor to whom it waits for.
class Pause {
 public:
  void take() {
    constexpr int kBusy = 200;
    constexpr int kQuick = 2000;
    ++count_;
    if (count_ < kBusy) return;
    if (count_ < kQuick) {
      sched_yield();
      return;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(std::min(1000, count_ - kQuick + 50)));
  }

 private:
  int count_ = 0;
};

}  // namespace gadwall
