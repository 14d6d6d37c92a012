// One process a run: the lock file beside the draws.
#pragma once

#include <string>

namespace gadwall {

class RunLock {
 public:
  /// NAME.lock. UsageError where another process has it. A lock that a killed process left behind
  /// is no obstacle: the kernel released it.
  explicit RunLock(const std::string& run);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  std::string path_;
  int file_;
};

}  // namespace gadwall
