// A run: B batches of K lanes, warm-up then sampling, into a sink.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gadwall/catalog.hpp"
#include "gadwall/draws.hpp"
#include "gadwall/options.hpp"
#include "gadwall/run_options.hpp"
#include "gadwall/target.hpp"
#include "gadwall/tuning.hpp"

namespace gadwall {

struct Summary;

/// Takes what the chains produce. Calls for one chain come from one thread at a time and in order;
/// different chains may call at the same time.
class Sink {
 public:
  virtual ~Sink() = default;

  /// Warm-up of this chain (0, 1, ...) is over; the tuning stays as it is.
  virtual void begin_sampling(Index chain, const Tuning& tuning) = 0;

  virtual void write(Index chain, const DrawStatistics& statistics, ConstVectorRef values) = 0;

  /// A state of warm-up; only when RunOptions::save_warmup is set.
  virtual void write_warmup(Index, const DrawStatistics&, ConstVectorRef) {}

  /// What was written must survive a kill from here on. No chain is at work.
  virtual void flush() {}

  /// The draws so far, for a run that stops on their quality. No chain is at work.
  virtual Draws so_far();

  /// What was found of them: whoever wants to say it again need not compute it.
  virtual void summarised(const Summary&) {}
};

/// Where a chain is. Written by the run, read by whoever shows progress.
struct ChainProgress {
  std::atomic<Index> iteration{0};           // done so far, warm-up included
  std::atomic<double> acceptance{0};         // mean over the present phase
  std::atomic<double> log_density{0};        // of the present state
  std::atomic<double> first_log_density{0};  // of the start
  std::atomic<Index> moved_at{0};            // the last iteration whose proposal was accepted
  std::atomic<Index> divergences{0};         // after warm-up
  std::atomic<double> step{0};               // of the tuning
  std::atomic<double> log_determinant{0};    // log |L|
  std::atomic<Index> gradients{0};           // share of this chain, warm-up included
};

struct Monitor {
  explicit Monitor(Index chains) : chain(static_cast<std::size_t>(chains)) {}

  std::vector<ChainProgress> chain;
  std::atomic<Index> stage{0};        // of RunPlan::stages
  std::atomic<Index> stage_begin{0};  // iteration at which it began
  std::atomic<Index> warmup{-1};      // its length, once it is over; -1 before
  std::atomic<bool> stop{false};      // set it to end the run after the present iteration
};

/// How many chains a run will have.
Index planned_chains(const RunOptions& run, const SamplerRow& sampler);

/// A run that is fully specified. Checks itself: UsageError where something does not fit. What is
/// not said comes from the target's suggestions, then from the sampler.
struct RunPlan {
  RunPlan(std::shared_ptr<const Target> target, const SamplerRow& sampler, const Settings& settings,
          const RunOptions& run);

  /// Of the values that are kept.
  std::vector<std::string> output_names() const;

  /// What is known of the run before it begins.
  PlannedFacts facts() const;

  /// The target's, in the groups that the run asks for.
  TargetData data() const;

  std::shared_ptr<const Target> target;
  const SamplerRow* sampler;
  Settings settings;  // of all options of the sampler
  RunOptions run;     // nothing in it is left to the sampler any more
  Index warmup;
  Index draws;
  StartPart start;
  std::vector<Stage> stages;
  std::vector<Statistic> statistics;  // of a draw: common_statistics, then those of the kernels
};

/// One process of a run that several shared.
struct RankFacts {
  std::string name;     // Team::name_of
  double working = 0;   // seconds
  double waited = 0;    // for slower ones
  int waited_for = -1;  // the rank that it waited for longest; -1: none
};

/// How several processes shared a run; no ranks where there was one.
struct TeamFacts {
  std::vector<RankFacts> ranks;
  double meetings = 0;  // seconds of the first process in meetings
  double rests = 0;     // likewise, for all else that crosses: draws, progress, decisions
};

/// What a run leaves behind beside the draws.
struct RunOutcome {
  RunFacts facts;                     // of the whole run; the labels are the caller's to fill
  std::vector<MeasuredFacts> chains;  // costs of each chain (lanes share theirs evenly)
  std::vector<Learnt> learnt;         // by batch
  bool interrupted = false;
  std::uint64_t exceptions = 0;               // points at which the target threw
  std::vector<std::string> first_exceptions;  // a few of its messages
  TeamFacts team;
};

/// How many rows of a chain are in the sink when a checkpoint is made.
struct RowsKept {
  Index warmup = 0;
  Index draws = 0;
};

/// A run at rest, as a checkpoint keeps it.
struct RunState {
  /// Passes the state on piece by piece: it can be as large as what the run holds in memory.
  std::function<void(const std::function<void(std::string_view)>& take)> write;
  RowsKept rows;
  std::string stopped_by;  // as in RunFacts; empty while the run goes

  std::string bytes() const;  // all pieces
};

/// Makes a run restartable.
struct Restart {
  std::string state;  // RunState::bytes() of the run to go on with; empty: a new run
  /// Takes the state of the run; the sink has been flushed. Called at the beginning, every period,
  /// and at the end, whatever it came from but a failure. Empty: no checkpoints.
  std::function<void(const RunState& state)> save;
  double period_seconds = 60;
};

/// RunError where no chain finds a start with a finite density.
RunOutcome run(const RunPlan& plan, Sink& sink, Monitor& monitor, const Restart& restart = {});

/// Into how many processes it can be cut: no batch of any stage is cut.
int most_processes(const RunPlan& plan);

/// Shared with other processes, not more than most_processes, which all call it with the same plan.
/// Draws are those of one process, to the last bit. The first has the sink, the restart, and in the
/// end the whole outcome; those of the others are not used, and their outcome is what concerns all.
/// Monitor::stop of any of them stops the run.
RunOutcome run(const RunPlan& plan, Sink& sink, Monitor& monitor, const Restart& restart,
               Team& team);

}  // namespace gadwall
