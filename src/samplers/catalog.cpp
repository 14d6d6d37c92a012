// Every sampler, one row each.
#include "gadwall/catalog.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "adapters/covariance.hpp"
#include "adapters/metric.hpp"
#include "adapters/speed_measure.hpp"
#include "adapters/step.hpp"
#include "gadwall/error.hpp"
#include "kernels/hmc.hpp"
#include "kernels/langevin.hpp"
#include "kernels/nuts.hpp"
#include "kernels/random_walk.hpp"
#include "text/nearest_name.hpp"

namespace gadwall {
namespace {

using Options = SamplerOptions;

template <class K>
std::unique_ptr<Kernel> plain_kernel(const Options&) {
  return std::make_unique<K>();
}

std::unique_ptr<Kernel> hmc_kernel(const Options& o) {
  return std::make_unique<Hmc>(HmcOptions{
      .leapfrogs = o.leapfrog, .jitter = o.jitter, .max_energy_error = o.max_energy_error});
}

std::unique_ptr<Kernel> nuts_kernel(const Options& o) {
  return std::make_unique<Nuts>(
      NutsOptions{.max_depth = o.max_depth, .max_energy_error = o.max_energy_error});
}

StepOptions step_options(const Options& o, double rule, bool variance) {
  return {.initial = o.step > 0 ? o.step : rule,
          .target_accept = o.target_accept,
          .rate = o.step_rate,
          .variance = variance};
}

/// Proposal variance delta_0 = 0.5 / n, as in the released experiments.
std::unique_ptr<Adapter> variance_step(const Options& o, Index n, Index) {
  const double rule = std::sqrt(0.5 / static_cast<double>(n));
  return std::make_unique<StepAdapter>(step_options(o, rule, true));
}

std::unique_ptr<Adapter> leapfrog_step(const Options& o, Index n, Index) {
  const double rule = 0.5 / static_cast<double>(n);
  return std::make_unique<StepAdapter>(step_options(o, rule, false));
}

std::unique_ptr<Adapter> covariance(const Options& o, Index n, Index warmup) {
  const double rule = std::sqrt(0.1 / std::sqrt(static_cast<double>(n)));
  const double quarter = std::max(1.0, static_cast<double>(warmup) / 4);
  return std::make_unique<CovarianceAdapter>(
      CovarianceOptions{.metric = o.metric,
                        .initial_scale = o.initial_scale,
                        .rate = o.covariance_rate,
                        .horizon = o.covariance_horizon > 0 ? o.covariance_horizon : quarter,
                        .mean_rate = o.mean_rate,
                        .step = step_options(o, rule, true)});
}

template <Proposal proposal>
std::unique_ptr<Adapter> speed_measure(const Options& o, Index, Index) {
  return std::make_unique<SpeedMeasureAdapter>(
      SpeedMeasureOptions{.proposal = proposal,
                          .metric = o.metric,
                          .target_accept = o.target_accept,
                          .learning_rate = o.learning_rate,
                          .memory = o.memory,
                          .initial_scale = o.initial_scale,
                          .relative = o.scout > 0,
                          .diagonal_floor = o.diagonal_floor,
                          .beta = o.beta,
                          .beta_rate = o.beta_rate,
                          .beta_floor = o.beta_floor});
}

std::unique_ptr<Adapter> windowed_metric(const Options& o, Index, Index warmup) {
  return std::make_unique<MetricAdapter>(MetricOptions{
      .metric = o.metric,
      .initial_step = o.step,
      .step = {.target = o.target_accept,
               .gamma = o.averaging_gamma,
               .t0 = o.averaging_t0,
               .kappa = o.averaging_kappa},
      .windows = {.start = o.window_start, .base = o.window_base, .end = o.window_end},
      .warmup = warmup});
}

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// The paper's lengths; nuts has Stan's.
constexpr Index kPaper = 20000;
constexpr Index kStan = 1000;

std::vector<SamplerRow> make_rows() {
  const std::vector<std::string> step = {"target-accept", "step", "step-rate"};
  const std::vector<std::string> gad = {
      "metric",         "target-accept", "learning-rate", "memory",     "initial-scale",
      "diagonal-floor", "beta",          "beta-rate",     "beta-floor", "scout"};
  const std::vector<Metric> unit = {Metric::unit};
  const std::vector<Metric> learnt = {Metric::diag, Metric::dense};
  return {
      {"rwm", "random walk Metropolis, one step size", step, unit,
       Options{.metric = Metric::unit, .target_accept = 0.25}, kPaper, kPaper, false,
       plain_kernel<RandomWalk>, variance_step},
      {"am", "adaptive Metropolis: random walk with the covariance of the past",
       step + std::vector<std::string>{"metric", "initial-scale", "covariance-rate",
                                       "covariance-horizon", "mean-rate"},
       learnt, Options{.target_accept = 0.25, .initial_scale = 1}, kPaper, kPaper, false,
       plain_kernel<RandomWalk>, covariance},
      {"gadrwm", "random walk whose full covariance is learnt from every proposal", gad, learnt,
       Options{.target_accept = 0.25, .learning_rate = 5e-5}, kPaper, kPaper, true,
       plain_kernel<RandomWalk>, speed_measure<Proposal::random_walk>},
      {"mala", "Metropolis-adjusted Langevin, one step size", step, unit,
       Options{.metric = Metric::unit, .target_accept = 0.54}, kPaper, kPaper, false,
       plain_kernel<Langevin>, variance_step},
      {"gadmala", "Langevin whose full covariance is learnt from every proposal (fast)", gad,
       learnt, Options{}, kPaper, kPaper, true, plain_kernel<Langevin>,
       speed_measure<Proposal::langevin_fast>},
      {"gadmala-exact", "gadmala with the exact gradient: one Hessian-vector product more", gad,
       learnt, Options{}, kPaper, kPaper, true, plain_kernel<Langevin>,
       speed_measure<Proposal::langevin_exact>},
      {"hmc", "Hamiltonian Monte Carlo, a fixed number of leapfrog steps",
       step + std::vector<std::string>{"leapfrog", "jitter", "max-energy-error"}, unit,
       Options{.metric = Metric::unit, .target_accept = 0.7}, kPaper, kPaper, false, hmc_kernel,
       leapfrog_step},
      {"nuts",
       "no-U-turn sampler, as in Stan",
       {"metric", "target-accept", "step", "max-depth", "max-energy-error", "averaging-gamma",
        "averaging-t0", "averaging-kappa", "window-start", "window-base", "window-end"},
       {Metric::unit, Metric::diag, Metric::dense},
       Options{.metric = Metric::diag, .target_accept = 0.8},
       kStan,
       kStan,
       false,
       nuts_kernel,
       windowed_metric},
  };
}

void check_range(const SamplerOptions& options, const OptionInfo& info) {
  std::visit(
      [&](auto field) {
        if constexpr (!std::is_same_v<decltype(field), Metric SamplerOptions::*>) {
          const auto value = static_cast<double>(options.*field);
          const bool inside = info.open ? value > info.least && value < info.most
                                        : value >= info.least && value <= info.most;
          if (inside) return;
          const std::string above =
              fmt::format("{} {}", info.open ? "above" : "at least", info.least);
          const std::string below =
              info.most >= 1e300
                  ? ""
                  : fmt::format(" and {} {}", info.open ? "below" : "at most", info.most);
          throw UsageError(
              fmt::format("--{} is {}, expected a number {}{}", info.name, value, above, below));
        }
      },
      info.field);
}

}  // namespace

const std::vector<SamplerRow>& samplers() {
  static const std::vector<SamplerRow> rows = make_rows();
  return rows;
}

const SamplerRow& find_sampler(const std::string& name) {
  std::vector<std::string> names;
  for (const SamplerRow& row : samplers()) {
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  refuse_unknown("sampler", name, names);
}

SamplerOptions defaults(const std::string& sampler) {
  return find_sampler(sampler).defaults;
}

void check_options(const SamplerRow& row, const SamplerOptions& options) {
  for (const OptionInfo& info : option_table()) {
    if (std::ranges::count(row.options, info.name) > 0) check_range(options, info);
  }
  if (std::ranges::count(row.metrics, options.metric) > 0) return;
  std::vector<std::string> allowed;
  for (const Metric metric : row.metrics) allowed.push_back(to_string(metric));
  throw UsageError(fmt::format("sampler {} cannot learn a {} metric; it takes {}", row.name,
                               to_string(options.metric), fmt::join(allowed, " or ")));
}

std::map<std::string, std::string> used_settings(const SamplerRow& row,
                                                 const SamplerOptions& options) {
  std::map<std::string, std::string> settings;
  for (const OptionInfo& info : option_table()) {
    if (std::ranges::count(row.options, info.name) > 0) {
      settings.emplace(info.name, option_text(options, info));
    }
  }
  return settings;
}

}  // namespace gadwall
