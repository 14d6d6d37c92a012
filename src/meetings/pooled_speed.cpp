#include "meetings/pooled_speed.hpp"

#include "meetings/gather.hpp"

namespace gadwall {
namespace {

/// An archive inside another.
struct Packed {
  std::string bytes;
  void archive(Archive& a) { a("bytes", bytes); }
};

}  // namespace

PooledSpeed::PooledSpeed(const SpeedMeasureOptions& options,
                         std::optional<SettlingOptions> settling)
    : options_(options), ascent_(options) {
  if (settling) settling_.emplace(*settling);
}

bool PooledSpeed::hold(std::span<Member> mine, Team& team) {
  std::vector<SpeedGradient> gradients;
  for (Member& member : mine) {
    gradients.push_back(adapter_of<SpeedMeasureAdapter>(member).gradient());
  }
  gradients = gather_values(std::move(gradients), team);
  const bool is_first = !begun_;
  if (is_first) begin(mine, team);
  Factor& L = mine.front().tuning.change_factor();
  if (!is_first || !options_.relative) ascent_.ascend(SpeedGradient::mean(gradients), L);
  const Index done = mine.front().iterations;
  if (done == options_.seed_at && L.kind() == Metric::low_rank) seed(mine, team);
  for (Member& member : mine) {
    if (&member != &mine.front()) member.tuning.change_factor() = L;
    adapter_of<SpeedMeasureAdapter>(member).follow(ascent_.beta());
  }
  return settling_ && settling_->next(done - 1) == done && settling_->hold(mine, team);
}

/// All go on with the L of the first batch: scouts may have found different ones.
void PooledSpeed::begin(std::span<Member> mine, Team& team) {
  Tuning& tuning = mine.front().tuning;
  Archive saved;
  saved("factor", tuning.change_factor());
  const std::vector<Packed> first = gather_values(std::vector<Packed>{{saved.bytes()}}, team);
  Archive given(first.front().bytes);
  given("factor", tuning.change_factor());
  ascent_.start({}, tuning);
  begun_ = true;
}

void PooledSpeed::seed(std::span<Member> mine, Team& team) {
  std::vector<Points> batches;
  for (Member& member : mine) {
    batches.push_back(adapter_of<SpeedMeasureAdapter>(member).take_points());
  }
  const GatheredPoints all(gather_values(std::move(batches), team));
  ascent_.seed(all.x, all.scores, {}, mine.front().tuning.change_factor());
}

void PooledSpeed::finish(std::span<Member> mine, Team&) {
  if (!begun_ || !options_.rescale) return;
  for (Member& member : mine) ascent_.rescale(member.tuning);
}

std::vector<Note> PooledSpeed::findings() const {
  return settling_ ? settling_->findings() : std::vector<Note>();
}

void PooledSpeed::archive(Archive& a) {
  a("begun", begun_);
  a("ascent", ascent_);
  if (settling_) a("settling", *settling_);
}

}  // namespace gadwall
