// Every sampler, one row each.
#include "gadwall/catalog.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "adapters/covariance.hpp"
#include "adapters/inverse_fisher.hpp"
#include "adapters/metric.hpp"
#include "adapters/step.hpp"
#include "gadwall/error.hpp"
#include "kernels/hmc.hpp"
#include "kernels/langevin.hpp"
#include "kernels/nuts.hpp"
#include "kernels/random_walk.hpp"
#include "samplers/auto.hpp"
#include "samplers/gad.hpp"
#include "text/nearest_name.hpp"

namespace gadwall {
namespace {

// The paper's lengths; nuts has Stan's.
constexpr Index kPaper = 20000;
constexpr Index kStan = 1000;

/// A factory of parts that are made from their options alone.
template <class Part, class... Options>
auto part(Options... options) {
  return [options...] { return std::make_unique<Part>(options...); };
}

StepOptions with_rule(StepOptions step, double rule) {
  if (step.initial == 0) step.initial = rule;
  return step;
}

/// Proposal variance delta_0 = 0.5 / n, as in the released experiments.
template <class K>
SamplerRow one_step(SamplerTitle title, double target_accept) {
  return make_sampler(std::move(title), StepOptions{.target_accept = target_accept},
                      [](const StepOptions& o, const Circumstances& c) {
                        const double rule = std::sqrt(0.5 / static_cast<double>(c.dim));
                        return learn_then_draw(c, part<K>(), part<StepAdapter>(with_rule(o, rule)));
                      });
}

SamplerRow adaptive_metropolis(SamplerTitle title) {
  return make_sampler(std::move(title), CovarianceOptions{.step = {.target_accept = 0.25}},
                      [](CovarianceOptions o, const Circumstances& c) {
                        o.step = with_rule(o.step,
                                           std::sqrt(0.1 / std::sqrt(static_cast<double>(c.dim))));
                        o.warmup = c.warmup;
                        return learn_then_draw(c, part<RandomWalk>(), part<CovarianceAdapter>(o));
                      });
}

template <class Options>
SamplerRow gad(SamplerTitle title, SpeedMeasureOptions learner,
               std::vector<Stage> (*stages)(const Options&, const Circumstances&)) {
  title.settles = true;
  Options options;
  options.learner = learner;
  return make_sampler(std::move(title), options, stages);
}

/// The paper's step alone at first, where there is time for it.
SamplerRow fisher_langevin(SamplerTitle title) {
  return make_sampler(std::move(title), InverseFisherOptions{},
                      [](InverseFisherOptions o, const Circumstances& c) {
                        if (o.step == 0) o.step = std::sqrt(0.5 / static_cast<double>(c.dim));
                        o.step_alone = std::min(o.step_alone, c.warmup / 4);
                        return learn_then_draw(c, part<Langevin>(), part<InverseFisherAdapter>(o));
                      });
}

/// Unit mass and a step that follows the acceptance, as in the paper; or a metric, and then Stan's
/// warm-up.
struct StaticOptions {
  HmcOptions kernel;
  StepOptions step{.target_accept = 0.7, .variance = false};
  MetricOptions learner{.metric = "unit", .step = {}, .windows = {}};

  void describe(OptionFields& o) {
    step.describe(o);
    kernel.describe(o);
    learner.describe_metric(o);
  }
};

MetricOptions in_circumstances(MetricOptions learner, const Circumstances& c) {
  learner.warmup = c.warmup;
  learner.is_tuned = c.is_tuned;
  return learner;
}

SamplerRow static_hmc(SamplerTitle title) {
  title.stan_engine = "static";
  return make_sampler(
      std::move(title), StaticOptions{}, [](const StaticOptions& o, const Circumstances& c) {
        const double rule = 0.5 / static_cast<double>(c.dim);
        if (o.learner.form() == Metric::unit) {
          return learn_then_draw(c, part<Hmc>(o.kernel),
                                 part<StepAdapter>(with_rule(o.step, rule)));
        }
        MetricOptions learner = in_circumstances(o.learner, c);
        learner.initial_step = o.step.initial;
        learner.step.target = o.step.target_accept;
        return learn_then_draw(c, part<Hmc>(o.kernel), part<MetricAdapter>(learner));
      });
}

struct NoUTurnOptions {
  NutsOptions kernel;
  MetricOptions learner;

