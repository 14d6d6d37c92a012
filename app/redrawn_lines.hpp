// Lines on stderr that are drawn anew in place while something goes on.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "terminal.hpp"

namespace gadwall::app {

/// How many lines of a terminal can be redrawn: the cursor stands on the row below them, and what
/// has scrolled away is out of reach.
std::size_t redrawable_lines(const TerminalSize& size);

class RedrawnLines {
 public:
  /// Lines too wide are cut, those that there is no row for are left out.
  void show(const std::vector<std::string>& lines, const TerminalSize& size);
  void wipe();

 private:
  std::string back_to_first(std::size_t columns) const;

  std::vector<std::size_t> widths_;  // of the lines on the terminal
};

}  // namespace gadwall::app
