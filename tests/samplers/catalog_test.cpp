// The table of samplers: rows that construct, the paper's numbers, errors that name the option.
#include "gadwall/catalog.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "gadwall/error.hpp"

namespace gadwall {
namespace {

const OptionInfo& option(const std::string& name) {
  for (const OptionInfo& info : option_table()) {
    if (info.name == name) return info;
  }
  throw std::runtime_error("no option " + name);
}

/// False for the metric, which has no range.
bool set_number(SamplerOptions& options, const OptionInfo& info, double value) {
  if (const auto* real = std::get_if<double SamplerOptions::*>(&info.field)) {
    options.** real = value;
  } else if (const auto* whole = std::get_if<Index SamplerOptions::*>(&info.field)) {
    options.** whole = static_cast<Index>(value);
  } else {
    return false;
  }
  return true;
}

std::string complaint(const SamplerRow& row, const SamplerOptions& options) {
  try {
    check_options(row, options);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
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
    EXPECT_EQ(complaint(row, row.defaults), "") << row.name;
    ASSERT_FALSE(row.metrics.empty()) << row.name;
    for (const Metric metric : row.metrics) {
      SamplerOptions options = row.defaults;
      options.metric = metric;
      EXPECT_EQ(complaint(row, options), "") << row.name;
      ASSERT_NE(row.kernel(options), nullptr) << row.name;
      const auto adapter = row.adapter(options, 3, 100);
      ASSERT_NE(adapter, nullptr) << row.name;
      const Tuning tuning = adapter->initial_tuning(3);
      EXPECT_EQ(tuning.factor().kind(), metric) << row.name;
      EXPECT_EQ(tuning.factor().dim(), 3) << row.name;
      EXPECT_GT(tuning.step, 0) << row.name;
    }
  }
}

TEST(Catalog, NamesOnlyOptionsThatExistAndEachOnce) {
  for (const SamplerRow& row : samplers()) {
    for (const std::string& name : row.options) {
      EXPECT_NO_THROW(option(name)) << row.name << ": " << name;
      EXPECT_EQ(std::ranges::count(row.options, name), 1) << row.name << ": " << name;
    }
    const bool chooses = row.metrics.size() > 1;
    EXPECT_EQ(std::ranges::count(row.options, "metric"), chooses ? 1 : 0) << row.name;
  }
}

TEST(Catalog, UsesEveryOptionSomewhere) {
  for (const OptionInfo& info : option_table()) {
    EXPECT_TRUE(std::ranges::any_of(samplers(), [&](const SamplerRow& row) {
      return std::ranges::count(row.options, info.name) > 0;
    })) << info.name;
  }
}

TEST(Catalog, HasTheNumbersOfThePaperForItsProposals) {
  EXPECT_EQ(defaults("gadrwm").target_accept, 0.25);
  EXPECT_EQ(defaults("gadrwm").learning_rate, 5e-5);
  for (const char* name : {"gadmala", "gadmala-exact"}) {
    EXPECT_EQ(defaults(name).target_accept, 0.55) << name;
    EXPECT_EQ(defaults(name).learning_rate, 1.5e-4) << name;
  }
  for (const char* name : {"gadrwm", "gadmala", "gadmala-exact"}) {
    const SamplerOptions options = defaults(name);
    EXPECT_EQ(options.metric, Metric::dense) << name;
    EXPECT_EQ(options.memory, 0.9) << name;
    EXPECT_EQ(options.initial_scale, 0.1) << name;
    EXPECT_EQ(options.diagonal_floor, 1e-3) << name;
    EXPECT_EQ(options.beta, 1) << name;
    EXPECT_EQ(options.beta_rate, 0.02) << name;
    EXPECT_EQ(options.beta_floor, 1e-4) << name;
    EXPECT_EQ(find_sampler(name).warmup, 20000) << name;
    EXPECT_EQ(find_sampler(name).draws, 20000) << name;
    const Tuning tuning = find_sampler(name).adapter(options, 25, 20000)->initial_tuning(25);
    EXPECT_NEAR(tuning.factor().matrix_diagonal()[0], 0.1 / 5, 1e-16) << name;
    EXPECT_EQ(tuning.step, 1) << name;
  }
}

TEST(Catalog, HasTheNumbersOfThePaperForItsBaselines) {
  const auto first_step = [](const char* name) {
    return find_sampler(name).adapter(defaults(name), 16, 20000)->initial_tuning(16).step;
  };
  EXPECT_EQ(defaults("rwm").target_accept, 0.25);
  EXPECT_EQ(defaults("mala").target_accept, 0.54);
  EXPECT_EQ(defaults("am").target_accept, 0.25);
  EXPECT_EQ(defaults("hmc").target_accept, 0.7);
  for (const char* name : {"rwm", "mala", "am", "hmc"}) {
    EXPECT_EQ(defaults(name).step_rate, 0.01) << name;
    EXPECT_EQ(find_sampler(name).warmup, 20000) << name;
    EXPECT_EQ(find_sampler(name).draws, 20000) << name;
  }
  // delta is the square of the step of a proposal: delta_0 = 0.5 / n, am 0.1 / sqrt(n); the
  // leapfrog step itself is 0.5 / n.
  EXPECT_NEAR(first_step("rwm"), std::sqrt(0.5 / 16), 1e-15);
  EXPECT_NEAR(first_step("mala"), std::sqrt(0.5 / 16), 1e-15);
  EXPECT_NEAR(first_step("am"), std::sqrt(0.1 / 4), 1e-15);
  EXPECT_NEAR(first_step("hmc"), 0.5 / 16, 1e-15);
  EXPECT_EQ(defaults("am").initial_scale, 1);
  EXPECT_EQ(defaults("am").covariance_rate, 5e-4);
  EXPECT_EQ(defaults("am").covariance_horizon, 0);  // a quarter of warm-up
  EXPECT_EQ(defaults("am").mean_rate, 0.01);
}

TEST(Catalog, HasTheNumbersOfStanForNuts) {
  const SamplerOptions nuts = defaults("nuts");
  EXPECT_EQ(nuts.metric, Metric::diag);
  EXPECT_EQ(nuts.target_accept, 0.8);
  EXPECT_EQ(nuts.averaging_gamma, 0.05);
  EXPECT_EQ(nuts.averaging_t0, 10);
  EXPECT_EQ(nuts.averaging_kappa, 0.75);
  EXPECT_EQ(nuts.window_start, 75);
  EXPECT_EQ(nuts.window_base, 25);
  EXPECT_EQ(nuts.window_end, 50);
  EXPECT_EQ(nuts.max_depth, 10);
  EXPECT_EQ(nuts.max_energy_error, 1000);
  EXPECT_EQ(find_sampler("nuts").warmup, 1000);
  EXPECT_EQ(find_sampler("nuts").draws, 1000);
}

TEST(Catalog, PrefersAGivenStepToItsRule) {
  for (const SamplerRow& row : samplers()) {
    if (std::ranges::count(row.options, "step") == 0) continue;
    SamplerOptions options = row.defaults;
    options.step = 0.123;
    EXPECT_EQ(row.adapter(options, 4, 100)->initial_tuning(4).step, 0.123) << row.name;
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

TEST(Catalog, RefusesEveryUsedOptionOutOfItsRangeByName) {
  for (const SamplerRow& row : samplers()) {
    for (const std::string& name : row.options) {
      const OptionInfo& info = option(name);
      const bool whole = std::holds_alternative<Index SamplerOptions::*>(info.field);
      std::vector<double> refused = {info.least - 1};
      if (info.open) refused.push_back(info.least);
      if (info.most < 1e300) refused.push_back(info.most + 1);
      if (info.open && info.most < 1e300) refused.push_back(info.most);
      if (!whole) refused.push_back(std::numeric_limits<double>::quiet_NaN());
      if (!whole) refused.push_back(std::numeric_limits<double>::infinity());
      for (const double value : refused) {
        SamplerOptions options = row.defaults;
        if (!set_number(options, info, value)) continue;
        const std::string message = complaint(row, options);
        EXPECT_EQ(message.find("--" + name + " is "), 0U) << row.name << ": " << message;
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      }
    }
  }
}

TEST(Catalog, TakesTheEndsOfAClosedRange) {
  for (const SamplerRow& row : samplers()) {
    for (const std::string& name : row.options) {
      const OptionInfo& info = option(name);
      SamplerOptions options = row.defaults;
      if (info.open || !set_number(options, info, info.least)) continue;
      EXPECT_EQ(complaint(row, options), "") << row.name;
    }
  }
}

TEST(Catalog, DoesNotMindOptionsThatASamplerDoesNotUse) {
  SamplerOptions options = defaults("rwm");
  options.leapfrog = -1;
  options.learning_rate = -1;
  EXPECT_EQ(complaint(find_sampler("rwm"), options), "");
}

TEST(Catalog, RefusesAMetricThatTheSamplerCannotLearn) {
  for (const SamplerRow& row : samplers()) {
    for (const Metric metric : {Metric::unit, Metric::diag, Metric::dense, Metric::low_rank}) {
      if (std::ranges::count(row.metrics, metric) > 0) continue;
      SamplerOptions options = row.defaults;
      options.metric = metric;
      const std::string message = complaint(row, options);
      EXPECT_NE(message.find(row.name), std::string::npos) << row.name << ": " << message;
      EXPECT_NE(message.find(to_string(metric)), std::string::npos) << row.name << ": " << message;
    }
  }
}

TEST(Catalog, TellsTheSettingsThatASamplerUses) {
  for (const SamplerRow& row : samplers()) {
    const auto settings = used_settings(row, row.defaults);
    EXPECT_EQ(settings.size(), row.options.size()) << row.name;
    for (const std::string& name : row.options) {
      ASSERT_EQ(settings.count(name), 1U) << row.name << ": " << name;
      EXPECT_EQ(settings.at(name), option_text(row.defaults, option(name)));
    }
  }
}

}  // namespace
}  // namespace gadwall
