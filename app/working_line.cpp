// Says what takes long.
#include "working_line.hpp"

#include <unistd.h>

#include "messages.hpp"

namespace gadwall::app {

void WorkingLine::show(const std::string& what) {
  if (quiet_) return;
  if (isatty(STDERR_FILENO) != 0) {
    lines_.show({what}, terminal_size(STDERR_FILENO));
  } else {
    tell("gadwall: " + what + "\n");
  }
}

}  // namespace gadwall::app
