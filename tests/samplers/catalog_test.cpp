// The table of samplers: rows that construct, the paper's numbers, errors that name the option.
#include "gadwall/catalog.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "gadwall/error.hpp"
#include "samplers/sampler_testing.hpp"

namespace gadwall {
namespace {

using testing::metrics_of;
using testing::settings_for;
using testing::stages_of;

/// False for words, which have no range.
bool set_number(Settings& settings, const OptionInfo& info, double value) {
  if (std::holds_alternative<double>(info.fallback)) {
    settings[info.name] = value;
  } else if (std::holds_alternative<Index>(info.fallback)) {
    settings[info.name] = static_cast<Index>(value);
  } else {
    return false;
  }
  return true;
}

std::string complaint(const SamplerRow& row, const Settings& settings) {
  try {
    check_settings(row, settings);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

Tuning first_tuning(const SamplerRow& row, const Settings& settings, Index dim) {
  return stages_of(row, settings, dim, 20000).front().adapter()->initial_tuning(dim);
}

TEST(Catalog, KnowsWhatCmdStanCallsASampler) {
  for (const SamplerRow& row : samplers()) {
    const std::string expected = row.name == "nuts" ? "nuts" : row.name == "hmc" ? "static" : "";
    EXPECT_EQ(row.stan_engine, expected) << row.name;
  }
}

TEST(Catalog, HasTheEightSamplersOnceEach) {
  std::multiset<std::string> names;
  for (const SamplerRow& row : samplers()) names.insert(row.name);
  for (const char* name :
       {"rwm", "am", "gadrwm", "mala", "gadmala", "gadmala-exact", "hmc", "nuts"}) {
    EXPECT_EQ(names.count(name), 1U) << name;
  }
  for (const std::string& name : names) EXPECT_EQ(names.count(name), 1U) << name;
}

TEST(Catalog, ConstructsEveryRowWithEveryMetricItTakes) {
  for (const SamplerRow& row : samplers()) {
    EXPECT_FALSE(row.summary.empty()) << row.name;
    EXPECT_GE(row.warmup, 1) << row.name;
    EXPECT_GE(row.draws, 1) << row.name;
    EXPECT_EQ(complaint(row, {}), "") << row.name;
    for (const std::string& metric : metrics_of(row)) {
      const Settings settings = settings_for(row, {{"metric", metric}});
      EXPECT_EQ(complaint(row, settings), "") << row.name;
      for (const Stage& stage : stages_of(row, settings, 3, 100)) {
        EXPECT_NE(stage.kernel(), nullptr) << row.name;
        EXPECT_FALSE(stage.name.empty()) << row.name;
      }
      const Tuning tuning = first_tuning(row, settings, 3);
      // Lanes that are to learn together begin alone, each with scales of its own; and what is to
      // be chosen begins with scales.
      if (row.has_option("metric")) {
        const bool is_open = row.pools || metric == "auto";
        EXPECT_EQ(to_string(tuning.factor().kind()), is_open ? "diag" : metric) << row.name;
      }
      EXPECT_EQ(tuning.factor().dim(), 3) << row.name;
      EXPECT_GT(tuning.step, 0) << row.name;
    }
  }
}

TEST(Catalog, EndsEverySamplerWithAStageOfDrawsThatLearnsNothing) {
  for (const SamplerRow& row : samplers()) {
    const std::vector<Stage> stages = stages_of(row, {}, 3, 100);
    EXPECT_EQ(stages.back().most, 10) << row.name;
    EXPECT_FALSE(stages.back().adapter) << row.name;
    Index warmup = 0;
    for (std::size_t s = 0; s + 1 < stages.size(); ++s) warmup += stages[s].most;
    EXPECT_LE(warmup, 100) << row.name;
  }
}

TEST(Catalog, HasTheNumbersOfThePaperForItsProposals) {
  EXPECT_EQ(defaults("gadrwm").at("target-accept"), OptionValue(double{0.25}));
  EXPECT_EQ(defaults("gadrwm").at("learning-rate"), OptionValue(double{5e-5}));
  for (const char* name : {"gadmala", "gadmala-exact"}) {
    EXPECT_EQ(defaults(name).at("target-accept"), OptionValue(double{0.55})) << name;
    EXPECT_EQ(defaults(name).at("learning-rate"), OptionValue(double{1.5e-4})) << name;
  }
  for (const char* name : {"gadrwm", "gadmala", "gadmala-exact"}) {
    const Settings options = defaults(name);
    EXPECT_EQ(options.at("metric"), OptionValue("dense")) << name;
    EXPECT_EQ(options.at("memory"), OptionValue(double{0.9})) << name;
    EXPECT_EQ(options.at("initial-scale"), OptionValue(double{0.1})) << name;
    EXPECT_EQ(options.at("diagonal-floor"), OptionValue(double{1e-3})) << name;
    EXPECT_EQ(options.at("beta"), OptionValue(double{1})) << name;
    EXPECT_EQ(options.at("beta-rate"), OptionValue(double{0.02})) << name;
    EXPECT_EQ(options.at("beta-floor"), OptionValue(double{1e-4})) << name;
    EXPECT_EQ(find_sampler(name).warmup, 20000) << name;
    EXPECT_EQ(find_sampler(name).draws, 20000) << name;
    const Tuning tuning = first_tuning(find_sampler(name), {}, 25);
    EXPECT_NEAR(tuning.factor().matrix_diagonal()[0], 0.1 / 5, 1e-16) << name;
    EXPECT_EQ(tuning.step, 1) << name;
  }
}

TEST(Catalog, HasTheNumbersOfThePaperForItsBaselines) {
  const auto first_step = [](const char* name) {
    return first_tuning(find_sampler(name), {}, 16).step;
  };
  EXPECT_EQ(defaults("rwm").at("target-accept"), OptionValue(double{0.25}));
  EXPECT_EQ(defaults("mala").at("target-accept"), OptionValue(double{0.54}));
  EXPECT_EQ(defaults("am").at("target-accept"), OptionValue(double{0.25}));
  EXPECT_EQ(defaults("hmc").at("target-accept"), OptionValue(double{0.7}));
  for (const char* name : {"rwm", "mala", "am", "hmc"}) {
    EXPECT_EQ(defaults(name).at("step-rate"), OptionValue(double{0.01})) << name;
    EXPECT_EQ(find_sampler(name).warmup, 20000) << name;
    EXPECT_EQ(find_sampler(name).draws, 20000) << name;
  }
  // delta is the square of the step of a proposal: delta_0 = 0.5 / n, am 0.1 / sqrt(n); the
  // leapfrog step itself is 0.5 / n.
  EXPECT_NEAR(first_step("rwm"), std::sqrt(0.5 / 16), 1e-15);
  EXPECT_NEAR(first_step("mala"), std::sqrt(0.5 / 16), 1e-15);
  EXPECT_NEAR(first_step("am"), std::sqrt(0.1 / 4), 1e-15);
  EXPECT_NEAR(first_step("hmc"), 0.5 / 16, 1e-15);
  EXPECT_EQ(defaults("am").at("initial-scale"), OptionValue(double{1}));
  EXPECT_EQ(defaults("am").at("covariance-rate"), OptionValue(double{5e-4}));
  EXPECT_EQ(defaults("am").at("covariance-horizon"),
            OptionValue(double{0}));  // a quarter of warm-up
  EXPECT_EQ(defaults("am").at("mean-rate"), OptionValue(double{0.01}));
}

TEST(Catalog, HasTheNumbersOfStanForNuts) {
  const Settings nuts = defaults("nuts");
  EXPECT_EQ(nuts.at("metric"), OptionValue("diag"));
  EXPECT_EQ(nuts.at("target-accept"), OptionValue(double{0.8}));
  EXPECT_EQ(nuts.at("averaging-gamma"), OptionValue(double{0.05}));
  EXPECT_EQ(nuts.at("averaging-t0"), OptionValue(double{10}));
  EXPECT_EQ(nuts.at("averaging-kappa"), OptionValue(double{0.75}));
  EXPECT_EQ(nuts.at("window-start"), OptionValue(Index{75}));
  EXPECT_EQ(nuts.at("window-base"), OptionValue(Index{25}));
  EXPECT_EQ(nuts.at("window-end"), OptionValue(Index{50}));
  EXPECT_EQ(nuts.at("max-depth"), OptionValue(Index{10}));
  EXPECT_EQ(nuts.at("max-energy-error"), OptionValue(double{1000}));
  EXPECT_EQ(find_sampler("nuts").warmup, 1000);
  EXPECT_EQ(find_sampler("nuts").draws, 1000);
}

TEST(Catalog, PrefersAGivenStepToItsRule) {
  for (const SamplerRow& row : samplers()) {
    if (!row.has_option("step")) continue;
    EXPECT_EQ(first_tuning(row, {{"step", 0.123}}, 4).step, 0.123) << row.name;
  }
}

TEST(Catalog, SuggestsTheNearestSampler) {
  try {
    find_sampler("gadmla");
    FAIL() << "found";
  } catch (const UsageError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("'gadmla'"), std::string::npos) << message;
    EXPECT_NE(message.find("did you mean 'gadmala'"), std::string::npos) << message;
  }
  try {
    defaults("zzzzzzzzzz");
    FAIL() << "found";
  } catch (const UsageError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find("did you mean"), std::string::npos) << message;
    for (const SamplerRow& row : samplers()) {
      EXPECT_NE(message.find(row.name), std::string::npos) << message;
    }
  }
}

TEST(Catalog, RefusesEveryOptionOutOfItsRangeByName) {
  for (const SamplerRow& row : samplers()) {
    for (const OptionInfo& info : row.options) {
      const bool whole = std::holds_alternative<Index>(info.fallback);
      const OptionRange& range = info.range;
      std::vector<double> refused = {range.least - 1};
      if (range.open) refused.push_back(range.least);
      if (range.most < 1e300) refused.push_back(range.most + 1);
      if (range.open && range.most < 1e300) refused.push_back(range.most);
      if (!whole) refused.push_back(std::numeric_limits<double>::quiet_NaN());
      if (!whole) refused.push_back(std::numeric_limits<double>::infinity());
      for (const double value : refused) {
        Settings settings;
        if (!set_number(settings, info, value)) continue;
        const std::string message = complaint(row, settings);
        EXPECT_EQ(message.find("`" + info.name + "` is "), 0U) << row.name << ": " << message;
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      }
    }
  }
}

TEST(Catalog, TakesTheEndsOfAClosedRange) {
  for (const SamplerRow& row : samplers()) {
    for (const OptionInfo& info : row.options) {
      Settings settings = settings_for(row, {{"drift", "exact"}});
      if (row.has_option("rank"))
        settings["metric"] = info.name == "step-rate" ? "unit" : "lowrank";
      if (row.has_option("halvings")) settings["halvings"] = Index{1};
      if (info.range.open || !set_number(settings, info, info.range.least)) continue;
      EXPECT_EQ(complaint(row, settings), "") << row.name;
    }
  }
}

TEST(Catalog, RefusesOptionsThatASamplerDoesNotHaveWithTheNearest) {
  const std::string message = complaint(find_sampler("rwm"), {{"step-rat", 0.1}});
  EXPECT_NE(message.find("'step-rat'"), std::string::npos) << message;
  EXPECT_NE(message.find("did you mean 'step-rate'"), std::string::npos) << message;
  EXPECT_NE(message.find("rwm"), std::string::npos) << message;
}

TEST(Catalog, RefusesOptionsThatWouldHaveNoEffectByNameAndByWhatTheyNeed) {
  const SamplerRow& gadmala = find_sampler("gadmala");
  EXPECT_EQ(complaint(gadmala, {{"rank", Index{5}}}),
            "`rank` has no effect with `metric=dense`, expected `metric=lowrank`");
  EXPECT_EQ(complaint(gadmala, {{"rank", Index{5}}, {"metric", "diag"}}),
            "`rank` has no effect with `metric=diag`, expected `metric=lowrank`");
  EXPECT_EQ(complaint(gadmala, {{"rank", Index{5}}, {"metric", "lowrank"}}), "");
  for (const SamplerRow& row : samplers()) EXPECT_EQ(complaint(row, defaults(row)), "") << row.name;
  for (const char* option : {"angle-accept", "largest-angle", "careful", "persistence"}) {
    EXPECT_EQ(
        complaint(gadmala, {{option, 0.5}}),
        fmt::format("`{}` has no effect with `drift=published`, expected `drift=exact`", option));
    EXPECT_EQ(complaint(gadmala, {{option, 0.5}, {"drift", "exact"}}), "") << option;
  }
  EXPECT_EQ(complaint(gadmala, {{"shape", "learnt"}}),
            "`shape` has no effect with `drift=published`, expected `drift=exact`");
  EXPECT_EQ(complaint(gadmala, {{"halvings", Index{3}}}),
            "`halvings` has no effect with `drift=published`, expected `drift=exact`");
  const SamplerRow& automatic = find_sampler("auto");
  for (const char* option : {"careful", "jitter"}) {
    EXPECT_EQ(complaint(automatic, {{option, 0.5}}), "");  // it has no drift
    EXPECT_EQ(
        complaint(automatic, {{option, 0.5}, {"trajectory", "nuts"}}),
        fmt::format("`{}` has no effect with `trajectory=nuts`, expected `trajectory=measured`",
                    option));
  }
  const SamplerRow& nuts = find_sampler("nuts");
  EXPECT_EQ(complaint(nuts, {{"step-error", 2.0}}),
            "`step-error` has no effect with `halvings=0`, expected `halvings` above 0");
  EXPECT_EQ(complaint(nuts, {{"step-error", 2.0}, {"halvings", Index{3}}}), "");
  for (const char* option : {"window-start", "window-base", "window-end"}) {
    EXPECT_EQ(complaint(nuts, {{option, Index{30}}, {"metric", "unit"}}),
              fmt::format("`{}` has no effect with `metric=unit`, expected `metric=diag` or "
                          "`metric=dense` or `metric=lowrank` or `metric=auto`",
                          option));
    EXPECT_EQ(complaint(nuts, {{option, Index{30}}}), "") << option;
  }
}

TEST(Catalog, RefusesWhatAMetricIsNotMadeFrom) {
  const std::string learnt = "`metric=diag` or `metric=dense` or `metric=lowrank` or `metric=auto`";
  for (const char* name : {"hmc", "nuts"}) {
    const SamplerRow& row = find_sampler(name);
    for (const char* metric : {"lowrank", "auto"}) {
      EXPECT_EQ(complaint(row, {{"metric", metric}, {"metric-from", "draws"}}),
                fmt::format("`metric-from=draws` has no effect with `metric={}`, expected "
                            "`metric=diag` or `metric=dense`",
                            metric));
      EXPECT_EQ(complaint(row, {{"metric", metric}, {"metric-from", "scores"}}), "");
      EXPECT_EQ(complaint(row, {{"metric", metric}, {"rank", Index{5}}}), "");
    }
    for (const char* metric : {"diag", "dense"}) {
      EXPECT_EQ(complaint(row, {{"metric", metric}, {"metric-from", "draws"}}), "");
      EXPECT_EQ(complaint(row, {{"metric", metric}, {"metric-from", "scores"}}), "");
      EXPECT_EQ(complaint(row, {{"metric", metric}, {"rank", Index{5}}}),
                fmt::format("`rank` has no effect with `metric={}`, expected `metric=lowrank` or "
                            "`metric=auto`",
                            metric));
    }
    EXPECT_EQ(complaint(row, {{"metric", "unit"}, {"metric-from", "scores"}}),
              "`metric-from` has no effect with `metric=unit`, expected " + learnt);
  }
  const SamplerRow& hmc = find_sampler("hmc");
  EXPECT_EQ(complaint(hmc, {{"window-base", Index{30}}}),
            "`window-base` has no effect with `metric=unit`, expected " + learnt);
  EXPECT_EQ(complaint(hmc, {{"step-rate", 0.02}, {"metric", "diag"}}),
            "`step-rate` has no effect with `metric=diag`, expected `metric=unit`");
  EXPECT_EQ(complaint(hmc, {{"step-rate", 0.02}}), "");
  EXPECT_EQ(complaint(find_sampler("am"), {{"step-rate", 0.02}}), "");  // it has no unit metric
}

TEST(Catalog, RefusesAMetricThatTheSamplerCannotLearn) {
  for (const SamplerRow& row : samplers()) {
    if (!row.has_option("metric")) continue;
    for (const char* metric : {"unit", "diag", "dense", "sparse"}) {
      if (std::ranges::count(metrics_of(row), metric) > 0) continue;
      const std::string message = complaint(row, {{"metric", metric}});
      EXPECT_EQ(message.find("`metric` is '" + std::string(metric)), 0U) << message;
    }
  }
}

TEST(Catalog, TellsTheSettingsThatASamplerUses) {
  for (const SamplerRow& row : samplers()) {
    const auto settings = used_settings(row, {});
    EXPECT_EQ(settings.size(), row.options.size()) << row.name;
    for (const OptionInfo& info : row.options) {
      EXPECT_EQ(settings.at(info.name), to_string(info.fallback)) << row.name;
    }
  }
  EXPECT_EQ(used_settings(find_sampler("hmc"), {{"leapfrog", 3}}).at("leapfrog"), "3");
}

TEST(Catalog, TakesSamplersFromOutsideOnce) {
  SamplerRow row = find_sampler("mala");
  EXPECT_THROW(add_sampler(row), UsageError);
}

}  // namespace
}  // namespace gadwall
