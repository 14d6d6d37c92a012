#include "run/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "gadwall/error.hpp"

namespace gadwall {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

bool Slice::is_halted() const {
  return std::ranges::any_of(halts, [](const auto* halt) { return halt->load(); });
}

Batch::Batch(const RunPlan& plan, Index first_chain, Index lanes)
    : plan_(plan),
      first_chain_(first_chain),
      density_(*plan.target),
      tuning_(Factor::unit(plan.target->dim())),
      now_(plan.target->dim(), lanes),
      transition_(plan.target->dim(), lanes),
      record_(plan.warmup),
      first_log_density_(Vector::Zero(lanes)),
      acceptance_sum_(Vector::Zero(lanes)),
      moved_at_(static_cast<std::size_t>(lanes), 0),
      divergences_(static_cast<std::size_t>(lanes), 0),
      earlier_(static_cast<std::size_t>(lanes)),
      last_beta_(std::numeric_limits<double>::quiet_NaN()),
      kept_(plan, lanes) {}

LaneNoise Batch::noise(Index iteration) const {
  return {plan_.run.seed, static_cast<std::uint32_t>(first_chain_),
          static_cast<std::uint64_t>(iteration)};
}

void Batch::place(const Start& start) {
  const auto begin = Clock::now();
  for (Index k = 0; k < now_.lanes(); ++k) start.place(density_, noise(0).lane(k), k, now_);
  first_log_density_ = now_.logp;
  seconds_.warmup += seconds_since(begin);
  warmup_tally_ = density_.tally();
}

void Batch::take_lanes(const std::vector<std::unique_ptr<Batch>>& others) {
  std::vector<AdaptationRecord::Source> sources;
  for (Index k = 0; k < now_.lanes(); ++k) {
    const Index chain = first_chain_ + k;
    Batch& other = **std::ranges::find_if(others, [chain](const auto& batch) {
      return chain < batch->first_chain_ + batch->lanes();
    });
    const Index lane = chain - other.first_chain_;
    const auto to = static_cast<std::size_t>(k);
    const auto from = static_cast<std::size_t>(lane);
    now_.x.col(k) = other.now_.x.col(lane);
    now_.logp[k] = other.now_.logp[lane];
    now_.grad.col(k) = other.now_.grad.col(lane);
    first_log_density_[k] = other.first_log_density_[lane];
    moved_at_[to] = other.moved_at_[from];
    divergences_[to] = other.divergences_[from];
    earlier_[to] = other.costs(lane);
    kept_.take(k, other.kept_, lane);
    iteration_ = other.iteration_;
    gradient_is_current_ = other.gradient_is_current_;
    last_beta_ = other.last_beta_;
    sources.push_back({&other.record_, lane});
  }
  record_ = AdaptationRecord::regrouped(sources);
}

void Batch::employ(const Stage& stage) {
  stage_name_ = stage.name;
  kernel_ = stage.kernel();
  adapter_ = stage.adapter ? stage.adapter() : nullptr;
  transition_ = Transition(now_.dim(), now_.lanes());  // no energies or depths of another kernel
}

Tuning Batch::first_tuning() const {
  return adapter_ != nullptr ? adapter_->initial_tuning(now_.dim())
                             : Tuning(Factor::unit(now_.dim()));
}

void Batch::begin(std::optional<Tuning> tuning, bool teaches) {
  const auto begin = Clock::now();
  stage_begin_ = iteration_;
  acceptance_sum_.setZero();
  if (tuning) {
    tuning_ = *std::move(tuning);
    now_.whitened_version = 0;  // versions of another tuning
  }
  refresh_gradient();
  if (adapter_ == nullptr) return;
  if (teaches) adapter_->start(now_, density_, noise(iteration_), tuning_);
  last_beta_ = adapter_->entropy_weight();
  seconds_.warmup += seconds_since(begin);
  warmup_tally_ = density_.tally();
}

Wants Batch::wants() const {
  return adapter_ != nullptr ? adapter_->wants() : Wants{};
}

/// A stage without gradients leaves none behind for one that uses them.
void Batch::refresh_gradient() {
  const bool needed = kernel_->uses_gradient() || wants().gradient;
  if (gradient_is_current_ || !needed) return;
  density_.gradient(now_.x, now_.logp, now_.grad);
  now_.whitened_version = 0;
  gradient_is_current_ = true;
}

void Batch::finish_learning() {
  if (adapter_ == nullptr) return;
  if (iteration_ > stage_begin_) adapter_->finish(tuning_);
  check_tuning();
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
  warmup_tally_ = density_.tally();
  spend(seconds_since(begin), true, monitor);
}

void Batch::warm_up_once() {
  const Wants wanted = wants();
  kernel_->step(density_, tuning_, now_, noise(iteration_), wanted, transition_);
  gradient_is_current_ = kernel_->uses_gradient() || wanted.gradient;
  if (adapter_ != nullptr) {
    adapter_->learn({transition_, now_, density_, noise(iteration_), iteration_ - stage_begin_},
                    tuning_);
    last_beta_ = adapter_->entropy_weight();
  }
  commit(tuning_, transition_, now_);
  count_transition();
  record_.add(transition_);
  if (record_.is_due(iteration_)) {
    record_.add_row(iteration_, tuning_, last_beta_, now_.logp);
    if (record_.may_be_broken()) check_tuning();
  }
}

/// Without it such a run goes on to its end, and no chain moves again.
void Batch::check_tuning() const {
  const bool factor = !tuning_.factor().is_finite();
  if (!factor && std::isfinite(tuning_.step)) return;
  const Index last = first_chain_ + now_.lanes();
  const std::string chains = now_.lanes() == 1
                                 ? fmt::format("chain {}", last)
                                 : fmt::format("chains {} to {}", first_chain_ + 1, last);
  throw RunError(fmt::format(
      "{} of {} is no longer finite: {}, after iteration {} of {}; it learns too fast for this "
      "target",
      factor ? "the factor L" : "the step", plan_.sampler->name, chains, iteration_, stage_name_));
}

void Batch::sample(const Slice& slice, Sink& sink, Monitor& monitor) {
  const auto begin = Clock::now();
  do {
    sample_once();
    if ((iteration_ - stage_begin_) % plan_.run.thin != 0) continue;
    for (Index k = 0; k < now_.lanes(); ++k) {
      sink.write(first_chain_ + k, statistics(k), kept_values(k));
    }
  } while (iteration_ < slice.until && !slice.is_halted() && seconds_since(begin) < slice.seconds);
  spend(seconds_since(begin), false, monitor);
}

void Batch::sample_once() {
  kernel_->step(density_, tuning_, now_, noise(iteration_), {}, transition_);
  commit(tuning_, transition_, now_);
  count_transition();
  for (std::size_t k = 0; k < divergences_.size(); ++k) {
    divergences_[k] += transition_.divergent[static_cast<Index>(k)] ? 1 : 0;
  }
}

void Batch::spend(double seconds, bool warming, Monitor& monitor) {
  (warming ? seconds_.warmup : seconds_.sampling) += seconds;
  report(monitor);
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
  return kept_.of(lane, now_.x.col(lane), noise(iteration_ - 1).lane(lane));
}

void Batch::report(Monitor& monitor) const {
  const auto done = static_cast<double>(std::max<Index>(1, iteration_ - stage_begin_));
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
    progress.gradients.store(static_cast<Index>(costs(k).gradients.total()), relaxed);
  }
}

