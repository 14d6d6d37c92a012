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

/// Open MPI's mpirun gives its processes a terminal of its own, wherever what they write then goes.
bool is_users_terminal(int file) {
  return isatty(file) != 0 && environment("OMPI_COMM_WORLD_SIZE").empty();
}

}  // namespace

TerminalSize terminal_size(int file) {
  winsize size{};
  ioctl(file, TIOCGWINSZ, &size);
  const Index columns = size.ws_col > 0 ? size.ws_col : environment_number("COLUMNS");
  const Index rows = size.ws_row > 0 ? size.ws_row : environment_number("LINES");
  TerminalSize result;
  if (columns > 0) result.columns = static_cast<std::size_t>(columns);
  if (rows > 0) result.rows = static_cast<std::size_t>(rows);
  return result;
}

TableStyle table_style(std::optional<Index> rows, std::size_t parameters) {
  TableStyle style{.rows = rows.value_or(0)};
  if (!is_users_terminal(STDOUT_FILENO)) return style;
  const TerminalSize size = terminal_size(STDOUT_FILENO);
  style.width = static_cast<Index>(size.columns);
  const Index fit = std::max(kLeastRows, static_cast<Index>(size.rows) - kOtherLines);
  if (!rows && static_cast<Index>(parameters) > fit) style.rows = fit;
  style.colour = wants_colour();
  style.trace = true;
  return style;
}

}  // namespace gadwall::app
