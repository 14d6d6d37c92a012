// A stage: a stretch of a run with one kernel and one adapter. A run is a list of stages; the draws
// of the last are kept.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gadwall/adapter.hpp"
#include "gadwall/kernel.hpp"
#include "gadwall/meeting.hpp"

namespace gadwall {

/// What a sampler puts its stages together for.
struct Circumstances {
  Index dim = 0;
  Index chains = 0;
  Index lanes = 1;        // of a batch, as asked for
  Index warmup = 0;       // iterations before the kept draws, at most
  Index iterations = 0;   // of the kept draws, with those that thinning leaves out
  bool settles = false;   // warm-up may end when what is learnt has settled
  bool is_tuned = false;  // a tuning to begin with was given
};

struct Stage {
  std::string name;     // shown while the run goes, kept in its record
  Index most = 0;       // iterations; a meeting may end the stage before
  Index lanes = 1;      // of a batch; divides the chains
  bool climbs = false;  // as the first stage: lanes are taken out of the far tail before it

  std::function<std::unique_ptr<Kernel>()> kernel = {};
  std::function<std::unique_ptr<Adapter>()> adapter = {};  // empty: nothing is learnt
  std::function<std::unique_ptr<Meeting>()> meeting = {};  // empty: the batches stay alone

  /// The tuning to begin with, from those that the batches now in this one had found. Empty: the
  /// same, or the mean of several. Not asked of the first stage.
  std::function<Tuning(std::span<const Tuning* const> found)> hand_over = {};
};

}  // namespace gadwall
