// Other programs, run to their end.
#pragma once

#include <string>
#include <vector>

namespace gadwall::stan {

struct ProcessResult {
  int code = -1;       // exit code; 127: there is no such program; 128 + signal
  std::string output;  // stdout and stderr, as they came
};

/// The first word is the program, looked up in PATH; no shell is between. RunError where no process
/// can be made. Interrupted where hold_interrupts() said so: the program, and all that it started,
/// has ended then.
ProcessResult run_process(const std::vector<std::string>& words);

}  // namespace gadwall::stan
