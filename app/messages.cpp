#include "messages.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace gadwall::app {

void tell(const std::string& text) {
  std::fputs(text.c_str(), stderr);
}

void warn(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) tell(fmt::format("gadwall: warning: {}\n", warning));
}

}  // namespace gadwall::app
