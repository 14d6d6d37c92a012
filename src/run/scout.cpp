#include "run/scout.hpp"

#include <algorithm>

#include "adapters/metric.hpp"
#include "kernels/nuts.hpp"

namespace gadwall {

// Of the dense metric. It costs n^3 a window, and that of fewer points than dimensions is hardly
// better than a diagonal one.
constexpr Index kIterationsPerDimension = 4;

// Short windows first: the chain is on its way, and what it saw last is the best it knows.
constexpr WindowOptions kWindows{.start = 10, .base = 16, .end = 50};

namespace {

constexpr int kMostSearches = 100;
constexpr int kMostHalvings = 200;

/// A point of a line search.
struct Trial {
  Trial(Evaluator& density, const Vector& at) : x(at), grad(at.size()) {
    density.gradient(x, logp, grad);
  }
  bool is_better_than(const Trial& other) const { return logp[0] > other.logp[0]; }

  Vector x;
  Vector logp = Vector::Zero(1);
  Vector grad;
};

/// The best point found along the gradient from `start`: doubles a step that gains while it gains
/// more, or halves one that does not until it does.
Trial search_line(Evaluator& density, const Trial& start) {
  const Vector direction = start.grad.stableNormalized();
  double step = 1;
  const auto at = [&](double t) { return Trial(density, start.x + t * direction); };
  Trial best = at(step);
  if (best.is_better_than(start)) {
    for (Trial next = at(step *= 2); next.is_better_than(best); next = at(step *= 2)) best = next;
    return best;
  }
  for (int i = 0; i < kMostHalvings && !best.is_better_than(start); ++i) best = at(step /= 2);
  return best;
}

}  // namespace

void leave_far_tail(Evaluator& density, Index lane, State& state) {
  const double much = 100 + 10 * static_cast<double>(state.dim());
  Trial now(density, state.x.col(lane));
  for (int i = 0; i < kMostSearches && now.grad.stableNorm() > 0; ++i) {
    const Trial next = search_line(density, now);
    if (!(next.logp[0] - now.logp[0] > much)) break;
    now = next;
  }
  state.x.col(lane) = now.x;
  state.logp[lane] = now.logp[0];
  state.grad.col(lane) = now.grad;
}

Index scout_iterations(const RunPlan& plan) {
  const bool learns_scales = std::ranges::count(plan.sampler->options, "scout") > 0;
  return plan.run.tuning || !learns_scales ? 0 : std::min(plan.options.scout, plan.warmup / 2);
}

std::unique_ptr<Kernel> scout_kernel() {
  return std::make_unique<Nuts>(NutsOptions{});
}

std::unique_ptr<Adapter> scout_adapter(const RunPlan& plan) {
  const Index iterations = scout_iterations(plan);
  const bool dense = plan.options.metric == Metric::dense &&
                     plan.target->dim() * kIterationsPerDimension <= iterations;
  return std::make_unique<MetricAdapter>(
      MetricOptions{.metric = dense ? Metric::dense : Metric::diag,
                    .balanced = true,
                    .step = {},
                    .windows = kWindows,
                    .warmup = iterations});
}

Tuning scouted_tuning(const Tuning& found, Metric metric) {
  if (metric == Metric::diag)
    return Tuning(Factor::diagonal(found.step * found.factor().diagonal()));
  return Tuning(Factor::dense(found.step * found.factor().matrix()));
}

}  // namespace gadwall
