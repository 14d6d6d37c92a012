#include "run/course.hpp"

#include <algorithm>

#include "samplers/scout.hpp"

namespace gadwall {
namespace {

template <class T>
double seconds_since(T begin) {
  return std::chrono::duration<double>(T::clock::now() - begin).count();
}

}  // namespace

Course::Course(const RunPlan& plan, Sink& sink, Monitor& monitor, const Restart& restart)
    : plan_(plan),
      sink_(sink),
      monitor_(monitor),
      restart_(restart),
      stopping_(plan.run.until_ess),
      warmup_(plan.warmup),
      begin_(Clock::now()) {
  const Index batches = plan.run.chains / plan.run.lanes;
  for (Index b = 0; b < batches; ++b) batches_.push_back(std::make_unique<Batch>(plan, b));
  if (plan.run.warmup_settles) settling_.resize(static_cast<std::size_t>(batches));
}

RunOutcome Course::go() {
  start();
  while (stopped_by_.empty()) {
    move();
    rest();
  }
  save();
  return outcome();
}

void Course::start() {
  if (restart_.state.empty()) {
    for (const auto& batch : batches_) batch->start();
  } else {
    Archive saved(restart_.state);
    archive(saved);
    sampling_ = draws() > 0;  // a sink without draws begins anew
  }
  for (const auto& batch : batches_) batch->report(monitor_);
  rest();
}

/// The next iteration at which something is to be decided.
Index Course::next_rest() const {
  if (is_warming()) {
    return settling_.empty() ? warmup_ : std::min(warmup_, settling_.front().next_look());
  }
  return warmup_ + std::min(plan_.draws, stopping_.next_look()) * plan_.run.thin;
}

void Course::move() {
  const auto advance = [this, warming = is_warming()](Batch& batch, const Slice& slice) {
    warming ? batch.warm_up(slice, sink_, monitor_) : batch.sample(slice, sink_, monitor_);
  };
  run_leg(batches_, {.until = next_rest(),
                     .threads = plan_.run.threads,
                     .advance = advance,
                     .pauses = [this] { return is_save_due() || is_out_of_time(); },
                     .stop = &monitor_.stop});
}

void Course::rest() {
  if (is_warming() && !settling_.empty() && settling_.front().is_due(iteration())) {
    look_at_warmup();
  }
  if (!is_warming() && !sampling_) end_warmup();
  decide_end();
  if (stopped_by_.empty() && is_save_due()) save();
}

void Course::look_at_warmup() {
  bool settled = true;
  for (std::size_t b = 0; b < batches_.size(); ++b) {
    settling_[b].look(batches_[b]->tuning(), batches_[b]->accept_sum());
    settled = settling_[b].is_settled(plan_.options.target_accept) && settled;
  }
  // Of the three stretches the first may hold the scout, which is another sampler; not the others.
  if (settled && iteration() >= 3 * scout_iterations(plan_)) warmup_ = iteration();
}

void Course::end_warmup() {
  sampling_ = true;
  for (const auto& batch : batches_) {
    if (iteration() == warmup_) batch->end_warmup();
    batch->begin_sampling(sink_);
  }
}

void Course::decide_end() {
  monitor_.warmup = is_warming() ? -1 : warmup_;
  if (draws() > 0 && stopping_.is_enough(draws(), sink_)) {
    stopped_by_ = "ess";
  } else if (iteration() >= last_iteration()) {  // beyond it: a run that was extended before
    stopped_by_ = "draws";
  } else if (monitor_.stop) {
    stopped_by_ = "signal";
  } else if (is_out_of_time()) {
    stopped_by_ = "time";
  }
}

bool Course::is_out_of_time() const {
  return plan_.run.max_seconds > 0 && seconds_since(begin_) > plan_.run.max_seconds;
}

bool Course::is_save_due() const {
  return restart_.save && (!saved_ || seconds_since(*saved_) > restart_.period_seconds);
}

RowsKept Course::rows() const {
  return {plan_.run.save_warmup ? std::min(iteration(), warmup_) / plan_.run.thin : 0, draws()};
}

void Course::save() {
  if (!restart_.save) return;
  sink_.flush();
  Archive state;
  archive(state);
  restart_.save({state.bytes(), rows(), stopped_by_});
  saved_ = Clock::now();
}

void Course::archive(Archive& a) {
  double seconds = wall_seconds();
  a("seconds", seconds);
  if (!a.is_saving()) earlier_seconds_ = seconds;
  a("warm-up", warmup_);
  a("stopping", stopping_);
  for (std::size_t b = 0; b < batches_.size(); ++b) {
    a(("batch " + std::to_string(b)).c_str(), *batches_[b]);
    if (!settling_.empty()) a(("settling " + std::to_string(b)).c_str(), settling_[b]);
  }
}

double Course::wall_seconds() const {
  return earlier_seconds_ + seconds_since(begin_);
}

RunOutcome Course::outcome() const {
  RunOutcome outcome;
  RunFacts& all = outcome.facts;
  all = plan_.facts();
  all.warmup = warmup_;
  all.draws = draws();
  all.stopped_by = stopped_by_;
  outcome.interrupted = stopped_by_ == "signal";
  for (const auto& batch : batches_) {
    outcome.learnt.push_back(batch->learnt());
    const EvaluationTally& tally = batch->tally();
    outcome.exceptions += tally.exceptions;
    if (outcome.first_exceptions.empty()) outcome.first_exceptions = tally.first_exceptions;
    for (Index k = 0; k < plan_.run.lanes; ++k) {
      RunFacts& lane = outcome.chains.emplace_back(batch->lane_facts(k));
      lane.draws = all.draws;
      all.add_costs(lane);
      all.accept_rate += lane.accept_rate / static_cast<double>(plan_.run.chains);
    }
  }
  // The phases of different batches overlap on several threads: the wall clock is shared out
  // between warm-up and sampling as the computing time is.
  const double computing = all.seconds.total();
  const double scale = computing > 0 ? wall_seconds() / computing : 0;
  all.seconds = {all.seconds.warmup * scale, all.seconds.sampling * scale};
  return outcome;
}

}  // namespace gadwall
