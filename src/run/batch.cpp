#include "run/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "gadwall/error.hpp"
#include "samplers/scout.hpp"
#include "starts/far_tail.hpp"

namespace gadwall {
namespace {

constexpr int kStartAttempts = 100;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

Tuning first_tuning(const RunPlan& plan, const Adapter& adapter) {
  return plan.run.tuning ? *plan.run.tuning : adapter.initial_tuning(plan.target->dim());
}

}  // namespace

bool Slice::is_halted() const {
  return std::ranges::any_of(halts, [](const auto* halt) { return halt->load(); });
}

Batch::Batch(const RunPlan& plan, Index index)
    : plan_(plan),
      first_chain_(index * plan.run.lanes),
      scouting_(scout_iterations(plan)),
      density_(*plan.target),
      tuning_(Factor::unit(plan.target->dim())),
      now_(plan.target->dim(), plan.run.lanes),
      transition_(plan.target->dim(), plan.run.lanes),
      record_(plan.warmup),
      first_log_density_(Vector::Zero(plan.run.lanes)),
      acceptance_sum_(Vector::Zero(plan.run.lanes)),
      moved_at_(static_cast<std::size_t>(plan.run.lanes), 0),
      divergences_(static_cast<std::size_t>(plan.run.lanes), 0),
      output_(static_cast<Index>(plan.target->output_names().size())),
      kept_(static_cast<Index>(plan.run.save.size())) {
  scouting_ > 0 ? employ_scout() : employ_sampler();
}

void Batch::employ_scout() {
  kernel_ = scout_kernel();
  adapter_ = scout_adapter(plan_);
  tuning_ = first_tuning(plan_, *adapter_);
}

void Batch::employ_sampler() {
  kernel_ = plan_.sampler->kernel(plan_.options);
  adapter_ = plan_.sampler->adapter(plan_.options, plan_.target->dim(), plan_.warmup);
  tuning_ = first_tuning(plan_, *adapter_);
}

LaneNoise Batch::noise(Index iteration) const {
  return {plan_.run.seed, static_cast<std::uint32_t>(first_chain_),
          static_cast<std::uint64_t>(iteration)};
}

void Batch::start() {
  const auto begin = Clock::now();
  for (Index k = 0; k < now_.lanes(); ++k) {
    find_start(k);
    if (scouting_ > 0) leave_far_tail(density_, k, now_);
  }
  first_log_density_ = now_.logp;
  // Without a warm-up a tuning that was given is meant as it is.
  if (plan_.warmup > 0 || !plan_.run.tuning) adapter_->start(now_, density_, noise(0), tuning_);
  seconds_.warmup += seconds_since(begin);
  warmup_tally_ = density_.tally();
}

void Batch::find_start(Index lane) {
  const bool given = plan_.run.start.size() > 0;
  const double radius = plan_.run.start_radius;
  const int attempts = given ? 1 : kStartAttempts;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    if (given) {
      now_.x.col(lane) = plan_.run.start.col(first_chain_ + lane);
    } else if (radius > 0) {
      UniformStream uniform(noise(attempt).lane(lane), Purpose::start);
      for (double& x : now_.x.col(lane)) x = radius * (2 * uniform.next() - 1);
    } else {
      fill_normal(noise(attempt).lane(lane), Purpose::start, now_.x.col(lane));
      now_.x.col(lane) *= plan_.run.start_sd;
    }
    // The gradient is asked for even where the kernel needs none: a start without one could not
    // teach the adapter either.
    density_.gradient(now_.x.col(lane), now_.logp.segment(lane, 1), now_.grad.col(lane));
    if (std::isfinite(now_.logp[lane])) return;
  }
  const std::string law = radius > 0 ? fmt::format("the cube (-{0:g}, {0:g})^n", radius)
                                     : fmt::format("N(0, {}^2 I)", plan_.run.start_sd);
  const std::string where =
      given ? "at the given start" : fmt::format("in {} starts drawn from {}", attempts, law);
  const EvaluationTally& seen = density_.tally();
  const std::string what = seen.exceptions > 0
                               ? fmt::format("the target threw {} times, first: {}",
                                             seen.exceptions, seen.first_exceptions[0])
                               : "the log density or its gradient was -inf or NaN";
  throw RunError(
      fmt::format("chain {}: no finite log density {}; {}", first_chain_ + lane + 1, where, what));
}

