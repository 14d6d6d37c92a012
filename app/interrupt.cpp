#include "interrupt.hpp"

#include <atomic>
#include <csignal>

namespace gadwall::app {
namespace {

std::atomic<std::atomic<bool>*> stop_flag{nullptr};
std::atomic<int> last_signal{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

extern "C" void on_signal(int signal_number) {
  last_signal = signal_number;
  if (std::atomic<bool>* flag = stop_flag) *flag = true;
  std::signal(signal_number, SIG_DFL);  // the next one is not ours
}

}  // namespace

InterruptGuard::InterruptGuard(Monitor& monitor) {
  stop_flag = &monitor.stop;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  stop_flag = nullptr;
}

int InterruptGuard::signal_seen() {
  return last_signal;
}

}  // namespace gadwall::app
