#include "samplers/scout.hpp"

#include <algorithm>

#include "adapters/metric.hpp"
#include "kernels/nuts.hpp"

namespace gadwall {
namespace {

// Of the dense metric. It costs n^3 a window, and that of fewer points than dimensions is hardly
// better than a diagonal one.
constexpr Index kIterationsPerDimension = 4;

// Short windows first: the chain is on its way, and what it saw last is the best it knows.
constexpr WindowOptions kScoutWindows{.start = 10, .base = 16, .end = 50};

}  // namespace

Index ScoutOptions::length(const Circumstances& c) const {
  return c.is_tuned ? 0 : std::min(iterations, c.warmup / 2);
}

Stage scout_stage(const ScoutOptions& options, Metric metric, const Circumstances& c) {
  const Index length = options.length(c);
  const bool dense = is_correlated(metric) && c.dim * kIterationsPerDimension <= length;
  const MetricOptions learner{.metric = to_string(dense ? Metric::dense : Metric::diag),
                              .from = "scores",
                              .is_on_its_way = true,
                              .step = {},
                              .windows = kScoutWindows,
                              .warmup = length};
  Stage stage{.name = "scout", .most = length, .lanes = c.lanes, .climbs = true};
  stage.kernel = [] { return std::make_unique<Nuts>(NutsOptions{}); };
  stage.adapter = [learner] { return std::make_unique<MetricAdapter>(learner); };
  return stage;
}

Tuning scouted_tuning(const Tuning& found, Metric metric) {
  return Tuning(found.factor().scaled(found.step).in_form(metric));
}

}  // namespace gadwall
