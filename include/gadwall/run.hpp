// A run: B batches of K lanes, warm-up then sampling, into a sink.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "gadwall/catalog.hpp"
#include "gadwall/draws.hpp"
#include "gadwall/options.hpp"
#include "gadwall/target.hpp"
#include "gadwall/tuning.hpp"

namespace gadwall {

/// Takes what the chains produce. Calls for one chain come from one thread at a time and in order;
/// different chains may call at the same time.
class Sink {
 public:
  virtual ~Sink() = default;

  /// Warm-up of this chain (0, 1, ...) is over; the tuning stays as it is.
  virtual void begin_sampling(Index chain, const Tuning& tuning) = 0;

  virtual void write(Index chain, const DrawStatistics& statistics, ConstVectorRef x) = 0;
};

/// Where a chain is. Written by the run, read by whoever shows progress.
struct ChainProgress {
  std::atomic<Index> iteration{0};    // done so far, warm-up included
  std::atomic<double> acceptance{0};  // mean over the present phase
};

struct Monitor {
  explicit Monitor(Index chains) : chain(static_cast<std::size_t>(chains)) {}

  std::vector<ChainProgress> chain;
  std::atomic<bool> stop{false};  // set it to end the run after the present iteration
};

/// A run that is fully specified. Checks itself: UsageError where something does not fit.
struct RunPlan {
  RunPlan(std::shared_ptr<const Target> target, const SamplerRow& sampler,
          const SamplerOptions& options, const RunOptions& run);

  std::shared_ptr<const Target> target;
  const SamplerRow* sampler;
  SamplerOptions options;
  RunOptions run;
  Index warmup;
  Index draws;
};

/// What a run leaves behind beside the draws.
struct RunOutcome {
  RunFacts facts;                // of the whole run; target's name is the caller's to fill
  std::vector<RunFacts> chains;  // costs of each chain (lanes share theirs evenly)
  std::vector<Tuning> tuning;    // one a batch: what was learnt
  bool interrupted = false;
  std::string first_exception;  // the first message of a target that threw, else empty
};

/// RunError where no chain finds a start with a finite density.
RunOutcome run(const RunPlan& plan, Sink& sink, Monitor& monitor);

}  // namespace gadwall
