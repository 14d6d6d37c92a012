// Ctrl-C, SIGTERM, SIGHUP, SIGUSR1, which queues send before the time of a job is over, and
// SIGXCPU, of `ulimit -t`, end a run after the present iteration; a second signal ends the program
// at once.
#pragma once

#include "gadwall/run.hpp"

namespace gadwall::app {

/// While it lives, the signals stop the run that the monitor belongs to.
class InterruptGuard {
 public:
  explicit InterruptGuard(Monitor& monitor);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// A signal that came to another process of the run, which stops it likewise.
  static void take(int signal);

  /// The signal that came, 0 for none.
  static int signal_seen();
};

}  // namespace gadwall::app
