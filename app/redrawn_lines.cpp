// Redraws lines by moving the cursor up (ECMA-48).
#include "redrawn_lines.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "messages.hpp"
#include "text/text_table.hpp"

namespace gadwall::app {

std::size_t redrawable_lines(const TerminalSize& size) {
  return std::max<std::size_t>(size.rows, 2) - 1;
}

void RedrawnLines::show(const std::vector<std::string>& lines, const TerminalSize& size) {
  std::string text = back_to_first(size.columns);
  widths_.clear();
  const std::size_t count = std::min(lines.size(), redrawable_lines(size));
  for (std::size_t i = 0; i < count; ++i) {
    // A full last column makes some terminals wrap.
    const std::string line = cut_end(lines[i], size.columns > 1 ? size.columns - 1 : 1);
    text += "\033[2K" + line + "\n";
    widths_.push_back(display_width(line));
  }
  tell(text + "\033[J");
}

void RedrawnLines::wipe() {
  if (widths_.empty()) return;
  tell(back_to_first(terminal_size(STDERR_FILENO).columns) + "\033[J");
  widths_.clear();
}

/// A terminal that has become narrower has broken our lines into several.
std::string RedrawnLines::back_to_first(std::size_t columns) const {
  std::size_t up = 0;
  for (const std::size_t width : widths_) {
    up += std::max<std::size_t>(1, (width + columns - 1) / columns);
  }
  return up > 0 ? fmt::format("\033[{}A\r", up) : "";
}

}  // namespace gadwall::app
