// How a run is doing, on stderr while it goes: on a terminal the live view, redrawn in place;
// elsewhere a plain line every ten seconds. Warnings come in between.
#pragma once

#include <string>
#include <thread>

#include "gadwall/run.hpp"
#include "session/live_estimates.hpp"
#include "session/time_left.hpp"

namespace gadwall::app {

using namespace session;

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

/// "warm-up (scout)": the present stage of RunPlan::stages, where it has a name of its own.
std::string warmup_text(const RunPlan& plan, Index stage);

}  // namespace gadwall::app