Learnt Batch::learnt() const {
  return {tuning_, record_.trace(), last_beta_};
}

Member Batch::member() {
  return {first_chain_,
          iteration_ - stage_begin_,
          acceptance_sum_.mean(),
          adapter_.get(),
          tuning_,
          now_,
          density_};
}

/// What does not divide evenly goes to the first lanes, so that the sum over lanes is exact.
LaneCosts Batch::costs(Index lane) const {
  const auto lanes = static_cast<std::uint64_t>(now_.lanes());
  const auto share = [&](std::uint64_t total) {
    return total / lanes + (static_cast<std::uint64_t>(lane) < total % lanes ? 1 : 0);
  };
  const EvaluationTally& all = density_.tally();
  LaneCosts costs = earlier_[static_cast<std::size_t>(lane)];
  costs.seconds.warmup += seconds_.warmup / static_cast<double>(lanes);
  costs.seconds.sampling += seconds_.sampling / static_cast<double>(lanes);
  costs.gradients.warmup += share(warmup_tally_.gradients);
  costs.gradients.sampling += share(all.gradients - warmup_tally_.gradients);
  costs.densities.warmup += share(warmup_tally_.densities);
  costs.densities.sampling += share(all.densities - warmup_tally_.densities);
  costs.bad_points += share(all.bad_points);
  return costs;
}

RunFacts Batch::lane_facts(Index lane) const {
  const LaneCosts costs = this->costs(lane);
  const Index done = iteration_ - stage_begin_;
  RunFacts facts;
  facts.warmup = stage_begin_;
  facts.seconds = costs.seconds;
  facts.gradients = costs.gradients;
  facts.densities = costs.densities;
  facts.bad_points = costs.bad_points;
  facts.accept_rate = done > 0 ? acceptance_sum_[lane] / static_cast<double>(done) : 0;
  facts.divergences = static_cast<std::uint64_t>(divergences_[static_cast<std::size_t>(lane)]);
  return facts;
}

void Batch::archive(Archive& a) {
  a("iteration", iteration_);
  a("stage begin", stage_begin_);
  a("gradient is current", gradient_is_current_);
  a("tuning", tuning_);
  if (adapter_ != nullptr) a("adapter", *adapter_);
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
  a("beta", last_beta_);
  if (kept_.evolve()) a("kept values", kept_);
  for (std::size_t k = 0; k < earlier_.size(); ++k) {
    a(("earlier costs " + std::to_string(k)).c_str(), earlier_[k]);
  }
}

void LaneCosts::archive(Archive& a) {
  a("seconds of warm-up", seconds.warmup);
  a("seconds of sampling", seconds.sampling);
  a("gradients of warm-up", gradients.warmup);
  a("gradients of sampling", gradients.sampling);
  a("densities of warm-up", densities.warmup);
  a("densities of sampling", densities.sampling);
  a("bad points", bad_points);
}

}  // namespace gadwall
