// One batch: K lanes in lockstep, with the tuning they share and the adapter they teach.
#pragma once

#include <memory>

#include "gadwall/run.hpp"
#include "run/adaptation_record.hpp"

namespace gadwall {

/// How far a batch goes in one call: to an iteration, for about so many seconds, or until one of
/// the flags is set.
struct Slice {
  Index until;
  double seconds;
  std::vector<const std::atomic<bool>*> halts;

  bool is_halted() const;
};

class Batch {
 public:
  Batch(const RunPlan& plan, Index index);

  /// Finds starting points; RunError where no density is finite.
  void start();

  void warm_up(const Slice& slice, Sink& sink, Monitor& monitor);
  void end_warmup();
  void begin_sampling(Sink& sink);
  void sample(const Slice& slice, Sink& sink, Monitor& monitor);

  Index iteration() const { return iteration_; }  // done so far, warm-up included
  const Tuning& tuning() const { return tuning_; }
  double accept_sum() const { return acceptance_sum_.mean(); }  // of the present phase
  const EvaluationTally& tally() const { return density_.tally(); }
  Learnt learnt() const;

  /// Costs of one lane: those of the batch divided evenly.
  RunFacts lane_facts(Index lane) const;

  /// Everything that evolves.
  void archive(Archive& a);

  /// To the chains of this batch.
  void report(Monitor& monitor) const;

 private:
  void find_start(Index lane);
  void employ_scout();
  void employ_sampler();
  void end_scouting();
  bool is_scouting() const { return scouting_ > 0 && iteration_ <= scouting_; }
  void warm_up_once();
  void check_tuning() const;
  void sample_once();
  DrawStatistics statistics(Index lane) const;
  ConstVectorRef kept_values(Index lane);
  void count_transition();
  LaneNoise noise(Index iteration) const;

  const RunPlan& plan_;
  Index first_chain_;
  Index scouting_;  // iterations of the scout; kernel, adapter and tuning are its until the next
  std::unique_ptr<Kernel> kernel_;
  std::unique_ptr<Adapter> adapter_;
  Evaluator density_;
  Tuning tuning_;
  State now_;
  Transition transition_;
  AdaptationRecord record_;
  Index iteration_ = 0;
  Index phase_begin_ = 0;           // the iteration at which the present phase began
  Vector first_log_density_;        // of the starts, by lane
  Vector acceptance_sum_;           // of the present phase, by lane
  std::vector<Index> moved_at_;     // iteration of the last accepted proposal, by lane
  std::vector<Index> divergences_;  // after warm-up, by lane
  EvaluationTally warmup_tally_;    // at the end of warm-up
  Cost<double> seconds_;
  Vector output_, kept_;  // the values of a draw: all of them, and those that are saved
};

}  // namespace gadwall