  void describe(OptionFields& o) {
    learner.describe(o);
    kernel.describe(o);
  }
};

SamplerRow no_u_turn(SamplerTitle title) {
  title.stan_engine = "nuts";
  title.advised = true;
  return make_sampler(std::move(title), NoUTurnOptions{},
                      [](const NoUTurnOptions& o, const Circumstances& c) {
                        return learn_then_draw(c, part<Nuts>(o.kernel),
                                               part<MetricAdapter>(in_circumstances(o.learner, c)));
                      });
}

/// Ends by itself: 250 draws of 16 lanes are enough where the target is near Gaussian.
const SamplerTitle kAuto{
    .name = "auto",
    .summary = "for any target: lanes learn one metric together and choose their trajectories",
    .warmup = 1200,
    .draws = 4000,
    .settles = true,
    .pools = true,
    .chains = 16,
    .lanes = 8,
    .until_ess = 1000,
    .least_draws = 250,
    .advised = true};

std::deque<SamplerRow> make_samplers() {
  const SpeedMeasureOptions walk{
      .proposal = ProposalKind::random_walk, .target_accept = 0.25, .learning_rate = 5e-5};
  const SpeedMeasureOptions fast{.proposal = ProposalKind::langevin_fast};
  const SpeedMeasureOptions exact{.proposal = ProposalKind::langevin_exact};
  const SpeedMeasureOptions leapfrog{.proposal = ProposalKind::leapfrog,
                                     .leapfrogs = 3,
                                     .target_accept = 0.65,
                                     .beta_ceiling = 100};
  return {
      make_sampler(kAuto, AutoOptions{}, auto_stages),
      one_step<RandomWalk>({"rwm", "random walk Metropolis, one step size", kPaper, kPaper}, 0.25),
      adaptive_metropolis({"am", "adaptive Metropolis: random walk with the covariance of the past",
                           kPaper, kPaper}),
      gad({"gadrwm", "random walk whose full covariance is learnt from every proposal", kPaper,
           kPaper},
          walk, gad_walk_stages),
      one_step<Langevin>({"mala", "Metropolis-adjusted Langevin, one step size", kPaper, kPaper},
                         0.54),
      gad({"gadmala", "Langevin whose full covariance is learnt from every proposal (fast)", kPaper,
           kPaper},
          fast, gad_langevin_stages),
      gad({"gadmala-exact", "gadmala with the exact gradient: one Hessian-vector product more",
           kPaper, kPaper},
          exact, gad_langevin_stages),
      fisher_langevin({"fishermala", "Langevin with the inverse Fisher matrix of every proposal",
                       kPaper, kPaper}),
      gad({"gadhmc", "trajectories whose full mass matrix is learnt from every proposal", kPaper,
           kPaper},
          leapfrog, gad_hmc_stages),
      static_hmc(
          {"hmc", "Hamiltonian Monte Carlo, a fixed number of leapfrog steps", kPaper, kPaper}),
      no_u_turn({"nuts", "no-U-turn sampler, as in Stan", kStan, kStan}),
  };
}

/// An option that has an effect only where another one, of the same sampler, is one of these words;
/// none: where it is a number above 0.
struct Need {
  const char* name;
  const char* other;
  std::vector<std::string> words;
  const char* value = nullptr;  // it is this value alone that needs it
};

const std::vector<Need>& needs() {
  static const std::vector<std::string> learnt =
      names_or_auto({Metric::diag, Metric::dense, Metric::low_rank});
  static const std::vector<Need> all = {
      {"rank", "metric", names_or_auto({Metric::low_rank})},
      {"metric-from", "metric", learnt},
      {"metric-from", "metric", {"diag", "dense"}, "draws"},
      {"step-rate", "metric", {"unit"}},
      {"angle-accept", "drift", {"exact"}},
      {"largest-angle", "drift", {"exact"}},
      {"shape", "drift", {"exact"}},
      {"persistence", "drift", {"exact"}},
      {"careful", "drift", {"exact"}},
      {"jitter", "trajectory", {"measured"}},
      {"careful", "trajectory", {"measured"}},
      {"halvings", "drift", {"exact"}},
      {"step-error", "drift", {"exact"}},
      {"window-start", "metric", learnt},
      {"window-base", "metric", learnt},
      {"window-end", "metric", learnt},
      {"step-error", "halvings", {}},
  };
  return all;
}

/// What the other option would have to be, among the words that it knows; empty: it has none of
/// them, and what the option does has nothing to do with it.
std::string wanted_words(const Need& need, const OptionInfo& other) {
  if (need.words.empty()) return fmt::format("`{}` above 0", need.other);
  std::vector<std::string> known;
  for (const std::string& word : need.words) {
    if (std::ranges::count(other.choices, word) > 0) {
      known.push_back(fmt::format("`{}={}`", need.other, word));
    }
  }
  return fmt::format("{}", fmt::join(known, " or "));
}

/// But for defaults, which `gadwall list` prints, and which say nothing else than their absence.
void refuse_without_effect(const SamplerRow& row, const Settings& given) {
  for (const Need& need : needs()) {
    const OptionInfo* const other = find_option(row.options, need.other);
    const auto own = given.find(need.name);
    if (own == given.end() || other == nullptr) continue;
    if (own->second == find_option(row.options, need.name)->fallback) continue;
    if (need.value != nullptr && own->second != OptionValue(std::string(need.value))) continue;
    const auto found = given.find(need.other);
    const std::string word = to_string(found == given.end() ? other->fallback : found->second);
    if (need.words.empty() ? word != "0" : std::ranges::count(need.words, word) > 0) continue;
    const std::string wanted = wanted_words(need, *other);
    if (wanted.empty()) continue;
    const std::string what =
        need.value == nullptr ? need.name : fmt::format("{}={}", need.name, need.value);
    throw UsageError(fmt::format("`{}` has no effect with `{}={}`, expected {}", what, need.other,
                                 word, wanted));
  }
}

/// Rows keep their places when one is added.
std::deque<SamplerRow>& rows() {
  static std::deque<SamplerRow> rows = make_samplers();
  return rows;
}

}  // namespace

const std::deque<SamplerRow>& samplers() {
  return rows();
}

void add_sampler(SamplerRow row) {
  if (std::ranges::count(rows(), row.name, &SamplerRow::name) > 0) {
    throw UsageError(fmt::format("there is a sampler '{}' already", row.name));
  }
  rows().push_back(std::move(row));
}

const SamplerRow& find_sampler(const std::string& name) {
  std::vector<std::string> names;
  for (const SamplerRow& row : samplers()) {
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  refuse_unknown("sampler", name, names);
}

Settings defaults(const SamplerRow& row) {
  Settings settings;
  for (const OptionInfo& info : row.options) settings.emplace(info.name, info.fallback);
  return settings;
}

Settings defaults(const std::string& sampler) {
  return defaults(find_sampler(sampler));
}

void check_settings(const SamplerRow& row, const Settings& settings) {
  for (const auto& [name, value] : settings) {
    if (!row.has_option(name)) {
      std::vector<std::string> names;
      for (const OptionInfo& info : row.options) names.push_back(info.name);
      refuse_unknown(fmt::format("option of sampler {}", row.name), name, names);
    }
  }
  row.stages(settings, {.dim = 1, .chains = 1});
  refuse_without_effect(row, settings);
}

std::map<std::string, std::string> used_settings(const SamplerRow& row, const Settings& given) {
  std::map<std::string, std::string> settings;
  for (const OptionInfo& info : row.options) {
    const auto found = given.find(info.name);
    settings.emplace(info.name, to_string(found == given.end() ? info.fallback : found->second));
  }
  return settings;
}

}  // namespace gadwall
