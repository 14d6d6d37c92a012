#include "run/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "gadwall/error.hpp"
#include "run/batch_of.hpp"
#include "warps/rewarp.hpp"

namespace gadwall {
namespace {

using Clock = std::chrono::steady_clock;

// Of work between two reports: logarithms of n diagonal entries and costs of K lanes are more than
// a meeting after five iterations should cost, and nobody looks so often.
constexpr double kReportSeconds = 0.01;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

bool Slice::is_halted() const {
  return std::ranges::any_of(halts,
                             [](const auto* halt) { return halt != nullptr && halt->load(); });
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
      statistics_(static_cast<Index>(plan.statistics.size())),
      kept_(plan, lanes) {}

LaneNoise Batch::noise(Index iteration) const {
  return {plan_.run.seed, static_cast<std::uint32_t>(plan_.run.chain_offset + first_chain_),
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
    Batch& other = **batch_of(others, chain);
    const Index lane = chain - other.first_chain_;
    const auto to = static_cast<std::size_t>(k);
    const auto from = static_cast<std::size_t>(lane);
    now_.x.col(k) = other.now_.x.col(lane);
    now_.logp[k] = other.now_.logp[lane];
    now_.grad.col(k) = other.now_.grad.col(lane);
    rewarp(other.tuning_.warp.get(), nullptr, now_.x.col(k), now_.logp.segment(k, 1),
           now_.grad.col(k));
    first_log_density_[k] = other.first_log_density_[lane];
    moved_at_[to] = other.moved_at_[from];
    divergences_[to] = other.divergences_[from];
    earlier_[to] = other.costs(lane);
    kept_.take(k, other.kept_, lane);
    iteration_ = other.iteration_;
    gradient_is_current_ = other.gradient_is_current_;
    recorded_ = other.recorded();
    sources.push_back({&other.record_, lane});
  }
  record_ = AdaptationRecord::regrouped(sources);
}

void Batch::enter(const Stage& stage) {
  recorded_ = recorded();
  stage_name_ = stage.name;
  kernel_ = stage.kernel();
  adapter_ = stage.adapter ? stage.adapter() : nullptr;
  own_columns_.clear();
  for (const Statistic& own : kernel_->own_statistics()) {
    own_columns_.push_back(find_statistic(plan_.statistics, own.name));
  }
  // A new one: no energies or depths of another kernel.
  transition_ = Transition(now_.dim(), now_.lanes(), static_cast<Index>(own_columns_.size()));
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
    rewarp(tuning_.warp.get(), tuning->warp.get(), now_);
    tuning_ = *std::move(tuning);
    density_.look_through(tuning_.warp);
    now_.whitened_version = 0;  // versions of another tuning
  }
  refresh_gradient();
  if (adapter_ == nullptr) return;
  if (teaches) adapter_->start(now_, density_, noise(iteration_), tuning_);
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
  note_mover();
  do {
    warm_up_once();
    if (!plan_.run.save_warmup || iteration_ % plan_.run.thin != 0) continue;
    look_at_model();
    for (Index k = 0; k < now_.lanes(); ++k) {
      sink.write_warmup(first_chain_ + k, statistics(k), kept_values(k));
    }
  } while (iteration_ < slice.until && !slice.is_halted() && seconds_since(begin) < slice.seconds);
  warmup_tally_ = density_.tally();
  spend(seconds_since(begin), true, monitor);
}

void Batch::warm_up_once() {
  const Wants wanted = wants();
  density_.look_through(tuning_.warp);  // a meeting may have changed it
  kernel_->step(density_, tuning_, now_, noise(iteration_), wanted, transition_);
  gradient_is_current_ = kernel_->uses_gradient() || wanted.gradient;
  if (adapter_ != nullptr) {
    adapter_->learn({transition_, now_, density_, noise(iteration_), iteration_ - stage_begin_},
                    tuning_);
  }
  commit(tuning_, transition_, now_);
  count_transition();
  record_.add(transition_);
  if (record_.is_due(iteration_)) {
    const bool learns = adapter_ != nullptr;
    record_.add_row(iteration_, tuning_, learns ? recorded() : NamedNumbers(), model_log_density());
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
  note_mover();
  do {
    sample_once();
    if ((iteration_ - stage_begin_) % plan_.run.thin != 0) continue;
    look_at_model();
    for (Index k = 0; k < now_.lanes(); ++k) {
      sink.write(first_chain_ + k, statistics(k), kept_values(k));
    }
  } while (iteration_ < slice.until && !slice.is_halted() && seconds_since(begin) < slice.seconds);
  spend(seconds_since(begin), false, monitor);
}

void Batch::sample_once() {
  density_.look_through(tuning_.warp);
  kernel_->step(density_, tuning_, now_, noise(iteration_), {}, transition_);
  commit(tuning_, transition_, now_);
  count_transition();
  for (std::size_t k = 0; k < divergences_.size(); ++k) {
    divergences_[k] += transition_.divergent[static_cast<Index>(k)] ? 1 : 0;
  }
}

void Batch::note_mover() {
  thread_local std::uint64_t slices = 0;
  moved_by_ = std::this_thread::get_id();
  moved_last_ = ++slices;
}

void Batch::spend(double seconds, bool warming, Monitor& monitor) {
  (warming ? seconds_.warmup : seconds_.sampling) += seconds;
  unreported_seconds_ += seconds;
  if (unreported_seconds_ >= kReportSeconds) report(monitor);
}

void Batch::count_transition() {
  ++iteration_;
  acceptance_sum_ += transition_.accept;
  for (std::size_t k = 0; k < moved_at_.size(); ++k) {
    if (transition_.accepted[static_cast<Index>(k)]) moved_at_[k] = iteration_;
  }
}

void Batch::look_at_model() {
  if (!tuning_.warp) return;
  tuning_.warp->to_model(now_.x, trail_);
  if (!plan_.run.save_scores) return;
  model_scores_ = now_.grad;
  tuning_.warp->push_scores(trail_, model_scores_);
}

/// K; states carry that of the sampler's coordinates.
const Vector& Batch::model_log_density() const {
  if (!tuning_.warp) return now_.logp;
  thread_local WarpTrail trail;
  tuning_.warp->to_model(now_.x, trail);
  model_log_density_ = now_.logp - trail.log_jacobian;
  return model_log_density_;
}

/// In the order of common_statistics, then the kernels' own, then the scores.
DrawStatistics Batch::statistics(Index lane) {
  statistics_.setZero();
  const double log_jacobian = tuning_.warp ? trail_.log_jacobian[lane] : 0;
  statistics_.head<7>() << now_.logp[lane] - log_jacobian, transition_.accept[lane], tuning_.step,
      static_cast<double>(transition_.tree_depth[lane]),
      static_cast<double>(transition_.leapfrogs[lane]), transition_.divergent[lane] ? 1.0 : 0.0,
      transition_.energy[lane];
  for (std::size_t j = 0; j < own_columns_.size(); ++j) {
    statistics_[own_columns_[j]] = transition_.own(lane, static_cast<Index>(j));
  }
  if (plan_.run.save_scores) {
    statistics_.tail(now_.dim()) = (tuning_.warp ? model_scores_ : now_.grad).col(lane);
  }
  return statistics_;
}

ConstVectorRef Batch::kept_values(Index lane) {
  const Matrix& x = tuning_.warp ? trail_.model() : now_.x;
  return kept_.of(lane, x.col(lane), noise(iteration_ - 1).lane(lane));
}

}  // namespace gadwall
