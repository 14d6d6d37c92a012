// What the standard streams are: terminals of some size, or files and pipes.
#pragma once

#include <cstddef>
#include <optional>

#include "gadwall/summary.hpp"

namespace gadwall::app {

struct TerminalSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
};

/// Of the terminal behind a file descriptor. Where it does not say: COLUMNS and LINES, then 80
/// x 24.
TerminalSize terminal_size(int file);

/// On a terminal: its width (COLUMNS where it does not say), the trace, colour unless NO_COLOR is
/// set or TERM is dumb, and without `rows` as many rows as fit. Elsewhere, and under Open MPI's
/// mpirun, plain, all rows.
TableStyle table_style(std::optional<Index> rows, std::size_t parameters);

}  // namespace gadwall::app
