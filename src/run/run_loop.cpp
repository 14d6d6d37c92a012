#include "run/run_loop.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "factors/pool.hpp"
#include "gadwall/error.hpp"
#include "run/batch_of.hpp"

namespace gadwall {
namespace {

template <class T>
double seconds_after(T begin) {
  return std::chrono::duration<double>(T::clock::now() - begin).count();
}

/// No more threads than there are batches at any time.
int useful_threads(const RunPlan& plan, const Share& share) {
  Index most = 1;
  for (const Stage& stage : plan.stages) {
    most = std::max(most, (share.end - share.first) / stage.lanes);
  }
  return static_cast<int>(std::min<Index>(plan.run.threads, most));
}

/// The draws of all processes wait in memory, and then in that of the first.
Index longest_leg(const RunPlan& plan) {
  constexpr double kMostBytes = 1e8;
  const auto numbers = static_cast<double>(plan.statistics.size() + plan.output_names().size());
  const double draw = sizeof(double) * numbers * static_cast<double>(plan.run.chains);
  return std::max<Index>(1, static_cast<Index>(kMostBytes / draw)) * plan.run.thin;
}

}  // namespace

RunLoop::RunLoop(const RunPlan& plan, Sink& sink, Monitor& monitor, const Restart& restart,
                 Team& team)
    : plan_(plan),
      sink_(sink),
      monitor_(monitor),
      restart_(restart),
      team_(team),
      rendezvous_(team, longest_leg(plan)),
      share_(share_of(plan, team.rank(), team.size())),
      crew_(useful_threads(plan, share_)),
      stopping_(plan.run.until_ess, plan.sampler->least_draws),
      begin_(Clock::now()),
      at_work_since_(begin_) {}

RunOutcome RunLoop::go() {
  start();
  while (stopped_by_.empty()) {
    move();
    rest();
  }
  report();
  save();
  return outcome();
}

void RunLoop::make_batches(Index lanes) {
  batches_.clear();
  for (Index chain = share_.first; chain < share_.end; chain += lanes) {
    if (stages_.empty() && gives_up_start()) throw Interrupted(0);
    batches_.push_back(std::make_unique<Batch>(plan_, chain, lanes));
  }
}

void RunLoop::start() {
  const std::string state = is_shared() ? team_.from_first(restart_.state) : restart_.state;
  if (state.empty()) {
    begin_first_stage();
  } else {
    Archive saved(state);
    archive(saved);
    sink_knows_ = draws() > 0;  // a sink without draws begins anew
  }
  report();
  rest();
}

void RunLoop::report() {
  for (const auto& batch : batches_) batch->report(monitor_);
}

void RunLoop::begin_first_stage() {
  const Stage& first = plan_.stages.front();
  const StartPart start = first.climbs ? far_tail_start(plan_.start) : plan_.start;
  make_batches(first.lanes);
  enter_stage(0);
  for (const auto& batch : batches_) {
    batch->stop_when([this] { return gives_up_start(); });
    batch->place(*start);
    batch->enter(first);
    // Without a warm-up a tuning that was given is meant as it is.
    const bool teaches = first.most > 0 || !plan_.run.tuning;
    batch->begin(plan_.run.tuning ? *plan_.run.tuning : batch->first_tuning(), teaches);
    batch->stop_when({});
  }
}

/// The searches for a start may take long, and leave nothing that could be kept. A quick one is
/// finished, so that there is a checkpoint.
bool RunLoop::gives_up_start() const {
  constexpr double quick_seconds = 1;
  return monitor_.stop && seconds_after(begin_) > quick_seconds;
}

/// Lanes move to batches of another size where the next stage groups them differently.
void RunLoop::next_stage() {
  for (const auto& batch : batches_) batch->finish_learning();
  if (meeting_) {
    std::vector<Member> all = members();
    meeting_->finish(all, team_);
  }
  enter_stage(stage_ + 1);
  const bool regroups = batches_.front()->lanes() != stage().lanes;
  Batches before;
  if (regroups) {
    before = std::move(batches_);
    make_batches(stage().lanes);
    for (const auto& batch : before) dissolved_.add_exceptions(batch->tally());
    for (const auto& batch : batches_) batch->take_lanes(before);
  }
  for (const auto& batch : batches_) {
    batch->enter(stage());
    batch->begin(handed_over(*batch, regroups ? before : batches_), true);
  }
}

void RunLoop::enter_stage(std::size_t stage) {
  if (!stages_.empty()) stages_.back() = present_stage();
  stage_ = stage;
  stages_.push_back(
      {.name = plan_.stages[stage].name, .begin = iteration(), .gradients_before = gradients()});
  restore_stage();
}

/// What follows from the number of the stage.
void RunLoop::restore_stage() {
  meeting_ = stage().meeting ? stage().meeting() : nullptr;
  if (meeting_) next_meeting_ = stage_begin() + meeting_->next(0);
  monitor_.stage_begin = stage_begin();
  monitor_.stage = static_cast<Index>(stage_);
}

/// The tuning that a batch begins the present stage with; none: it keeps its own.
std::optional<Tuning> RunLoop::handed_over(const Batch& batch, const Batches& before) const {
  std::vector<const Tuning*> found;
  const Index end = batch.first_chain() + batch.lanes();
  for (auto other = batch_of(before, batch.first_chain());
       other != before.end() && (*other)->first_chain() < end; ++other) {
    found.push_back(&(*other)->tuning());
  }
  if (stage().hand_over) return stage().hand_over(found);
  if (&before == &batches_) return std::nullopt;
  return pooled_tuning(found);
}

Index RunLoop::stage_end() const {
  return stage_begin() + stage().most;
}

Index RunLoop::draws() const {
  return is_sampling() ? (iteration() - stage_begin()) / plan_.run.thin : 0;
}

/// The next iteration at which something is to be decided.
Index RunLoop::next_rest() const {
  Index next = stage_end();
  if (meeting_) next = std::min(next, next_meeting_);
  if (is_sampling()) {
    const Index look = std::min(plan_.draws, stopping_.next_look());
    next = std::min(next, stage_begin() + look * plan_.run.thin);
  }
  if (is_shared()) next = std::min(next, std::max(together_at_, Index{0}) + rendezvous_.leg());
  return next;
}

void RunLoop::move() {
  const auto advance = [this, sampling = is_sampling()](Batch& batch, const Slice& slice) {
    sampling ? batch.sample(slice, sink_, monitor_) : batch.warm_up(slice, sink_, monitor_);
  };
  const auto begin = Clock::now();
  if (!at_work_since_) at_work_since_ = begin;
  if (is_shared()) {  // all processes must stand at the same iteration
    run_leg(crew_, batches_, {next_rest(), advance, nullptr, nullptr});
  } else {
    run_leg(crew_, batches_,
            {.until = next_rest(),
             .advance = advance,
             .pauses = [this] { return is_save_due() || is_out_of_time(); },
             .stop = &monitor_.stop});
  }
  working_ += seconds_after(begin);
}

void RunLoop::rest() {
  if (is_shared()) come_together();
  bool is_over = meet();
  while (!is_sampling() && (is_over || iteration() >= stage_end())) {
    next_stage();
    is_over = false;
  }
  if (is_sampling() && !sink_knows_) {
    if (is_shared()) exchange_draws();  // those of warm-up
    tell_sink();
  }
  decide_end();
  if (stopped_by_.empty() && (is_shared() ? decision_.save_is_due : is_save_due())) save();
}

std::vector<Member> RunLoop::members() {
  std::vector<Member> all;
  for (const auto& batch : batches_) all.push_back(batch->member());
  return all;
}

/// True: the stage is over.
bool RunLoop::meet() {
  if (!meeting_ || iteration() < next_meeting_) return false;
  std::vector<Member> all = members();
  const auto begin = Clock::now();
  const bool is_over = meeting_->hold(all, team_);
  times_.meetings += seconds_after(begin);
  next_meeting_ = stage_begin() + meeting_->next(iteration() - stage_begin());
  return is_over;
}

void RunLoop::tell_sink() {
  sink_knows_ = true;
  Index chain = 0;
  for (const Tuning& tuning : tunings_of_all()) {
    for (Index k = 0; k < stage().lanes; ++k) sink_.begin_sampling(chain++, tuning);
  }
}

void RunLoop::decide_end() {
  monitor_.warmup = is_sampling() ? stage_begin() : -1;
  const bool is_stopped = is_shared() ? decision_.stop : monitor_.stop.load();
  const bool is_late = is_shared() ? decision_.out_of_time : is_out_of_time();
  if (draws() > 0 && are_draws_enough()) {
    stopped_by_ = "ess";
  } else if (is_sampling() && iteration() >= stage_end()) {  // beyond it: extended before
    stopped_by_ = "draws";
  } else if (is_stopped) {
    stopped_by_ = "signal";
  } else if (is_late) {
    stopped_by_ = "time";
  }
}

/// The first process has the draws and looks at them, for all.
bool RunLoop::are_draws_enough() {
  const bool are_last = iteration() >= stage_end();
  if (!is_shared() || plan_.run.until_ess == 0) {
    return stopping_.is_enough(draws(), are_last, sink_);
  }
  bool is_enough = team_.is_first() && stopping_.is_enough(draws(), are_last, sink_);
  Archive looked;
  looked("stopping", stopping_);
  looked("enough", is_enough);
  Archive known(team_.from_first(looked.bytes()));
  known("stopping", stopping_);
  known("enough", is_enough);
  return is_enough;
}

bool RunLoop::is_out_of_time() const {
  return plan_.run.max_seconds > 0 && seconds_after(begin_) > plan_.run.max_seconds;
}

bool RunLoop::is_save_due() const {
  return restart_.save && (!saved_ || seconds_after(*saved_) > restart_.period_seconds);
}

RowsKept RunLoop::rows() const {
  const Index warmup = is_sampling() ? stage_begin() : iteration();
  return {plan_.run.save_warmup ? warmup / plan_.run.thin : 0, draws()};
}

}  // namespace gadwall
