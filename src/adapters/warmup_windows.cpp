#include "adapters/warmup_windows.hpp"

#include <algorithm>

namespace gadwall {

WarmupWindows::WarmupWindows(WindowOptions options, Index warmup) {
  if (warmup < 20) return;
  if (options.start + options.base + options.end > warmup) {
    options.start = static_cast<Index>(0.15 * static_cast<double>(warmup));
    options.end = static_cast<Index>(0.1 * static_cast<double>(warmup));
    options.base = warmup - options.start - options.end;
  }
  first_ = options.start;
  const Index stop = warmup - options.end;  // one past the last window
  Index length = options.base;
  for (Index begin = first_; begin < stop; length *= 2) {
    // A window whose successor, twice as long, would not fit takes all that is left.
    const Index end = begin + 3 * length > stop ? stop : begin + length;
    lasts_.push_back(end - 1);
    begin = end;
  }
}

bool WarmupWindows::in_window(Index iteration) const {
  return !lasts_.empty() && iteration >= first_ && iteration <= lasts_.back();
}

bool WarmupWindows::ends_window(Index iteration) const {
  return std::find(lasts_.begin(), lasts_.end(), iteration) != lasts_.end();
}

Window WarmupWindows::window_at(Index iteration) const {
  const auto last = std::lower_bound(lasts_.begin(), lasts_.end(), iteration);
  return {last == lasts_.begin() ? first_ : *(last - 1) + 1, *last};
}

}  // namespace gadwall
