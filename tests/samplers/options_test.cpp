// The table of options and the text of their values.
#include "gadwall/options.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <set>

#include "gadwall/error.hpp"

namespace gadwall {
namespace {

std::string text_of(const SamplerOptions& options, const std::string& name) {
  for (const OptionInfo& info : option_table()) {
    if (info.name == name) return option_text(options, info);
  }
  return "no such option";
}

TEST(Options, HaveNamesForACommandLineAndHelp) {
  std::set<std::string> names;
  for (const OptionInfo& info : option_table()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name << " twice";
    EXPECT_FALSE(info.help.empty()) << info.name;
    EXPECT_LT(info.least, info.most) << info.name;
    for (const char c : info.name) {
      EXPECT_TRUE(std::islower(static_cast<unsigned char>(c)) || c == '-' || c == '0') << info.name;
    }
  }
}

TEST(Options, NameEveryFieldOnce) {
  // A field that two rows share would be set under two names.
  const auto& table = option_table();
  for (std::size_t i = 0; i < table.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_FALSE(table[i].field == table[j].field) << table[i].name << " " << table[j].name;
    }
  }
}

TEST(Options, KnowWhichNumbersMakeSense) {
  const std::set<std::string> fractions = {"memory", "beta-rate",       "mean-rate",
                                           "jitter", "averaging-kappa", "target-accept"};
  // At 1 a single rejection would take the step, or L, to zero for good.
  const std::set<std::string> halves = {"step-rate", "covariance-rate"};
  const std::set<std::string> positive = {
      "target-accept",   "initial-scale", "diagonal-floor",   "beta",      "beta-floor",
      "averaging-gamma", "leapfrog",      "max-energy-error", "max-depth", "window-base"};
  for (const OptionInfo& info : option_table()) {
    EXPECT_EQ(fractions.count(info.name) > 0, info.most == 1) << info.name;
    EXPECT_EQ(halves.count(info.name) > 0, info.most == 0.5) << info.name;
    EXPECT_EQ(positive.count(info.name) > 0, info.open || info.least > 0) << info.name;
    EXPECT_GE(info.least, 0) << info.name;
  }
}

TEST(Options, TellMetricsByName) {
  for (const Metric metric : {Metric::unit, Metric::diag, Metric::dense, Metric::low_rank}) {
    EXPECT_EQ(metric_from_string(to_string(metric)), metric);
  }
  EXPECT_EQ(to_string(Metric::diag), "diag");
  EXPECT_EQ(to_string(Metric::low_rank), "lowrank");
}

TEST(Options, RefuseAnUnknownMetricByName) {
  try {
    metric_from_string("sparse");
    FAIL() << "taken";
  } catch (const UsageError& error) {
    const std::string message = error.what();
    for (const char* word : {"'sparse'", "unit, diag, dense or lowrank"}) {
      EXPECT_NE(message.find(word), std::string::npos) << message;
    }
  }
  EXPECT_THROW(metric_from_string(""), UsageError);
}

TEST(Options, AreWrittenInTheirShortestForm) {
  SamplerOptions options;
  options.metric = Metric::unit;
  options.learning_rate = 1.5e-4;
  options.target_accept = 0.1;
  options.max_depth = 12;
  EXPECT_EQ(text_of(options, "metric"), "unit");
  EXPECT_EQ(text_of(options, "learning-rate"), "0.00015");
  EXPECT_EQ(text_of(options, "target-accept"), "0.1");
  EXPECT_EQ(text_of(options, "max-depth"), "12");
}

TEST(Options, SurviveTheirOwnText) {
  SamplerOptions options;
  options.beta = 1.0 / 3;
  options.step = 1e-17;
  EXPECT_EQ(std::stod(text_of(options, "beta")), options.beta);
  EXPECT_EQ(std::stod(text_of(options, "step")), options.step);
}

}  // namespace
}  // namespace gadwall
