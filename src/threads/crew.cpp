#include "threads/crew.hpp"

#include <system_error>
#include <utility>

#include "threads/spin.hpp"

namespace gadwall {
namespace {

constexpr int kLooks = 4000;  // before a thread sleeps: some 50 microseconds

/// Until the number is no longer `old`.
void wait_for_change(const std::atomic<std::uint32_t>& number, std::uint32_t old, bool spins) {
  for (int i = 0; spins && i < kLooks; ++i) {
    if (number.load(std::memory_order_acquire) != old) return;
    relax();
  }
  number.wait(old, std::memory_order_acquire);
}

}  // namespace

Crew::Crew(int threads) : spins_(threads <= static_cast<int>(std::thread::hardware_concurrency())) {
  try {
    for (int i = 1; i < threads; ++i) others_.emplace_back([this] { serve(); });
  } catch (const std::system_error&) {  // no more to be had
  }
}

Crew::~Crew() {
  work_ = nullptr;
  calls_.fetch_add(1, std::memory_order_release);
  calls_.notify_all();
  others_.clear();  // they use what is below them
}

void Crew::work(const std::function<void()>& work) {
  work_ = &work;
  busy_.store(static_cast<std::uint32_t>(others_.size()), std::memory_order_relaxed);
  calls_.fetch_add(1, std::memory_order_release);
  if (!others_.empty()) calls_.notify_all();
  do_work();
  for (std::uint32_t busy = busy_.load(std::memory_order_acquire); busy > 0;
       busy = busy_.load(std::memory_order_acquire)) {
    wait_for_change(busy_, busy, spins_);
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Crew::serve() {
  for (std::uint32_t seen = 0;;) {
    wait_for_change(calls_, seen, spins_);
    ++seen;
    if (work_ == nullptr) return;
    do_work();
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
  }
}

void Crew::do_work() noexcept {
  try {
    (*work_)();
  } catch (...) {
    const std::lock_guard lock(failure_mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
}

}  // namespace gadwall
