// How a run is doing, on stderr while it goes: on a terminal one line a chain, redrawn in place;
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

/// "chain 1   sampling      123 / 2000     accept 0.55  log|L| -3.1   12.3k grad/s"
std::string chain_line(Index chain, const ChainProgress& progress, const RunPlan& plan,
                       Index warmup, double gradients_per_second);

/// "warm-up (scout)": the present stage of RunPlan::stages, where it has a name of its own.
std::string warmup_text(const RunPlan& plan, Index stage);

}  // namespace gadwall::app
