// The value that most numbers have.
#pragma once

namespace gadwall {

/// The only value that more than half of the numbers can have (Boyer and Moore's vote).
double majority_candidate(const auto& numbers) {
  double candidate = 0;
  long lead = 0;
  for (const double number : numbers) {
    if (lead == 0) candidate = number;
    lead += number == candidate ? 1 : -1;
  }
  return candidate;
}

}  // namespace gadwall
