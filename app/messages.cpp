#include "messages.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <regex>

namespace gadwall::app {

namespace {

std::atomic<bool> has_passing_line = false;

}  // namespace

void tell(const std::string& text) {
  if (has_passing_line.exchange(false)) std::fputs("\r\033[K", stderr);
  std::fputs(text.c_str(), stderr);
}

void tell_passing(const std::string& text) {
  if (isatty(STDERR_FILENO) == 0) return;
  tell(text);
  has_passing_line = !text.empty();
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
