// How a run is doing, on stderr while it goes: on a terminal the live view, redrawn in place;
// elsewhere a plain line every ten seconds. Warnings come in between.
#pragma once

#include <string>
#include <thread>

#include "gadwall/run.hpp"
#include "live_estimates.hpp"

namespace gadwall::app {

class Progress {
 public:
  /// Nothing without estimates.
  Progress(const Monitor& monitor, const RunPlan& plan, const LiveEstimates* estimates);
  ~Progress();  // wipes the lines
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  std::jthread painter_;
};

/// How long a run will still take. Warm-up and sampling have rates of their own; before there is a
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

std::string time_text(double seconds);

}  // namespace gadwall::app
