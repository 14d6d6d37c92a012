// The loop of a run: legs in which the batches move, and rests between them, at which every chain
// has done the same number of iterations and what concerns all of them is decided: the meetings of
// a stage, the next stage, the end, a checkpoint.
#pragma once

#include <chrono>
#include <optional>

#include "run/leg.hpp"
#include "run/rendezvous.hpp"
#include "run/share.hpp"
#include "run/stopping.hpp"

namespace gadwall {

class RunLoop {
 public:
  /// sink: of every process but the first, ForwardedDraws.
  RunLoop(const RunPlan& plan, Sink& sink, Monitor& monitor, const Restart& restart, Team& team);

  RunOutcome go();

 private:
  using Clock = std::chrono::steady_clock;

  Index iteration() const { return batches_.front()->iteration(); }
  const Stage& stage() const { return plan_.stages[stage_]; }
  bool is_sampling() const { return stage_ + 1 == plan_.stages.size(); }
  Index stage_begin() const { return stages_.back().begin; }
  Index stage_end() const;
  Index draws() const;
  Index next_rest() const;
  bool is_out_of_time() const;
  bool is_save_due() const;
  RowsKept rows() const;
  double wall_seconds() const;
  std::uint64_t gradients();
  bool is_shared() const { return team_.size() > 1; }

  void start();
  void report();
  void begin_first_stage();
  bool gives_up_start() const;
  void make_batches(Index lanes);
  void move();
  void rest();
  void come_together();
  void exchange_draws();
  std::vector<Member> members();
  bool meet();
  void next_stage();
  void enter_stage(std::size_t stage);
  StageFacts present_stage();
  std::optional<Tuning> handed_over(const Batch& batch, const Batches& before) const;
  void tell_sink();
  void decide_end();
  bool are_draws_enough();
  std::vector<Tuning> tunings_of_all();
  void save();
  void archive(Archive& a);
  void restore_stage();
  Learnt learnt(const Batch& batch) const;
  std::string own_batches();
  EvaluationTally exceptions_of_all(bool with_present);
  std::vector<Learnt> learnt_of_all();
  std::vector<MeasuredFacts> chains_of_all();
  RunOutcome outcome();

  const RunPlan& plan_;
  Sink& sink_;
  Monitor& monitor_;
  const Restart& restart_;
  Team& team_;
  Rendezvous rendezvous_;
  Share share_;
  Crew crew_;
  Batches batches_;
  std::size_t stage_ = 0;
  std::unique_ptr<Meeting> meeting_;  // of the present stage; null where there is none
  Index next_meeting_ = 0;            // iteration of the run
  std::vector<StageFacts> stages_;    // those begun so far
  EvaluationTally dissolved_;         // exceptions in batches that were grouped anew
  StoppingRule stopping_;
  bool sink_knows_ = false;     // that the draws have begun
  std::string stopped_by_;      // empty while the run goes
  double earlier_seconds_ = 0;  // of the wall clock, before the last restart
  Clock::time_point begin_;
  std::optional<Clock::time_point> at_work_since_;  // of a restart: when its batches move
  std::optional<Clock::time_point> saved_;
  // Of a run that is shared:
  Index together_at_ = -1;  // iteration at which the processes last came together
  RestDecision decision_;   // then
  double working_ = 0;      // seconds since then
  TeamFacts times_;         // meetings, rests
};

}  // namespace gadwall
