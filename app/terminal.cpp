// Asks the terminal for its size and the environment for wishes.
#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

namespace gadwall::app {
namespace {

constexpr Index kOtherLines = 9;  // of a summary: facts, titles, costs, the prompt
constexpr Index kLeastRows = 10;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// COLUMNS or LINES; 0 where it is not a number.
Index environment_number(const char* name) {
  return std::max<Index>(0, std::strtol(std::string(environment(name)).c_str(), nullptr, 10));
}

/// https://no-color.org
bool wants_colour() {
  return environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

}  // namespace

TableStyle table_style(std::optional<Index> rows, std::size_t parameters) {
  TableStyle style{.rows = rows.value_or(0)};
  if (isatty(STDOUT_FILENO) == 0) return style;
  winsize size{};
  ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
  style.width = size.ws_col > 0 ? size.ws_col : environment_number("COLUMNS");
  const Index height = size.ws_row > 0 ? size.ws_row : environment_number("LINES");
  const Index fit = std::max(kLeastRows, height - kOtherLines);
  if (!rows && height > 0 && static_cast<Index>(parameters) > fit) style.rows = fit;
  style.colour = wants_colour();
  style.trace = true;
  return style;
}

}  // namespace gadwall::app
