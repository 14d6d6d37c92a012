// Which chains of which seeds a file holds, as text: "1:0-3 7:4-7".
#pragma once

#include <string>
#include <vector>

#include "gadwall/draws.hpp"

namespace gadwall::files {

/// Seed, first and last chain of each range.
std::string to_text(const std::vector<ChainRange>& ranges);

/// Nothing where the text is not of that form.
std::vector<ChainRange> ranges_from_text(const std::string& text);

}  // namespace gadwall::files
