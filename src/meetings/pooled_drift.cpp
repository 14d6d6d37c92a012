#include "meetings/pooled_drift.hpp"

#include "meetings/gather.hpp"

namespace gadwall {

/// The ends of windows; after the last one, never.
Index PooledDrift::next(Index done) const {
  for (Index end = done + 1; end <= options_.iterations; ++end) {
    if (windows_.ends_window(end - 1)) return end;
  }
  return options_.iterations + 1;
}

bool PooledDrift::hold(std::span<Member> mine, Team& team) {
  const Factor before = mine.front().tuning.factor();
  std::vector<Points> batches;
  for (Member& member : mine) {
    if (!is_pooled(member)) continue;
    batches.push_back(adapter_of<DriftAdapter>(member).points(before.dim()));
  }
  const GatheredPoints all(gather_values(std::move(batches), team));
  const std::optional<Factor> found = corrected_factor(options_, all.x, all.scores, before);
  for (Member& member : mine) adapter_of<DriftAdapter>(member).correct(found, member.tuning);
  return false;
}

}  // namespace gadwall
