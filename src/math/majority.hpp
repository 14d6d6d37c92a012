// Which value most numbers have, if one has.
#pragma once

#include <cstddef>

namespace gadwall {

/// The only value that more than half of the numbers can have (Boyer and Moore's vote).
double majority_candidate(const auto& numbers) {
  double candidate = 0;
  std::ptrdiff_t lead = 0;
  for (const double number : numbers) {
    if (lead == 0) candidate = number;
    lead += number == candidate ? 1 : -1;
  }
  return candidate;
}

}  // namespace gadwall
