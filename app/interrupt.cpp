// Signals that stop a run.
#include "interrupt.hpp"

#include <array>
#include <atomic>
#include <csignal>

namespace gadwall::app {
namespace {

constexpr std::array<int, 5> kSignals = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU};

std::atomic<std::atomic<bool>*> stop_flag{nullptr};
std::atomic<int> last_signal{0};
std::array<std::atomic<bool>, kSignals.size()> taken{};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void give_back() {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    if (taken[i]) sigaction(kSignals[i], &standard, nullptr);
  }
  if (last_signal != SIGXCPU) return;
  // It comes again every second, until the hard limit ends the program.
  standard.sa_handler = SIG_IGN;
  sigaction(SIGXCPU, &standard, nullptr);
}

extern "C" void on_signal(int signal_number) {
  last_signal = signal_number;
  if (std::atomic<bool>* flag = stop_flag) *flag = true;
  give_back();  // the next one is not ours
}

}  // namespace

InterruptGuard::InterruptGuard(Monitor& monitor) {
  stop_flag = &monitor.stop;
  struct sigaction ours {};
  ours.sa_handler = on_signal;
  ours.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction before {};
    sigaction(kSignals[i], nullptr, &before);
    taken[i] = before.sa_handler != SIG_IGN;  // nohup, or a script's background job
    if (taken[i]) sigaction(kSignals[i], &ours, nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  give_back();
  stop_flag = nullptr;
}

void InterruptGuard::take(int signal) {
  on_signal(signal);
}

int InterruptGuard::signal_seen() {
  return last_signal;
}

}  // namespace gadwall::app
