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
constexpr WindowOptions kWindows{.start = 10, .base = 16, .end = 50};

}  // namespace

Index scout_iterations(const RunPlan& plan) {
  const bool learns_scales = std::ranges::count(plan.sampler->options, "scout") > 0;
  return plan.run.tuning || !learns_scales ? 0 : std::min(plan.options.scout, plan.warmup / 2);
}

std::unique_ptr<Kernel> scout_kernel() {
  return std::make_unique<Nuts>(NutsOptions{});
}

std::unique_ptr<Adapter> scout_adapter(const RunPlan& plan) {
  const Index iterations = scout_iterations(plan);
  const bool dense = is_correlated(plan.options.metric) &&
                     plan.target->dim() * kIterationsPerDimension <= iterations;
  return std::make_unique<MetricAdapter>(
      MetricOptions{.metric = dense ? Metric::dense : Metric::diag,
                    .balanced = true,
                    .step = {},
                    .windows = kWindows,
                    .warmup = iterations});
}

Tuning scouted_tuning(const Tuning& found, Metric metric) {
  return Tuning(found.factor().scaled(found.step).in_form(metric));
}

}  // namespace gadwall
