// Other programs, run to their end.
#pragma once

#include <string>
#include <vector>

namespace gadwall {

struct ProcessResult {
  int code = -1;       // exit code; 127: there is no such program; 128 + signal
  std::string output;  // stdout and stderr, as they came
};

/// The first word is the program, looked up in PATH; no shell is between. RunError where no process
/// can be made.
ProcessResult run_process(const std::vector<std::string>& words);

}  // namespace gadwall
