// Stan's warm-up schedule: a fast stretch, slow windows that double in length, a fast stretch.
// The metric is learnt from the draws of each slow window; the step size all along.
#pragma once

#include <vector>

#include "gadwall/options.hpp"
#include "gadwall/types.hpp"

namespace gadwall {

struct WindowOptions {
  Index start = 75;  // before the first window: reach the bulk
  Index base = 25;   // length of the first window
  Index end = 50;    // after the last: the final step size

  void describe(OptionFields& o) {
    o("window-start", start, "warm-up iterations before the first window", between(0, 1e9));
    o("window-base", base, "length of the first window", between(1, 1e9));
    o("window-end", end, "warm-up iterations after the last window", between(0, 1e9));
  }
};

struct Window {
  Index first, last;  // iterations
};

class WarmupWindows {
 public:
  /// A warm-up too short for start + base + end is split 15 % / 75 % / 10 %, and below 20
  /// iterations has no window at all.
  WarmupWindows(WindowOptions options, Index warmup);

  bool in_window(Index iteration) const;
  bool ends_window(Index iteration) const;

  /// The one that an iteration is in.
  Window window_at(Index iteration) const;

 private:
  Index first_ = 0;           // first iteration of the first window
  std::vector<Index> lasts_;  // last iteration of each window
};

}  // namespace gadwall
