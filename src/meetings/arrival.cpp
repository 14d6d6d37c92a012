#include "meetings/arrival.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "adapters/score_metric.hpp"
#include "meetings/gather.hpp"
#include "meetings/shared_acceptance.hpp"

namespace gadwall {
namespace {

constexpr Index kLevelSpan = 8;  // iterations over which a lane's log density is averaged

double level_of(const Points& points) {
  const Index span = std::min(kLevelSpan, points.iterations());
  return span == 0 ? 0 : points.logp().tail(span).mean();
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
  std::vector<double> levels, chains, log_steps;
  std::vector<Points> recent;
  for (Member& member : mine) {
    const Points& points = adapter_of<AloneAdapter>(member).points();
    levels.push_back(level_of(points));
    chains.push_back(static_cast<double>(member.first_chain));
    log_steps.push_back(std::log(member.tuning.step));
    if (is_pooled(member)) {
      recent.push_back(points);
      recent.back().keep_last(points.iterations() / 2);
    }
    wake_waiting(member);
  }
  levels = gather_by_batch(std::move(levels), team);
  chains = gather_by_batch(std::move(chains), team);
  recent = gather_values(std::move(recent), team);

  const double lowest = lowest_level(levels, mine.front().state.dim());
  std::vector<Points> of_good;
  std::vector<Index> good, lost;
  for (std::size_t b = 0; b < levels.size(); ++b) {
    const bool is_lost = levels[b] < lowest;
    (is_lost ? lost : good).push_back(static_cast<Index>(chains[b]));
    if (!is_lost && b < recent.size()) of_good.push_back(recent[b]);
  }
  if (of_good.empty()) of_good = recent;  // the good ones are beyond those that are pooled
  for (Index k = 0; k < mine.front().state.lanes(); ++k) {
    const auto lane = [k](const std::vector<Index>& firsts) {
      std::vector<Index> lanes = firsts;
      for (Index& chain : lanes) chain += k;
      return lanes;
    };
    replace_lost(lane(good), lane(lost), mine, team);
  }
  walkers_ = static_cast<Index>(levels.size());
  replaced_.assign(lost.begin(), lost.end());

  const double step = std::exp(mean_over_batches(std::move(log_steps), team));
  const GatheredPoints all(of_good);
  const Vector before = Vector::Ones(all.x.rows());
  const Factor metric = Factor::diagonal(score_scales(all.x, all.scores, before));
  for (Member& member : mine) {
    member.tuning.change_factor() = metric;
    member.tuning.step = step;
  }
}

std::vector<Note> Arrival::findings() const {
  std::vector<Note> notes = {{"lanes that looked for the bulk", static_cast<double>(walkers_)},
                             {"lost and replaced", static_cast<double>(replaced_.size())}};
  for (const std::int64_t chain : replaced_) {
    notes.push_back({"replaced chain", static_cast<double>(chain + 1)});
  }
  return notes;
}

void Arrival::archive(Archive& a) {
  a("walkers", walkers_);
  a("replaced", replaced_);
}

}  // namespace gadwall
