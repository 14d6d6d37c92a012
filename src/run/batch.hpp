// One batch: K lanes in lockstep, with the tuning they share and the adapter they teach.
#pragma once

#include <array>
#include <memory>
#include <thread>

#include "gadwall/run.hpp"
#include "gadwall/warp.hpp"
#include "run/adaptation_record.hpp"
#include "run/kept_values.hpp"

namespace gadwall {

/// How far a batch goes in one call: to an iteration, for about so many seconds, or until one of
/// the flags is set (null: there is none).
struct Slice {
  Index until;
  double seconds;
  std::array<const std::atomic<bool>*, 2> halts;

  bool is_halted() const;
};

/// What one lane has cost.
struct LaneCosts {
  Cost<double> seconds;
  Cost<std::uint64_t> gradients;
  Cost<std::uint64_t> densities;
  std::uint64_t bad_points = 0;

  void archive(Archive& a);
};

class Batch {
 public:
  /// Without a stage yet.
  Batch(const RunPlan& plan, Index first_chain, Index lanes);

  /// Finds starting points; RunError where no density is finite.
  void place(const Start& start);

  /// Takes over its lanes from batches of another size, all at the same iteration.
  void take_lanes(const std::vector<std::unique_ptr<Batch>>& others);

  /// From here on with the kernel and the adapter of this stage.
  void enter(const Stage& stage);

  /// What the stage would begin with by itself.
  Tuning first_tuning() const;

  /// A stage begins here, with this tuning; none: the one there is. teaches: whether its adapter
  /// is started, which may change the tuning.
  void begin(std::optional<Tuning> tuning, bool teaches);

  /// Placing and beginning end with Interrupted where this is true; empty: they do not.
  void stop_when(std::function<bool()> stop) { density_.stop_when(std::move(stop)); }

  /// The end of a stage that learns.
  void finish_learning();

  /// Where this thread was the last to move it: the higher the later, among the batches it moves;
  /// else 0.
  std::uint64_t moved_here() const {
    return moved_by_ == std::this_thread::get_id() ? moved_last_ : 0;
  }

  void warm_up(const Slice& slice, Sink& sink, Monitor& monitor);
  void sample(const Slice& slice, Sink& sink, Monitor& monitor);

  Index iteration() const { return iteration_; }  // done so far, warm-up included
  Index first_chain() const { return first_chain_; }
  Index lanes() const { return now_.lanes(); }
  const Tuning& tuning() const { return tuning_; }
  const EvaluationTally& tally() const { return density_.tally(); }
  Learnt learnt() const;
  Member member();

  /// Of this lane alone, where lanes share the cost of their batch evenly.
  MeasuredFacts lane_facts(Index lane) const;

  /// Everything that evolves.
  void archive(Archive& a);

  /// To the chains of this batch. Moving it does so every few milliseconds.
  void report(Monitor& monitor);

 private:
  void warm_up_once();
  void check_tuning() const;
  Wants wants() const;
  void refresh_gradient();
  void sample_once();
  void look_at_model();
  void note_mover();
  void spend(double seconds, bool warming, Monitor& monitor);
  DrawStatistics statistics(Index lane);
  NamedNumbers recorded() const;
  ConstVectorRef kept_values(Index lane);
  void count_transition();
  LaneNoise noise(Index iteration) const;
  const Vector& model_log_density() const;
  LaneCosts costs(Index lane) const;

  const RunPlan& plan_;
  Index first_chain_;
  std::string stage_name_;
  std::unique_ptr<Kernel> kernel_;
  std::unique_ptr<Adapter> adapter_;  // null in a stage that does not learn
  Evaluator density_;
  Tuning tuning_;
  State now_;                         // in the coordinates of the tuning's warp
  WarpTrail trail_;                   // from there to the model's, for what is written
  mutable Vector model_log_density_;  // K, there; what the function of that name answers with
  Matrix model_scores_;               // n x K, at its end; where scores are written
  Transition transition_;
  AdaptationRecord record_;
  std::thread::id moved_by_;
  std::uint64_t moved_last_ = 0;     // the thread's slice, counted by it
  bool gradient_is_current_ = true;  // not after kernels that use none
  Index iteration_ = 0;
  Index stage_begin_ = 0;           // the iteration at which the present stage began
  Vector first_log_density_;        // of the starts, by lane
  Vector acceptance_sum_;           // of the present stage, by lane
  std::vector<Index> moved_at_;     // iteration of the last accepted proposal, by lane
  std::vector<Index> divergences_;  // of the kept stage, by lane
  std::vector<LaneCosts> earlier_;  // costs by lane before it came to this batch
  EvaluationTally warmup_tally_;    // at the end of warm-up
  Cost<double> seconds_;
  double unreported_seconds_ = 0;   // of work since the last report
  NamedNumbers recorded_;           // by the last adapter that is gone
  Vector statistics_;               // of a draw
  std::vector<Index> own_columns_;  // of them, the kernel's own
  KeptValues kept_;
};

}  // namespace gadwall
