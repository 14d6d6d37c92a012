// The table of a summary.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <tuple>

#include "diagnostics/made_draws.hpp"

namespace gadwall {
namespace {

using gadwall::testing::good_draws;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> result;
  for (std::string line; std::getline(stream, line);) result.push_back(line);
  return result;
}

Summary made_summary() {
  Summary summary;
  summary.facts = good_draws().facts;
  summary.parameters = {{"a", {1.23456, 2, -3, 0.5, 1e-5, 0.25, 0.1, 90, 100.4, 200, 300, 1.0049}},
                        {"slow", {-1234.56, 1e7, 0, 1, 2, kNaN, kNaN, kNaN, 50, kNaN, kNaN, kNaN}},
                        {"größe", {0, 1, 2, 3, 4, 5, 6, 7, 80, 90, 70, 2}}};
  summary.ess_worst = kNaN;
  summary.rhat_max = 2;
  return summary;
}

TEST(SummaryText, AlignsItsColumns) {
  const auto text = lines(to_text(made_summary()));
  ASSERT_EQ(text.size(), 9U);
  EXPECT_EQ(text[2],
            "parameter   mean    mcse        sd      5%     50%       95%  ess_bulk  "
            "ess_tail  ess_sq   rhat");
  EXPECT_EQ(text[3],
            "a          1.235  0.2500     2.000  -3.000  0.5000  1.00e-05       100  "
            "     200     300  1.005");
  EXPECT_EQ(text[4],
            "slow       -1235       -  1.00e+07   0.000   1.000     2.000        50  "
            "       -       -      -");
  EXPECT_EQ(text[5],
            "größe      0.000   5.000     1.000   2.000   3.000     4.000        80  "
            "      90      70  2.000");
}

TEST(SummaryText, SaysWhatTheRunWasAndWhatItCost) {
  const auto text = lines(to_text(made_summary()));
  EXPECT_EQ(text[0],
            "gaussian2d by nuts: 4 chains x (1,000 warm-up + 500 draws), 3 parameters, seed 7");
  EXPECT_EQ(text[7], "acceptance 0.800, 4,000 gradients, 2.00 s (0.50 warm-up + 1.50 sampling)");
  EXPECT_EQ(text[8], "worst ESS -, R-hat at most 2.000");
}

TEST(SummaryText, SpeaksOfOneChainAndOneParameterInTheSingular) {
  Summary summary = made_summary();
  summary.parameters.resize(1);
  summary.facts.chains = 1;
  summary.facts.lanes = 1;
  EXPECT_EQ(lines(to_text(summary))[0],
            "gaussian2d by nuts: 1 chain x (1,000 warm-up + 500 draws), 1 parameter, seed 7");
}

TEST(SummaryText, MentionsWhatIsUnusual) {
  Summary summary = made_summary();
  summary.facts.lanes = 4;
  summary.facts.divergences = 3;
  summary.facts.bad_points = 5;
  summary.facts.densities = {10, 20};
  summary.facts.seconds = {0, 0.00123};
  summary.ess_worst = 400;
  const auto text = lines(to_text(summary));
  EXPECT_TRUE(text[0].ends_with(", 4 lanes, seed 7"));
  EXPECT_EQ(text[7],
            "acceptance 0.800, 3 divergent, 5 bad points, 4,000 gradients, 30 densities, "
            "0.0012 s (0 warm-up + 0.0012 sampling)");
  EXPECT_EQ(text[8],
            "worst ESS 400, R-hat at most 2.000, 325,000 ESS per second, 0.09926 per gradient");
}

TEST(SummaryText, PutsTheLowestEssFirstWhereItShowsOnlySome) {
  const auto text = lines(to_text(made_summary(), 2));
  EXPECT_TRUE(text[3].starts_with("slow"));  // not defined is the worst
  EXPECT_TRUE(text[4].starts_with("größe"));
  EXPECT_EQ(text[5], "(2 of 3 parameters, the lowest ESS first)");
  EXPECT_EQ(to_text(made_summary(), 3), to_text(made_summary()));
}

TEST(SummaryText, PutsTheLowestEssFirstWhereThereAreMany) {
  Summary summary = made_summary();
  for (double ess = 500; ess < 520; ++ess) {
    summary.parameters.push_back({"more", {0, 1, 2, 3, 4, 5, 6, 7, ess, 900, 900, 1}});
  }
  const auto text = lines(to_text(summary));
  EXPECT_TRUE(text[3].starts_with("slow"));
  EXPECT_TRUE(text[4].starts_with("größe"));
  EXPECT_EQ(text[26], "(the lowest ESS first)");
}

TEST(SummaryText, PutsWhatTheModelFixesLast) {
  Summary summary = made_summary();
  const ParameterSummary one = {"corner",
                                {1, 0, 1, 1, 1, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN}};
  summary.parameters.insert(summary.parameters.begin(), one);
  const auto text = lines(to_text(summary, 2));
  EXPECT_TRUE(text[3].starts_with("slow"));
  EXPECT_TRUE(text[4].starts_with("größe"));
}

TEST(SummaryText, MarksWhatTheVerdictWouldCallBad) {
  Summary summary = made_summary();
  const auto text = lines(to_text(summary, TableStyle{.colour = true}));
  EXPECT_EQ(text[3].find("\x1b[1;31m1.005"), std::string::npos);
  EXPECT_NE(text[3].find("\x1b[1;31m100\x1b[0m"), std::string::npos);  // of 400 wanted
  EXPECT_NE(text[5].find("\x1b[1;31m2.000\x1b[0m"), std::string::npos);
  EXPECT_EQ(to_text(summary, TableStyle{}), to_text(summary));
}

TEST(SummaryText, DrawsTheChainsOneAfterAnother) {
  Draws draws = good_draws(4, 20000, 3);
  draws.chains[1].draws.col(0).array() += 30;
  const auto text = lines(to_text(summarise(draws), TableStyle{.trace = true}));
  EXPECT_TRUE(text[2].ends_with("           trace"));
  EXPECT_TRUE(text[3].ends_with("  ▁▁▁▁▇▇▇▇▁▁▁▁▁▁▁▁"));
  EXPECT_TRUE(text[5].ends_with("  ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄")) << text[5];
}

TEST(SummaryText, CountsOneAndSaysWhatItDoesNotKnow) {
  Summary summary = made_summary();
  summary.facts.bad_points = 1;
  summary.facts.seconds = {};
  EXPECT_NE(to_text(summary).find(", 1 bad point, 4,000 gradients, - s (- warm-up + - sampling)\n"),
            std::string::npos)
      << to_text(summary);
}

TEST(SummaryText, KeepsTheIntervalInEightyColumns) {
  const auto text = lines(to_text(summarise(good_draws(4, 500, 3)), TableStyle{.width = 70}));
  EXPECT_NE(text[2].find(" 5% "), std::string::npos) << text[2];
  EXPECT_NE(text[2].find(" 95% "), std::string::npos) << text[2];
  EXPECT_EQ(text[2].find("50%"), std::string::npos) << text[2];
  EXPECT_NE(text[2].find(" sd "), std::string::npos) << text[2];
}

std::vector<std::string> shown(const Summary& summary, const TableStyle& style) {
  std::vector<std::string> names;
  const auto text = lines(to_text(summary, style));
  for (std::size_t i = 3; i < text.size() && !text[i].empty() && text[i][0] != '('; ++i) {
    names.push_back(text[i].substr(0, text[i].find(' ')));
  }
  return names;
}

TEST(SummaryText, IsSortedAsAsked) {
  Summary summary = made_summary();
  summary.parameters.resize(1);
  for (const auto& [name, ess, rhat] :
       {std::tuple("x.10", 500.0, 1.1), std::tuple("x.9", 300.0, 1.2),
        std::tuple("a", 900.0, 1.0)}) {
    summary.parameters.push_back({name, {0, 1, 2, 3, 4, 5, 6, 7, ess, ess, ess, rhat}});
  }
  summary.parameters.erase(summary.parameters.begin());
  using Names = std::vector<std::string>;
  EXPECT_EQ(shown(summary, {}), (Names{"x.10", "x.9", "a"}));
  EXPECT_EQ(shown(summary, {.order = TableOrder::name}), (Names{"a", "x.9", "x.10"}));
  EXPECT_EQ(shown(summary, {.order = TableOrder::ess}), (Names{"x.9", "x.10", "a"}));
  EXPECT_EQ(shown(summary, {.order = TableOrder::rhat}), (Names{"x.9", "x.10", "a"}));
  EXPECT_EQ(shown(summary, {.rows = 1, .order = TableOrder::name}), Names{"a"});
}

TEST(SummaryText, PutsWhatFollowsFromTheParametersAndConstantsLast) {
  Summary summary = summarise(good_draws(2, 20, 30));
  summary.facts.parameters = 10;
  summary.parameters[3].values.sd = 0;  // fixed by the model
  const auto names = shown(summary, {});
  ASSERT_EQ(names.size(), 30U);
  EXPECT_EQ(names[9], "x.4");
  for (std::size_t i = 0; i < 30; ++i) {
    const bool is_parameter = std::stoi(names[i].substr(2)) <= 10;
    EXPECT_EQ(is_parameter, i < 10) << names[i];
  }
}

TEST(SummaryText, HasTheQuantilesAskedForInTableJsonAndCsv) {
  const Draws draws = good_draws(4, 500, 2);
  const Summary summary = summarise(draws, {.quantiles = {0.025, 0.975}});
  const std::string title = lines(to_text(summary))[2];
  EXPECT_NE(title.find(" 2.5% "), std::string::npos) << title;
  EXPECT_NE(title.find(" 97.5% "), std::string::npos) << title;
  EXPECT_EQ(title.find(" 95% "), std::string::npos) << title;
  EXPECT_NE(to_json(summary).find("\"0.025\": "), std::string::npos);
  const auto csv = lines(to_csv(summary));
  EXPECT_EQ(csv[0], "parameter,mean,mcse_mean,sd,q0.025,q0.975,ess_bulk,ess_tail,ess_sq,rhat");
  EXPECT_NE(csv[1].find(fmt::format(",{},", quantile(draws.parameter(0), 0.025))),
            std::string::npos)
      << csv[1];
}

TEST(SummaryText, AsCsvQuotesNamesAndSaysNan) {
  Summary summary = made_summary();
  summary.parameters.resize(1);
  summary.parameters[0].name = "a \"b\", c";
  summary.parameters[0].values.ess_tail = std::numeric_limits<double>::quiet_NaN();
  const auto csv = lines(to_csv(summary));
  EXPECT_EQ(csv[0], "parameter,mean,mcse_mean,sd,q05,q50,q95,ess_bulk,ess_tail,ess_sq,rhat");
  EXPECT_TRUE(csv[1].starts_with("\"a \"\"b\"\", c\",")) << csv[1];
  EXPECT_NE(csv[1].find(",nan,"), std::string::npos) << csv[1];
}

TEST(SummaryText, NeverSendsOrdersOfANameToTheTerminal) {
  Summary summary = made_summary();
  summary.parameters[0].name = "a\x1b[2J\nb";
  EXPECT_TRUE(lines(to_text(summary))[3].starts_with("a\uFFFD[2J\uFFFDb "));
}

TEST(SummaryText, KeepsFourDigitsOfEverySize) {
  Summary summary = made_summary();
  const std::pair<double, const char*> sizes[] = {
      {0.000123456, "0.0001235"}, {0.000099, "9.90e-05"},
      {999.94, "999.9"},          {999.96, "1000"},
      {123456.7, "123457"},       {999999.7, "1.00e+06"},
      {-1e300, "-1.00e+300"},     {std::numeric_limits<double>::infinity(), "inf"}};
  for (const auto& [value, wanted] : sizes) {
    summary.parameters[0].values.mean = value;
    std::istringstream row(lines(to_text(summary))[3]);
    std::string name, mean;
    row >> name >> mean;
    EXPECT_EQ(mean, wanted);
  }
}

}  // namespace
}  // namespace gadwall
