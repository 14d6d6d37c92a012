#include "gadwall/sample.hpp"

#include <utility>

namespace gadwall {

MemorySink::MemorySink(Index chains, Index draws, Index dim)
    : rows_(static_cast<std::size_t>(chains), 0) {
  for (Index c = 0; c < chains; ++c) {
    chains_.push_back({Matrix(draws, dim), Matrix(draws, DrawStatistics::count)});
  }
}

void MemorySink::write(Index chain, const DrawStatistics& s, ConstVectorRef x) {
  const auto c = static_cast<std::size_t>(chain);
  const Index row = rows_[c]++;
  chains_[c].draws.row(row) = x.transpose();
  chains_[c].statistics.row(row) << s.logp, s.accept, s.step, s.tree_depth, s.leapfrogs,
      s.divergent, s.energy;
}

std::vector<Chain> MemorySink::take(Index draws) {
  for (Chain& chain : chains_) {
    chain.draws.conservativeResize(draws, Eigen::NoChange);
    chain.statistics.conservativeResize(draws, Eigen::NoChange);
  }
  return std::move(chains_);
}

SampleResult sample(std::shared_ptr<const Target> target, const SampleOptions& options) {
  return sample(std::move(target), find_sampler(options.sampler), options);
}

SampleResult sample(std::shared_ptr<const Target> target, const SamplerRow& sampler,
                    const SampleOptions& options) {
  const RunPlan plan(target, sampler, options.numbers.value_or(sampler.defaults), options.run);
  MemorySink sink(plan.run.chains, plan.draws, target->dim());
  Monitor monitor(plan.run.chains);
  RunOutcome outcome = run(plan, sink, monitor);
  SampleResult result;
  result.draws.names = target->names();
  result.draws.chains = sink.take(outcome.facts.draws);
  result.draws.facts = outcome.facts;
  result.summary = summarise(result.draws);
  result.tuning = std::move(outcome.tuning);
  return result;
}

}  // namespace gadwall
