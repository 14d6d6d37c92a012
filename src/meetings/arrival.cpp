#include "meetings/arrival.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "adapters/score_metric.hpp"
#include "meetings/gather.hpp"

namespace gadwall {
namespace {

constexpr Index kLevelSpan = 8;  // iterations over which a lane's log density is averaged

double level_of(const Points& points) {
  const Index span = std::min(kLevelSpan, points.iterations());
  return span == 0 ? 0 : points.logp().tail(span).mean();
}

/// Below it a lane is lost: a Gaussian's log density has the standard deviation sqrt(n / 2).
double lowest_level(std::vector<double> levels, Index n) {
  const auto middle = levels.begin() + static_cast<std::ptrdiff_t>(levels.size() / 2);
  std::ranges::nth_element(levels, middle);
  return *middle - std::max(20.0, 2 * static_cast<double>(n));
}

/// Waiting lanes go on from states that the first one passed, further back one after the other.
void wake_waiting(Member& member) {
  const Points& passed = adapter_of<AloneAdapter>(member).points();
  for (Index k = 1; k < member.state.lanes(); ++k) {
    const Index column = std::max<Index>(0, passed.iterations() - 1 - k * kLevelSpan);
    member.state.x.col(k) = passed.x().col(column);
    member.state.grad.col(k) = passed.scores().col(column);
    member.state.logp[k] = passed.logp()[column];
  }
  member.state.whitened_version = 0;
}

}  // namespace

bool Arrival::hold(std::span<Member> mine, Team& team) {
  std::vector<double> arrived;
  for (Member& member : mine) {
    arrived.push_back(adapter_of<AloneAdapter>(member).has_arrived() ? 1 : 0);
  }
  arrived = gather_by_batch(std::move(arrived), team);
  const double count = std::accumulate(arrived.begin(), arrived.end(), 0.0);
  return count >= options_.share * static_cast<double>(arrived.size());
}

void Arrival::finish(std::span<Member> mine, Team& team) {
  std::vector<double> levels;
  std::vector<double> chains;
  std::vector<Points> recent;
  for (Member& member : mine) {
    const Points& points = adapter_of<AloneAdapter>(member).points();
    levels.push_back(level_of(points));
    chains.push_back(static_cast<double>(member.first_chain));
    recent.push_back(points);
    recent.back().keep_last(points.iterations() / 2);
    wake_waiting(member);
  }
  levels = gather_by_batch(std::move(levels), team);
  chains = gather_by_batch(std::move(chains), team);
  recent = gather_values(std::move(recent), team);

  const double lowest = lowest_level(levels, mine.front().state.dim());
  std::vector<Points> good;
  std::vector<Index> good_chains;
  for (std::size_t b = 0; b < levels.size(); ++b) {
    if (levels[b] < lowest) continue;
    good.push_back(recent[b]);
    good_chains.push_back(static_cast<Index>(chains[b]));
  }
  const Index walkers = static_cast<Index>(levels.size());
  const Index lanes = mine.front().state.lanes();
  for (Index b = 0; b < walkers; ++b) {
    if (levels[static_cast<std::size_t>(b)] >= lowest) continue;
    const Index from = good_chains[static_cast<std::size_t>(b) % good_chains.size()];
    const auto lost = static_cast<Index>(chains[static_cast<std::size_t>(b)]);
    for (Index k = 0; k < lanes; ++k) copy_lane(from + k, lost + k, mine, team);
  }

  std::vector<double> logs;
  for (const Member& member : mine) logs.push_back(std::log(member.tuning.step));
  logs = gather_by_batch(std::move(logs), team);
  const double step =
      std::exp(std::accumulate(logs.begin(), logs.end(), 0.0) / static_cast<double>(logs.size()));
  const GatheredPoints all(good);
  const Vector before = Vector::Ones(all.x.rows());
  const Factor metric = Factor::diagonal(score_scales(all.x, all.scores, before));
  for (Member& member : mine) {
    member.tuning.change_factor() = metric;
    member.tuning.step = step;
  }
}

}  // namespace gadwall
