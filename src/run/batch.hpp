// One batch: K lanes in lockstep, with the tuning they share and the adapter they teach.
#pragma once

#include <memory>

#include "gadwall/run.hpp"

namespace gadwall {

class Batch {
 public:
  Batch(const RunPlan& plan, Index index);

  /// Goes on for about this long, or to the end, or until the monitor says stop. The first call
  /// finds starting points; RunError where no density is finite.
  void advance(double seconds, Sink& sink, Monitor& monitor);

  Index iteration() const { return iteration_; }
  bool done() const { return iteration_ == plan_.warmup + plan_.draws; }

  Index first_chain() const { return first_chain_; }
  const Tuning& tuning() const { return tuning_; }
  const EvaluationTally& tally() const { return density_.tally(); }

  /// Costs of one lane: those of the batch divided evenly.
  RunFacts lane_facts(Index lane) const;

 private:
  void start();
  void find_start(Index lane);
  void warm_up();
  void begin_sampling(Sink& sink);
  void sample(Sink& sink);
  void write(Sink& sink);
  void report(Monitor& monitor);
  LaneNoise noise(Index iteration) const;

  const RunPlan& plan_;
  Index first_chain_;
  std::unique_ptr<Kernel> kernel_;
  std::unique_ptr<Adapter> adapter_;
  Evaluator density_;
  Tuning tuning_;
  State now_;
  Transition transition_;
  Index iteration_ = 0;  // done so far, warm-up included
  bool started_ = false;
  bool sampling_ = false;         // the sink knows that warm-up is over
  Vector acceptance_sum_;         // of the present phase, by lane
  EvaluationTally warmup_tally_;  // at the end of warm-up
  Cost<double> seconds_;
  Vector divergences_;  // after warm-up, by lane
};

}  // namespace gadwall
