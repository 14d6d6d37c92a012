// What a run leaves behind: its state in a checkpoint, its outcome at the end.
#include <fmt/format.h>

#include "gadwall/error.hpp"
#include "run/run_loop.hpp"

namespace gadwall {

/// As it is now.
StageFacts RunLoop::present_stage() {
  StageFacts facts = stages_.back();
  facts.iterations = iteration() - facts.begin;
  facts.gradients = gradients() - facts.gradients_before;
  if (meeting_) facts.notes = meeting_->findings();
  return facts;
}

void RunLoop::archive(Archive& a) {
  double seconds = wall_seconds();
  a("seconds", seconds);
  if (!a.is_saving()) {
    earlier_seconds_ = seconds;
    at_work_since_.reset();
  }
  auto begun = static_cast<Index>(stages_.size());
  a("stages begun", begun);
  if (begun < 1 || begun > static_cast<Index>(plan_.stages.size())) {
    throw RunError(
        fmt::format("the checkpoint is in stage {}, expected 1 to {}", begun, plan_.stages.size()));
  }
  stages_.resize(static_cast<std::size_t>(begun));
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    a(("stage " + std::to_string(s)).c_str(), stages_[s]);
  }
  if (!a.is_saving()) {
    stage_ = stages_.size() - 1;
    restore_stage();
    make_batches(stage().lanes);
    for (const auto& batch : batches_) batch->enter(stage());
  }
  if (meeting_) {
    a("meeting", *meeting_);
    a("next meeting", next_meeting_);
  }
  a("stopping", stopping_);
  EvaluationTally dissolved = dissolved_;
  a("dissolved", dissolved);
  if (!a.is_saving() && team_.is_first()) dissolved_ = dissolved;
  for (const auto& batch : batches_) {
    a(("batch " + std::to_string(batch->first_chain() / stage().lanes)).c_str(), *batch);
  }
}

double RunLoop::wall_seconds() const {
  if (!at_work_since_) return earlier_seconds_;
  return earlier_seconds_ + std::chrono::duration<double>(Clock::now() - *at_work_since_).count();
}

/// Of all processes.
std::uint64_t RunLoop::gradients() {
  std::uint64_t sum = 0;
  for (const auto& batch : batches_) {
    for (Index k = 0; k < batch->lanes(); ++k) {
      sum += batch->lane_facts(k).gradients.total();
    }
  }
  if (!is_shared()) return sum;
  std::uint64_t all = 0;
  for (const std::string& part : team_.gather_all(std::to_string(sum))) all += std::stoull(part);
  return all;
}

/// Of a run that ended before its draws: in the form that the draws would have begun with.
Learnt RunLoop::learnt(const Batch& batch) const {
  Learnt learnt = batch.learnt();
  for (std::size_t s = stage_ + 1; s < plan_.stages.size(); ++s) {
    const Tuning* const found[] = {&learnt.tuning};
    if (plan_.stages[s].hand_over) learnt.tuning = plan_.stages[s].hand_over(found);
  }
  return learnt;
}

RunOutcome RunLoop::outcome() {
  RunOutcome outcome;
  RunFacts& all = outcome.facts;
  static_cast<PlannedFacts&>(all) = plan_.facts();
  if (is_sampling()) all.warmup = stage_begin();
  all.draws = draws();
  all.stopped_by = stopped_by_;
  all.stages = stages_;
  all.stages.back() = present_stage();
  outcome.interrupted = stopped_by_ == "signal";
  outcome.learnt = learnt_of_all();
  outcome.chains = chains_of_all();
  for (MeasuredFacts& lane : outcome.chains) {
    lane.draws = all.draws;
    all.add_costs(lane);
    all.accept_rate += lane.accept_rate / static_cast<double>(plan_.run.chains);
  }
  const EvaluationTally exceptions = exceptions_of_all(true);
  outcome.team = times_;
  if (is_shared()) outcome.team.ranks = rendezvous_.ranks();
  outcome.exceptions = exceptions.exceptions;
  outcome.first_exceptions = exceptions.first_exceptions;
  // The phases of different batches overlap on several threads: the wall clock is shared out
  // between warm-up and sampling as the computing time is.
  const double computing = all.seconds.total();
  const double scale = computing > 0 ? wall_seconds() / computing : 0;
  all.seconds = {all.seconds.warmup * scale, all.seconds.sampling * scale};
  return outcome;
}

}  // namespace gadwall
