// A meeting: all batches of a run stand at the same iteration, and what they have learnt alone is
// brought together.
#pragma once

#include <span>
#include <vector>

#include "gadwall/adapter.hpp"
#include "gadwall/team.hpp"

namespace gadwall {

/// One batch at a meeting. What it may change: the tuning and, by copy_lane, the lanes.
struct Member {
  Index first_chain;
  Index iterations;   // of this stage, done so far
  double accept_sum;  // over them, of the mean acceptance of the lanes
  Adapter* adapter;   // null in a stage that does not learn
  Tuning& tuning;
  State& state;
  Evaluator& density;
};

/// Belongs to a stage. Merges strictly in the order of the batches, so that neither threads nor
/// processes change a draw.
class Meeting {
 public:
  virtual ~Meeting() = default;

  /// The iteration of the stage at which to meet next, beyond `done`.
  virtual Index next(Index done) const = 0;

  /// mine: the batches of this process, in order. True: the stage is over.
  virtual bool hold(std::span<Member> mine, Team& team) = 0;

  /// The stage ends here, after the adapters have finished.
  virtual void finish(std::span<Member>, Team&) {}

  /// What it has found so far, for the record of its stage (StageFacts::notes): the same in every
  /// process. Asked for when the stage ends and when the run does.
  virtual std::vector<Note> findings() const { return {}; }

  /// Names everything that evolves.
  virtual void archive(Archive&) {}
};

/// True where it is so for the members of every process.
bool all_agree(bool mine, Team& team);

/// One number per batch from every process, in the order of the batches: what is summed from them
/// does not depend on how the batches are shared out.
std::vector<double> gather_by_batch(std::vector<double> mine, Team& team);

/// Chain `to` goes on from the state of chain `from`, wherever the two are. Chains count from 0
/// over all members.
void copy_lane(Index from, Index to, std::span<Member> mine, Team& team);

}  // namespace gadwall
