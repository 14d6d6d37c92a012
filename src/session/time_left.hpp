// How long a run will still take.
#pragma once

#include <string>

#include "gadwall/run.hpp"

namespace gadwall::session {

/// Warm-up and sampling have rates of their own; before there is a
/// draw, sampling is taken to go as warm-up does.
class TimeLeft {
 public:
  explicit TimeLeft(const RunPlan& plan) : plan_(plan) {}

  /// iteration: of the chain furthest behind; warmup: its length once it is over, else -1;
  /// ess: the worst so far, NaN where unknown.
  double estimate(Index iteration, Index warmup, double ess, double elapsed_seconds);

 private:
  const RunPlan& plan_;
  Index first_iteration_ = -1;  // seen: a resumed run does not begin at 0
  double first_seconds_ = 0;    // then
  double sampling_since_ = -1;  // seconds
  Index sampling_from_ = 0;     // iteration
};

/// "41 s", "10 min", "2.0 h", "?".
std::string time_text(double seconds);

}  // namespace gadwall::session
