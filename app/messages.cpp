#include "messages.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <regex>

namespace gadwall::app {

void tell(const std::string& text) {
  std::fputs(text.c_str(), stderr);
}

std::string with_dashes(const std::string& text) {
  return std::regex_replace(
      std::regex_replace(text, std::regex("`([a-z][a-z-]*)=([^`]*)`"), "--$1 $2"),
      std::regex("`([a-z][a-z-]*)`"), "--$1");
}

void warn(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    tell(fmt::format("gadwall: warning: {}\n", with_dashes(warning)));
  }
}

}  // namespace gadwall::app
