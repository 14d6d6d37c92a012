// The ways a run can fail. A bad point of a target is none of them: it is log pi = -inf.
#pragma once

#include <stdexcept>

namespace gadwall {

/// A user's mistake: an option, a file or a value. The program leaves with exit code 2.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A run that could not be done although it was asked for correctly (no finite start, a full
/// disk). The program leaves with exit code 1.
class RunError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A signal asked for the end, and what was under way is undone. The program leaves with exit code
/// 128 + signal; 0 where only the program knows which it was.
class Interrupted : public std::runtime_error {
 public:
  explicit Interrupted(int number) : std::runtime_error("interrupted"), signal(number) {}

  int signal;
};

}  // namespace gadwall
