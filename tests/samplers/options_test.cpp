// Options of the parts: named once, listed, filled, refused by name.
#include "gadwall/options.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <set>

#include "gadwall/catalog.hpp"
#include "gadwall/error.hpp"

namespace gadwall {
namespace {

struct MadeOptions {
  double rate = 0.5;
  Index steps = 10;
  bool quick = false;
  std::string law = "flat";
  Metric metric = Metric::diag;

  void describe(OptionFields& o) {
    o("rate", rate, "how fast", inside(0, 1));
    o("steps", steps, "how many", between(1, 100));
    o("quick", quick, "or not");
    o("law", law, "of the thing", {"flat", "steep"});
    o("metric", metric, "form of L", {Metric::unit, Metric::diag});
  }
};

std::string refusal(const Settings& given) {
  try {
    with_settings(MadeOptions{}, given);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "taken";
}

TEST(Options, AreListedWithTheirDefaults) {
  const std::vector<OptionInfo> infos = list_options(MadeOptions{.rate = 0.25});
  ASSERT_EQ(infos.size(), 5U);
  EXPECT_EQ(infos[0].name, "rate");
  EXPECT_EQ(infos[0].fallback, OptionValue(0.25));
  EXPECT_EQ(infos[1].fallback, OptionValue(Index{10}));
  EXPECT_EQ(infos[3].choices, (std::vector<std::string>{"flat", "steep"}));
  EXPECT_EQ(infos[4].choices, (std::vector<std::string>{"unit", "diag"}));
}

TEST(Options, AreFilledWithWhatIsGiven) {
  const MadeOptions filled = with_settings(
      MadeOptions{},
      {{"rate", 0.75}, {"steps", 7}, {"quick", true}, {"law", "steep"}, {"metric", "unit"}});
  EXPECT_EQ(filled.rate, 0.75);
  EXPECT_EQ(filled.steps, 7);
  EXPECT_TRUE(filled.quick);
  EXPECT_EQ(filled.law, "steep");
  EXPECT_EQ(filled.metric, Metric::unit);
  EXPECT_EQ(with_settings(MadeOptions{}, {}).steps, 10);
}

TEST(Options, TakeNumbersWithoutAFractionForWholeOnesAndTheOtherWayRound) {
  EXPECT_EQ(with_settings(MadeOptions{}, {{"steps", 7.0}}).steps, 7);
  struct Wide {
    double scale = 0.5;
    void describe(OptionFields& o) { o("scale", scale, "of it"); }
  };
  EXPECT_EQ(with_settings(Wide{}, {{"scale", 3}}).scale, 3);
}

TEST(Options, AreRefusedByNameWithWhatIsWanted) {
  EXPECT_EQ(refusal({{"rate", 1.0}}), "`rate` is 1, expected a number above 0 and below 1");
  EXPECT_EQ(refusal({{"rate", std::nan("")}}),
            "`rate` is nan, expected a number above 0 and below 1");
  EXPECT_EQ(refusal({{"steps", 0}}),
            "`steps` is 0, expected a whole number at least 1 and at most 100");
  EXPECT_EQ(refusal({{"steps", 2.5}}),
            "`steps` is 2.5, expected a whole number at least 1 and at most 100");
  EXPECT_EQ(refusal({{"law", "round"}}), "`law` is 'round', expected flat or steep");
  EXPECT_EQ(refusal({{"metric", "dense"}}), "`metric` is 'dense', expected unit or diag");
  EXPECT_EQ(refusal({{"rate", "fast"}}), "`rate` is 'fast', expected a number above 0 and below 1");
  EXPECT_EQ(refusal({{"quick", 1}}), "`quick` is 1, expected true or false");
}

TEST(Options, OfTwoPartsWithOneNameAreOne) {
  struct Both {
    MadeOptions one{}, other{};
    void describe(OptionFields& o) {
      one.describe(o);
      other.describe(o);
    }
  };
  EXPECT_EQ(list_options(Both{}).size(), 5U);
  const Both both = with_settings(Both{}, {{"steps", 3}});
  EXPECT_EQ(both.one.steps, 3);
  EXPECT_EQ(both.other.steps, 3);
}

TEST(Options, AreReadFromText) {
  const std::vector<OptionInfo> infos = list_options(MadeOptions{});
  EXPECT_EQ(option_from_text(infos[0], "1e-3"), OptionValue(1e-3));
  EXPECT_EQ(option_from_text(infos[1], "12"), OptionValue(Index{12}));
  EXPECT_EQ(option_from_text(infos[2], "true"), OptionValue(true));
  EXPECT_EQ(option_from_text(infos[3], "steep"), OptionValue("steep"));
  for (const char* wrong : {"", "x", "1x", "1.5"}) {
    EXPECT_THROW(option_from_text(infos[1], wrong), UsageError) << wrong;
  }
}

TEST(Options, SurviveTheirOwnText) {
  const OptionInfo real = list_options(MadeOptions{})[0];
  for (const double value : {1.0 / 3, 1e-17, 0.00015}) {
    EXPECT_EQ(option_from_text(real, to_string(OptionValue(value))), OptionValue(value));
  }
  EXPECT_EQ(to_string(OptionValue(1.5e-4)), "0.00015");
}

TEST(Options, OfAllSamplersHaveNamesForACommandLineAndHelp) {
  for (const SamplerRow& row : samplers()) {
    std::set<std::string> names;
    for (const OptionInfo& info : row.options) {
      EXPECT_TRUE(names.insert(info.name).second) << info.name << " twice";
      EXPECT_FALSE(info.help.empty()) << info.name;
      EXPECT_LT(info.range.least, info.range.most) << info.name;
      for (const char c : info.name) {
        EXPECT_TRUE(std::islower(static_cast<unsigned char>(c)) || c == '-' || c == '0')
            << info.name;
      }
    }
  }
}

TEST(Options, OfAllSamplersKnowWhichNumbersMakeSense) {
  const std::set<std::string> fractions = {"memory",  "beta-rate",       "mean-rate",
                                           "jitter",  "averaging-kappa", "target-accept",
                                           "careful", "angle-accept"};
  // At 1 a single rejection would take the step, or L, to zero for good.
  const std::set<std::string> halves = {"step-rate", "covariance-rate"};
  const std::set<std::string> positive = {"target-accept", "initial-scale",    "diagonal-floor",
                                          "beta",          "beta-floor",       "averaging-gamma",
                                          "leapfrog",      "max-energy-error", "max-depth",
                                          "window-base",   "largest-step",     "most-gradients",
                                          "rank",          "angle-accept",     "largest-angle",
                                          "beta-ceiling",  "damping",          "step-error"};
  for (const SamplerRow& row : samplers()) {
    for (const OptionInfo& info : row.options) {
      EXPECT_EQ(fractions.count(info.name) > 0, info.range.most == 1) << info.name;
      EXPECT_EQ(halves.count(info.name) > 0, info.range.most == 0.5) << info.name;
      EXPECT_EQ(positive.count(info.name) > 0, info.range.open || info.range.least > 0)
          << info.name;
      EXPECT_GE(info.range.least, 0) << info.name;
    }
  }
}

TEST(Metrics, AreKnownByName) {
  for (const Metric metric : {Metric::unit, Metric::diag, Metric::dense, Metric::low_rank}) {
    EXPECT_EQ(metric_from_string(to_string(metric)), metric);
  }
  EXPECT_EQ(to_string(Metric::diag), "diag");
  try {
    metric_from_string("sparse");
    FAIL() << "taken";
  } catch (const UsageError& error) {
    const std::string message = error.what();
    for (const char* word : {"'sparse'", "unit", "diag", "dense"}) {
      EXPECT_NE(message.find(word), std::string::npos) << message;
    }
  }
  EXPECT_THROW(metric_from_string(""), UsageError);
}

}  // namespace
}  // namespace gadwall
