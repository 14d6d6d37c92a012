#include "run/rendezvous.hpp"

#include <algorithm>

#include "meetings/gather.hpp"

namespace gadwall {

void RestWord::archive(Archive& a) {
  a("stop", stop);
  a("working", working);
  a("out of time", out_of_time);
  a("save is due", save_is_due);
}

Rendezvous::Rendezvous(Team& team, Index longest)
    : team_(team),
      longest_(longest),
      ranks_(static_cast<std::size_t>(team.size())),
      waited_(ranks_.size(), std::vector<double>(ranks_.size(), 0)) {
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    ranks_[r].name = team.name_of(static_cast<int>(r));
  }
}

RestDecision Rendezvous::hold(RestWord mine, Index iterations) {
  std::vector<RestWord> words = gather_values(std::vector<RestWord>{mine}, team_);
  RestDecision decision;
  decision.stop = std::ranges::any_of(words, &RestWord::stop);
  decision.out_of_time = words.front().out_of_time;
  decision.save_is_due = words.front().save_is_due;
  count_waiting(words);
  choose_leg(std::ranges::max_element(words, {}, &RestWord::working)->working, iterations);
  return decision;
}

/// The same in every process, since all have the same words.
void Rendezvous::choose_leg(double slowest, Index iterations) {
  constexpr double kSeconds = 0.5;
  constexpr double kMostGrowth = 2;
  if (iterations == 0) return;
  const double wanted =
      static_cast<double>(iterations) * std::min(kMostGrowth, kSeconds / std::max(slowest, 1e-6));
  leg_ = std::clamp<Index>(static_cast<Index>(wanted), 1, longest_);
}

void Rendezvous::count_waiting(const std::vector<RestWord>& words) {
  const auto slowest = std::ranges::max_element(words, {}, &RestWord::working);
  const auto last = static_cast<std::size_t>(slowest - words.begin());
  for (std::size_t r = 0; r < words.size(); ++r) {
    ranks_[r].working += words[r].working;
    ranks_[r].waited += slowest->working - words[r].working;
    waited_[r][last] += slowest->working - words[r].working;
  }
}

std::vector<RankFacts> Rendezvous::ranks() const {
  std::vector<RankFacts> facts = ranks_;
  for (std::size_t r = 0; r < facts.size(); ++r) {
    const auto most = std::ranges::max_element(waited_[r]);
    if (*most > 0) facts[r].waited_for = static_cast<int>(most - waited_[r].begin());
  }
  return facts;
}

}  // namespace gadwall
