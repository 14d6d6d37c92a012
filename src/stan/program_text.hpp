// Questions about the text of a Stan program; comments, strings and #include lines are left out.
#pragma once

#include <string>
#include <string_view>

namespace gadwall::stan {

/// Blanks in their place.
std::string without_asides(std::string_view program);

bool has_word(const std::string& program, std::string_view word);

/// Whether there is a data block that declares something.
bool has_data(const std::string& program);

}  // namespace gadwall::stan
