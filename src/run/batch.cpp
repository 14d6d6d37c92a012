#include "run/batch.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "gadwall/error.hpp"

namespace gadwall {
namespace {

constexpr int kStartAttempts = 100;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

Batch::Batch(const RunPlan& plan, Index index)
    : plan_(plan),
      first_chain_(index * plan.run.lanes),
      kernel_(plan.sampler->kernel(plan.options)),
      adapter_(plan.sampler->adapter(plan.options, plan.target->dim(), plan.warmup)),
      density_(*plan.target),
      tuning_(adapter_->initial_tuning(plan.target->dim())),
      now_(plan.target->dim(), plan.run.lanes),
      transition_(plan.target->dim(), plan.run.lanes),
      acceptance_sum_(Vector::Zero(plan.run.lanes)),
      divergences_(Vector::Zero(plan.run.lanes)) {}

LaneNoise Batch::noise(Index iteration) const {
  return {plan_.run.seed, static_cast<std::uint32_t>(first_chain_),
          static_cast<std::uint64_t>(iteration)};
}

void Batch::start() {
  started_ = true;
  for (Index k = 0; k < now_.lanes(); ++k) find_start(k);
  adapter_->start(now_, density_, noise(0), tuning_);
}

void Batch::find_start(Index lane) {
  const bool given = plan_.run.start.size() > 0;
  const int attempts = given ? 1 : kStartAttempts;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    if (given) {
      now_.x.col(lane) = plan_.run.start.col(first_chain_ + lane);
    } else {
      fill_normal(noise(attempt).lane(lane), Purpose::start, now_.x.col(lane));
      now_.x.col(lane) *= plan_.run.start_sd;
    }
    // The gradient is asked for even where the kernel needs none: a start without one could not
    // teach the adapter either.
    density_.gradient(now_.x.col(lane), now_.logp.segment(lane, 1), now_.grad.col(lane));
    if (std::isfinite(now_.logp[lane])) return;
  }
  const std::string where =
      given ? "at the given start"
            : fmt::format("in {} starts drawn from N(0, {}^2 I)", attempts, plan_.run.start_sd);
  const EvaluationTally& seen = density_.tally();
  const std::string what = seen.exceptions > 0 ? fmt::format("the target threw {} times, first: {}",
                                                             seen.exceptions, seen.first_exception)
                                               : "the log density or its gradient was -inf or NaN";
  throw RunError(
      fmt::format("chain {}: no finite log density {}; {}", first_chain_ + lane + 1, where, what));
}

void Batch::advance(double seconds, Sink& sink, Monitor& monitor) {
  const auto begin = Clock::now();
  const bool warming = iteration_ < plan_.warmup;
  const Index phase_end = warming ? plan_.warmup : plan_.warmup + plan_.draws;
  if (!started_) start();
  if (!warming && !sampling_) begin_sampling(sink);
  while (iteration_ < phase_end && !monitor.stop && seconds_since(begin) < seconds) {
    warming ? warm_up() : sample(sink);
    report(monitor);
  }
  if (warming && iteration_ == plan_.warmup) adapter_->finish(tuning_);
  (warming ? seconds_.warmup : seconds_.sampling) += seconds_since(begin);
  if (warming) warmup_tally_ = density_.tally();
}

void Batch::warm_up() {
  kernel_->step(density_, tuning_, now_, noise(iteration_), adapter_->wants(), transition_);
  adapter_->learn({transition_, now_, density_, noise(iteration_)}, tuning_);
  commit(tuning_, transition_, now_);
  ++iteration_;
}

void Batch::begin_sampling(Sink& sink) {
  sampling_ = true;
  for (Index k = 0; k < now_.lanes(); ++k) sink.begin_sampling(first_chain_ + k, tuning_);
  acceptance_sum_.setZero();
}

void Batch::sample(Sink& sink) {
  kernel_->step(density_, tuning_, now_, noise(iteration_), {}, transition_);
  commit(tuning_, transition_, now_);
  divergences_ += transition_.divergent.cast<double>().matrix();
  ++iteration_;
  write(sink);
}

void Batch::report(Monitor& monitor) {
  acceptance_sum_ += transition_.accept;
  const Index phase_begin = iteration_ <= plan_.warmup ? 0 : plan_.warmup;
  const auto done = static_cast<double>(iteration_ - phase_begin);
  for (Index k = 0; k < now_.lanes(); ++k) {
    ChainProgress& progress = monitor.chain[static_cast<std::size_t>(first_chain_ + k)];
    progress.iteration.store(iteration_, std::memory_order_relaxed);
    progress.acceptance.store(acceptance_sum_[k] / done, std::memory_order_relaxed);
  }
}

void Batch::write(Sink& sink) {
  for (Index k = 0; k < now_.lanes(); ++k) {
    const DrawStatistics statistics{.logp = now_.logp[k],
                                    .accept = transition_.accept[k],
                                    .step = tuning_.step,
                                    .tree_depth = static_cast<double>(transition_.tree_depth[k]),
                                    .leapfrogs = static_cast<double>(transition_.leapfrogs[k]),
                                    .divergent = transition_.divergent[k] ? 1.0 : 0.0,
                                    .energy = transition_.energy[k]};
    sink.write(first_chain_ + k, statistics, now_.x.col(k));
  }
}

RunFacts Batch::lane_facts(Index lane) const {
  const auto lanes = static_cast<std::uint64_t>(now_.lanes());
  // What does not divide evenly goes to the first lanes, so that the sum over lanes is exact.
  const auto share = [&](std::uint64_t total) {
    return total / lanes + (static_cast<std::uint64_t>(lane) < total % lanes ? 1 : 0);
  };
  const EvaluationTally& all = density_.tally();
  const Index draws = std::max<Index>(0, iteration_ - plan_.warmup);
  RunFacts facts;
  facts.warmup = plan_.warmup;
  facts.draws = draws;
  facts.seconds = {seconds_.warmup / static_cast<double>(lanes),
                   seconds_.sampling / static_cast<double>(lanes)};
  facts.gradients = {share(warmup_tally_.gradients),
                     share(all.gradients - warmup_tally_.gradients)};
  facts.densities = {share(warmup_tally_.densities),
                     share(all.densities - warmup_tally_.densities)};
  facts.bad_points = share(all.bad_points);
  facts.accept_rate = draws > 0 ? acceptance_sum_[lane] / static_cast<double>(draws) : 0;
  facts.divergences = static_cast<std::uint64_t>(divergences_[lane]);
  return facts;
}

}  // namespace gadwall
