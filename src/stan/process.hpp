// Other programs, run to their end.
#pragma once

#include <signal.h>

#include <string>
#include <vector>

namespace gadwall::stan {

/// While it lives, SIGINT, SIGTERM and SIGHUP wait, those aside that the program ignores: what is
/// under way can be undone first.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  /// Can be read when a signal has come.
  int file() const { return file_; }

  /// The signal that has come; it no longer waits.
  int take() const;

 private:
  sigset_t before_{};
  int file_;
};

struct ProcessResult {
  int code = -1;       // exit code; 127: there is no such program; 128 + signal
  std::string output;  // stdout and stderr, as they came
};

/// The first word is the program, looked up in PATH; no shell is between. RunError where no process
/// can be made. Interrupted where a signal came meanwhile: the program, and all that it started,
/// has ended then.
ProcessResult run_process(const std::vector<std::string>& words);

}  // namespace gadwall::stan
