// What standard output is: a terminal of some size, or a file or pipe.
#pragma once

#include <cstddef>
#include <optional>

#include "gadwall/summary.hpp"

namespace gadwall::app {

/// On a terminal: its width (COLUMNS where it does not say), the trace, colour unless NO_COLOR is
/// set or TERM is dumb, and without `rows` as many rows as fit. Elsewhere plain, all rows.
TableStyle table_style(std::optional<Index> rows, std::size_t parameters);

}  // namespace gadwall::app
