// What a batch tells of itself: how far it is, what it learnt and cost, everything that evolves.
#include <algorithm>

#include "run/batch.hpp"

namespace gadwall {

void Batch::report(Monitor& monitor) {
  unreported_seconds_ = 0;
  const auto done = static_cast<double>(std::max<Index>(1, iteration_ - stage_begin_));
  const double log_determinant = tuning_.factor().log_determinant();
  const Vector& log_density = model_log_density();
  constexpr auto relaxed = std::memory_order_relaxed;
  for (Index k = 0; k < now_.lanes(); ++k) {
    const auto lane = static_cast<std::size_t>(k);
    ChainProgress& progress = monitor.chain[static_cast<std::size_t>(first_chain_) + lane];
    progress.iteration.store(iteration_, relaxed);
    progress.acceptance.store(acceptance_sum_[k] / done, relaxed);
    progress.log_density.store(log_density[k], relaxed);
    progress.first_log_density.store(first_log_density_[k], relaxed);
    progress.moved_at.store(moved_at_[lane], relaxed);
    progress.divergences.store(divergences_[lane], relaxed);
    progress.step.store(tuning_.step, relaxed);
    progress.log_determinant.store(log_determinant, relaxed);
    progress.gradients.store(static_cast<Index>(costs(k).gradients.total()), relaxed);
  }
}

Learnt Batch::learnt() const {
  return {tuning_, record_.trace(), recorded()};
}

NamedNumbers Batch::recorded() const {
  return adapter_ != nullptr ? adapter_->record(record_.recent(), tuning_) : recorded_;
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

MeasuredFacts Batch::lane_facts(Index lane) const {
  const LaneCosts costs = this->costs(lane);
  const Index done = iteration_ - stage_begin_;
  MeasuredFacts facts;
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
  a("recorded", recorded_);
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
