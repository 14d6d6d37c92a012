// Lines on stderr for the user.
#pragma once

#include <string>
#include <vector>

namespace gadwall::app {

void warn(const std::vector<std::string>& warnings);

}  // namespace gadwall::app