void Batch::warm_up(const Slice& slice, Sink& sink, Monitor& monitor) {
  const auto begin = Clock::now();
  do {
    warm_up_once();
    if (!plan_.run.save_warmup || iteration_ % plan_.run.thin != 0) continue;
    for (Index k = 0; k < now_.lanes(); ++k) {
      sink.write_warmup(first_chain_ + k, statistics(k), kept_values(k));
    }
  } while (iteration_ < slice.until && !slice.is_halted() && seconds_since(begin) < slice.seconds);
  seconds_.warmup += seconds_since(begin);
  warmup_tally_ = density_.tally();
  report(monitor);
}

/// The sampler itself begins, where the scout has arrived and with what it has found.
void Batch::end_scouting() {
  adapter_->finish(tuning_);
  const Tuning found = tuning_;
  employ_sampler();
  tuning_ = scouted_tuning(found, plan_.options.metric);
  now_.whitened_version = 0;                           // the versions of another tuning
  transition_ = Transition(now_.dim(), now_.lanes());  // no energies or depths of another kernel
  adapter_->start(now_, density_, noise(iteration_), tuning_);
}

void Batch::warm_up_once() {
  if (is_scouting() && iteration_ == scouting_) end_scouting();
  kernel_->step(density_, tuning_, now_, noise(iteration_), adapter_->wants(), transition_);
  adapter_->learn({transition_, now_, density_, noise(iteration_)}, tuning_);
  commit(tuning_, transition_, now_);
  count_transition();
  record_.add(transition_);
  if (record_.is_due(iteration_)) {
    record_.add_row(iteration_, tuning_, adapter_->entropy_weight(), now_.logp);
    if (record_.may_be_broken()) check_tuning();
  }
}

/// Without it such a run goes on to its end, and no chain moves again.
void Batch::check_tuning() const {
  const bool factor = !tuning_.factor().is_finite();
  if (!factor && std::isfinite(tuning_.step)) return;
  const std::string sampler = is_scouting() ? "the scout (nuts)" : plan_.sampler->name;
  const Index last = first_chain_ + now_.lanes();
  const std::string chains = now_.lanes() == 1
                                 ? fmt::format("chain {}", last)
                                 : fmt::format("chains {} to {}", first_chain_ + 1, last);
  throw RunError(
      fmt::format("{} of {} is no longer finite: {}, after iteration {} of warm-up; it learns too "
                  "fast for this target",
                  factor ? "the factor L" : "the step", sampler, chains, iteration_));
}

void Batch::end_warmup() {
  if (iteration_ > 0) adapter_->finish(tuning_);
  check_tuning();
  phase_begin_ = iteration_;
  acceptance_sum_.setZero();
}

void Batch::begin_sampling(Sink& sink) {
  for (Index k = 0; k < now_.lanes(); ++k) sink.begin_sampling(first_chain_ + k, tuning_);
}

void Batch::sample(const Slice& slice, Sink& sink, Monitor& monitor) {
  const auto begin = Clock::now();
  do {
    sample_once();
    if ((iteration_ - phase_begin_) % plan_.run.thin != 0) continue;
    for (Index k = 0; k < now_.lanes(); ++k) {
      sink.write(first_chain_ + k, statistics(k), kept_values(k));
    }
  } while (iteration_ < slice.until && !slice.is_halted() && seconds_since(begin) < slice.seconds);
  seconds_.sampling += seconds_since(begin);
  report(monitor);
}

void Batch::sample_once() {
  kernel_->step(density_, tuning_, now_, noise(iteration_), {}, transition_);
  commit(tuning_, transition_, now_);
  count_transition();
  for (std::size_t k = 0; k < divergences_.size(); ++k) {
    divergences_[k] += transition_.divergent[static_cast<Index>(k)] ? 1 : 0;
  }
}

void Batch::count_transition() {
  ++iteration_;
  acceptance_sum_ += transition_.accept;
  for (std::size_t k = 0; k < moved_at_.size(); ++k) {
    if (transition_.accepted[static_cast<Index>(k)]) moved_at_[k] = iteration_;
  }
}

