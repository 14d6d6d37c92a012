#include "gadwall/meeting.hpp"

#include <algorithm>

#include "gadwall/error.hpp"

namespace gadwall {
namespace {

/// Null where the chain is another process's.
Member* holder_of(Index chain, std::span<Member> members) {
  const auto found = std::ranges::find_if(members, [chain](const Member& m) {
    return m.first_chain <= chain && chain < m.first_chain + m.state.lanes();
  });
  return found == members.end() ? nullptr : &*found;
}

/// A lane without what depends on its batch's L.
struct LanePoint {
  Vector x;
  double logp = 0;
  Vector grad;

  void archive(Archive& a) {
    a("x", x);
    a("log density", logp);
    a("gradient", grad);
  }
};

}  // namespace

bool all_agree(bool mine, Team& team) {
  const std::vector<std::string> answers = team.gather_all(mine ? "yes" : "no");
  return std::ranges::all_of(answers, [](const std::string& answer) { return answer == "yes"; });
}

std::vector<double> gather_by_batch(std::vector<double> mine, Team& team) {
  Archive saved;
  saved("numbers", mine);
  std::vector<double> all;
  for (const std::string& bytes : team.gather_all(saved.bytes())) {
    std::vector<double> numbers;
    Archive given(bytes);
    given("numbers", numbers);
    all.insert(all.end(), numbers.begin(), numbers.end());
  }
  return all;
}

void copy_lane(Index from, Index to, std::span<Member> mine, Team& team) {
  std::string bytes;
  if (const Member* source = holder_of(from, mine)) {
    const Index k = from - source->first_chain;
    LanePoint point{source->state.x.col(k), source->state.logp[k], source->state.grad.col(k)};
    Archive saved;
    point.archive(saved);
    bytes = saved.bytes();
  }
  const std::vector<std::string> all = team.gather_all(std::move(bytes));
  Member* target = holder_of(to, mine);
  if (target == nullptr) return;
  const auto given = std::ranges::find_if(all, [](const std::string& b) { return !b.empty(); });
  if (given == all.end()) throw RunError("there is no chain to copy");
  LanePoint point;
  Archive saved(*given);
  point.archive(saved);
  const Index k = to - target->first_chain;
  target->state.x.col(k) = point.x;
  target->state.logp[k] = point.logp;
  target->state.grad.col(k) = point.grad;
  target->state.whitened_version = 0;  // the kept products of this lane are another's
}

}  // namespace gadwall
