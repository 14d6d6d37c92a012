#include "gadwall/sample.hpp"

#include <algorithm>
#include <utility>

#include "gadwall/error.hpp"
#include "run/before_run.hpp"
#include "run/watch.hpp"

namespace gadwall {

MemorySink::MemorySink(const RunPlan& plan)
    : facts_(plan.facts()),
      names_(plan.output_names()),
      columns_(plan.statistics),
      values_(static_cast<std::size_t>(plan.run.chains)),
      statistics_(static_cast<std::size_t>(plan.run.chains)) {}

void MemorySink::write(Index chain, const DrawStatistics& statistics, ConstVectorRef values) {
  const auto c = static_cast<std::size_t>(chain);
  values_[c].insert(values_[c].end(), values.begin(), values.end());
  statistics_[c].insert(statistics_[c].end(), statistics.begin(), statistics.end());
}

/// Draws come one after the other; a chain has one parameter after the other. As many of each chain
/// as all have.
Draws MemorySink::so_far() {
  std::size_t least = values_.front().size();
  for (const std::vector<double>& chain : values_) least = std::min(least, chain.size());
  const Index draws_of_all =
      static_cast<Index>(least) / std::max<Index>(1, static_cast<Index>(names_.size()));
  const auto columns = [&](const std::vector<double>& rows, Index count) -> Matrix {
    return Eigen::Map<const Matrix>(rows.data(), count, draws_of_all).transpose();
  };
  Draws draws;
  static_cast<PlannedFacts&>(draws.facts) = facts_;
  draws.names = names_;
  draws.statistics = columns_;
  draws.facts.draws = draws_of_all;
  const auto width = static_cast<Index>(columns_.size());
  for (std::size_t c = 0; c < values_.size(); ++c) {
    draws.chains.push_back({columns(values_[c], draws.dim()), columns(statistics_[c], width)});
  }
  return draws;
}

SampleResult sample(std::shared_ptr<const Target> target, const SampleOptions& options) {
  return sample(std::move(target), find_sampler(options.sampler), options);
}

SampleResult sample(std::shared_ptr<const Target> target, const SamplerRow& sampler,
                    const SampleOptions& options) {
  if (options.run.save_warmup) {
    throw UsageError(
        "save_warmup is for a Sink that takes the states of warm-up; sample() does not");
  }
  const RunPlan plan(std::move(target), sampler, options.settings, options.run);
  SampleResult result;
  result.warnings = warnings_before(plan, options);
  MemorySink sink(plan);
  Monitor monitor(plan.run.chains);
  RunOutcome outcome = [&] {
    const Watch watch(plan, monitor, options);
    return run(plan, sink, monitor);
  }();
  result.draws = sink.so_far();
  result.draws.facts = outcome.facts;
  result.draws.facts.target = options.name;
  result.draws.learnt = std::move(outcome.learnt);
  if (result.draws.draws() > 0) result.summary = summarise(result.draws);
  return result;
}

}  // namespace gadwall
