// The two ways a run can fail. A bad point of a target is neither: it is log pi = -inf.
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

}  // namespace gadwall
