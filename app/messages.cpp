#include "messages.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

#include "text/option_names.hpp"
#include "text/text_table.hpp"

namespace gadwall::app {
namespace {

std::atomic<bool> has_passing_line = false;
std::atomic<bool> is_silent = false;

}  // namespace

void be_silent(bool silent) {
  is_silent = silent;
}

void tell(const std::string& text) {
  if (is_silent) return;
  if (has_passing_line.exchange(false)) std::fputs("\r\033[K", stderr);
  std::fputs(text.c_str(), stderr);
}

void tell_passing(const std::string& text) {
  if (isatty(STDERR_FILENO) == 0) return;
  tell(text);
  has_passing_line = !text.empty();
}

void note(const std::string& text) {
  tell(printable(text, "\n\t"));
}

void warn(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    tell(fmt::format("gadwall: warning: {}\n", printable(with_dashes(warning), "\n")));
  }
}

}  // namespace gadwall::app
