// What meetings of `auto` ask of all batches of all processes, in the order of the batches.
#pragma once

#include <span>
#include <vector>

#include "adapters/points.hpp"
#include "gadwall/meeting.hpp"

namespace gadwall {

/// Values with an archive, one per batch of this process; those of all, the same for everybody.
template <class T>
std::vector<T> gather_values(std::vector<T> mine, Team& team) {
  if (team.size() == 1) return mine;
  Archive saved;
  auto count = static_cast<Index>(mine.size());
  saved("count", count);
  for (Index i = 0; i < count; ++i) {
    saved(std::to_string(i).c_str(), mine[static_cast<std::size_t>(i)]);
  }
  std::vector<T> all;
  for (const std::string& bytes : team.gather_all(saved.bytes())) {
    Archive given(bytes);
    given("count", count);
    for (Index i = 0; i < count; ++i) {
      given(std::to_string(i).c_str(), all.emplace_back());
    }
  }
  return all;
}

/// Metrics and lengths are learnt from the points and paths of the first so many chains. Those of
/// more bring little, and if all were sent, every process would get and go through more of them the
/// more processes there are.
constexpr Index kPooledChains = 128;
inline bool is_pooled(const Member& member) {
  return member.first_chain < kPooledChains;
}

/// The points of some batches side by side: one batch after the other.
struct GatheredPoints {
  explicit GatheredPoints(std::span<const Points> batches);

  Matrix x, scores;         // n x N
  Vector logp;              // N
  std::vector<Index> lane;  // of all lanes, of each column
  Index lanes = 0;
};

/// The largest over the coordinates of R-hat, each lane as a chain, without splitting.
double rhat_of_lanes(const GatheredPoints& points);

/// How linear the scores are in the draws (score_linearity), fitted to half of the lanes and judged
/// on the others; NaN where there are too few points to say.
double linearity_of_lanes(const GatheredPoints& points);

/// Below it a lane is lost: more than max(20, 2n) under the median of the lanes' mean log
/// densities. (That of a Gaussian has the standard deviation sqrt(n / 2).)
double lowest_level(std::vector<double> levels, Index n);

/// Each lost chain goes on from a copy of a good one, in turn.
void replace_lost(const std::vector<Index>& good, const std::vector<Index>& lost,
                  std::span<Member> mine, Team& team);

/// Gradients so far of all batches.
double gradients_of_all(std::span<Member> mine, Team& team);

/// The adapter of a member as the type that its stage gave it.
template <class A>
A& adapter_of(Member& member) {
  return dynamic_cast<A&>(*member.adapter);
}

}  // namespace gadwall
