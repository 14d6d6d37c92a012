// The mean acceptance of all lanes of a run, from meeting to meeting.
#pragma once

#include <span>
#include <vector>

#include "gadwall/meeting.hpp"

namespace gadwall {

class SharedAcceptance {
 public:
  /// Over the iterations of the stage since the last call. All batches have as many lanes, so that
  /// the mean over batches is the mean over lanes.
  double since_last(std::span<Member> mine, Team& team);

  void archive(Archive& a);

 private:
  Index looked_at_ = 0;       // iteration of the stage
  std::vector<double> sums_;  // of all batches, then
};

/// The mean over all batches of a number that each of them has.
double mean_over_batches(std::vector<double> mine, Team& team);

}  // namespace gadwall