DrawStatistics Batch::statistics(Index lane) const {
  return {.logp = now_.logp[lane],
          .accept = transition_.accept[lane],
          .step = tuning_.step,
          .tree_depth = static_cast<double>(transition_.tree_depth[lane]),
          .leapfrogs = static_cast<double>(transition_.leapfrogs[lane]),
          .divergent = transition_.divergent[lane] ? 1.0 : 0.0,
          .energy = transition_.energy[lane]};
}

ConstVectorRef Batch::kept_values(Index lane) {
  plan_.target->output(now_.x.col(lane), noise(iteration_ - 1).lane(lane), output_);
  if (plan_.run.save.empty()) return output_;
  for (Index i = 0; i < kept_.size(); ++i) {
    kept_[i] = output_[plan_.run.save[static_cast<std::size_t>(i)]];
  }
  return kept_;
}

void Batch::report(Monitor& monitor) const {
  const auto done = static_cast<double>(std::max<Index>(1, iteration_ - phase_begin_));
  const double log_determinant = tuning_.factor().log_determinant();
  constexpr auto relaxed = std::memory_order_relaxed;
  for (Index k = 0; k < now_.lanes(); ++k) {
    const auto lane = static_cast<std::size_t>(k);
    ChainProgress& progress = monitor.chain[static_cast<std::size_t>(first_chain_) + lane];
    progress.iteration.store(iteration_, relaxed);
    progress.acceptance.store(acceptance_sum_[k] / done, relaxed);
    progress.log_density.store(now_.logp[k], relaxed);
    progress.first_log_density.store(first_log_density_[k], relaxed);
    progress.moved_at.store(moved_at_[lane], relaxed);
    progress.divergences.store(divergences_[lane], relaxed);
    progress.step.store(tuning_.step, relaxed);
    progress.log_determinant.store(log_determinant, relaxed);
    progress.gradients.store(static_cast<Index>(density_.tally().gradients) / now_.lanes(),
                             relaxed);
  }
}

Learnt Batch::learnt() const {
  return {is_scouting() ? scouted_tuning(tuning_, plan_.options.metric) : tuning_, record_.trace(),
          adapter_->entropy_weight()};
}

RunFacts Batch::lane_facts(Index lane) const {
  const auto lanes = static_cast<std::uint64_t>(now_.lanes());
  // What does not divide evenly goes to the first lanes, so that the sum over lanes is exact.
  const auto share = [&](std::uint64_t total) {
    return total / lanes + (static_cast<std::uint64_t>(lane) < total % lanes ? 1 : 0);
  };
  const EvaluationTally& all = density_.tally();
  const Index sampled = iteration_ - phase_begin_;
  RunFacts facts;
  facts.warmup = phase_begin_;
  facts.seconds = {seconds_.warmup / static_cast<double>(lanes),
                   seconds_.sampling / static_cast<double>(lanes)};
  facts.gradients = {share(warmup_tally_.gradients),
                     share(all.gradients - warmup_tally_.gradients)};
  facts.densities = {share(warmup_tally_.densities),
                     share(all.densities - warmup_tally_.densities)};
  facts.bad_points = share(all.bad_points);
  facts.accept_rate = sampled > 0 ? acceptance_sum_[lane] / static_cast<double>(sampled) : 0;
  facts.divergences = static_cast<std::uint64_t>(divergences_[static_cast<std::size_t>(lane)]);
  return facts;
}

void Batch::archive(Archive& a) {
  a("iteration", iteration_);
  if (!a.is_saving() && iteration_ > scouting_) employ_sampler();
  a("phase begin", phase_begin_);
  a("tuning", tuning_);
  a("adapter", *adapter_);
  a("state", now_);
  a("record", record_);
  a("first log density", first_log_density_);
  a("acceptance sum", acceptance_sum_);
  a("moved at", moved_at_);
  a("divergences", divergences_);
  a("evaluations", density_);
  a("evaluations of warm-up", warmup_tally_);
  a("seconds of warm-up", seconds_.warmup);
  a("seconds of sampling", seconds_.sampling);
}

}  // namespace gadwall
