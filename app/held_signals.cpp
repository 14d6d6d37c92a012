// Blocks the signals and reads them from a descriptor.
#include "held_signals.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

namespace gadwall::app {

HeldSignals::HeldSignals() {
  sigset_t held;
  sigemptyset(&held);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    sigaction(number, nullptr, &action);
    if (action.sa_handler != SIG_IGN) sigaddset(&held, number);  // nohup, a background job
  }
  pthread_sigmask(SIG_BLOCK, &held, &before_);
  file_ = signalfd(-1, &held, SFD_CLOEXEC);
}

HeldSignals::~HeldSignals() {
  close(file_);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

int HeldSignals::take() {
  signalfd_siginfo info{};
  return read(file_, &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo) : 0;
}

}  // namespace gadwall::app
