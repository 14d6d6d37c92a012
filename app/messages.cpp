#include "messages.hpp"

#include <fmt/format.h>

namespace gadwall::app {

void warn(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) fmt::print(stderr, "gadwall: warning: {}\n", warning);
}

}  // namespace gadwall::app
