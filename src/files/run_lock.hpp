// One process a run: the lock file beside the draws.
#pragma once

#include <string>

namespace gadwall::files {

class RunLock {
 public:
  /// NAME.lock. UsageError where another process has it. A lock that a killed process left behind
  /// is no obstacle: the kernel released it.
  explicit RunLock(const std::string& run);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

  const std::string& run() const { return run_; }

 private:
  std::string run_;
  std::string path_;
  int file_;
};

/// Whether another process, or this one, is at work on the run. Nothing is written.
bool is_at_work(const std::string& run);

}  // namespace gadwall::files
