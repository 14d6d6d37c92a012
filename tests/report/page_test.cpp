// The page as text: what it holds, that it is inert, and how large it is.
#include <gtest/gtest.h>

#include "diagnostics/made_draws.hpp"
#include "gadwall/report.hpp"
#include "report/encode.hpp"
#include "report/made_runs.hpp"
#include "report/plots.hpp"

namespace gadwall::report {
namespace {

using gadwall::testing::good_draws;
using gadwall::testing::sampled;

std::string page_of(const Draws& draws) {
  return report::report_page({{"a run", &draws}});
}

Json data_of(const std::string& page) {
  const std::string start = R"(<script type="application/json" id="data">)";
  const std::size_t from = page.find(start) + start.size();
  return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(ReportPage, HoldsTheNumbersOfTheSummaryToTheLastBit) {
  const Draws draws = good_draws();
  const Summary summary = summarise(draws);
  const Json run = data_of(page_of(draws))["runs"][0];
  EXPECT_EQ(run["table"]["name"], Json({"x.1", "x.2"}));
  for (std::size_t j = 0; j < 2; ++j) {
    const ParameterDiagnostics& p = summary.parameters[j].values;
    EXPECT_EQ(run["table"]["mean"][j], p.mean);
    EXPECT_EQ(run["table"]["mcse"][j], p.mcse_mean);
    EXPECT_EQ(run["table"]["q95"][j], p.q95);
    EXPECT_EQ(run["table"]["ess_tail"][j], p.ess_tail);
    EXPECT_EQ(run["table"]["rhat"][j], p.rhat);
    EXPECT_EQ(run["table"]["worst"][j], worst_ess(p));
  }
  EXPECT_EQ(run["efficiency"]["worst"], summary.ess_worst);
  EXPECT_EQ(run["efficiency"]["per_second"], summary.ess_worst_per_second());
}

/// Where scores were kept; elsewhere there are no such columns.
TEST(ReportPage, ShowsTheMeansByScoresBesideThePlainOnes) {
  Draws draws = good_draws();
  EXPECT_FALSE(data_of(page_of(draws))["runs"][0]["table"].contains("controlled"));
  for (const Statistic& score : score_statistics(2)) draws.statistics.push_back(score);
  for (Chain& chain : draws.chains) {
    const Index before = chain.statistics.cols();
    chain.statistics.conservativeResize(Eigen::NoChange, before + 2);
    chain.statistics.rightCols(2) = -chain.draws;  // those of N(0, I), whose means are 0
  }
  const Summary summary = summarise(draws, {.scores = true});
  const Json table =
      data_of(report::report_page({{"a run", &draws, &summary}}))["runs"][0]["table"];
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_NEAR(table["controlled"][j], 0, 1e-10);
    EXPECT_LT(table["controlled_mcse"][j], table["mcse"][j]);
  }
}

TEST(ReportPage, BeginsWithTheVerdict) {
  Draws draws = good_draws();
  EXPECT_TRUE(data_of(page_of(draws))["runs"][0]["verdict"]["sound"]);
  draws.facts.divergences = 3;
  const Json verdict = data_of(page_of(draws))["runs"][0]["verdict"];
  EXPECT_FALSE(verdict["sound"]);
  EXPECT_EQ(verdict["words"], "Not sound: do not rely on these draws yet.");
  EXPECT_EQ(verdict["findings"][0]["what"], "3 divergent transitions after warm-up");
}

TEST(ReportPage, MarksWhatTheVerdictFindsTooSmall) {
  const Draws few = good_draws(4), many = good_draws(16);
  EXPECT_EQ(data_of(page_of(few))["runs"][0]["limits"], Json({{"rhat", 1.01}, {"ess", 400}}));
  EXPECT_EQ(data_of(page_of(many))["runs"][0]["limits"]["ess"], 1000);  // not 100 per chain
}

TEST(ReportPage, KeepsHostileTextAsData) {
  Draws draws = good_draws(4, 100, 5);
  const std::string plain = page_of(draws);
  draws.names.assign(std::begin(testing::kHostileNames), std::end(testing::kHostileNames));
  draws.names.back() += " not utf-8 \xff";
  draws.facts.command = "</script><script>alert(1)</script>";
  const std::string page = report::report_page({{"</title><script>alert(1)</script>", &draws}});
  for (const char* part : {"<script", "</script", "<!--", "</title", "<img"}) {
    EXPECT_EQ(occurrences(page, part), occurrences(plain, part)) << part;
  }
  EXPECT_EQ(data_of(page)["runs"][0]["table"]["name"][2], testing::kHostileNames[2]);
}

TEST(ReportPage, SaysNullForWhatTheFileDoesNotHold) {
  const Json data = data_of(page_of(good_draws()));
  EXPECT_TRUE(data["runs"][0]["learnt"].is_null());
  EXPECT_TRUE(data["comparison"].is_null());
  EXPECT_EQ(data["runs"][0]["facts"]["command"], "");
}

TEST(ReportPage, ShowsWhatAGadSamplerLearnt) {
  const Draws draws = sampled("gaussian2d", "gadmala", 2000, 500);
  const Json learnt = data_of(page_of(draws))["runs"][0]["learnt"];
  ASSERT_EQ(learnt["batches"].size(), 4U);
  for (const Json& batch : learnt["batches"]) {
    EXPECT_EQ(batch["trace"]["recorded"]["beta"].size(), batch["trace"]["iteration"].size());
    EXPECT_LT(batch["distance"], 0.5);  // the identity, which it starts from, has 0.7
  }
}

TEST(ReportPage, TakesDrawsThatAreNotFiniteOrDoNotMove) {
  Draws draws = good_draws(2, 50, 3);
  draws.chains[0].draws(3, 0) = std::nan("");
  for (Chain& chain : draws.chains) chain.draws.col(1).setConstant(4);
  const Json run = data_of(page_of(draws))["runs"][0];
  EXPECT_TRUE(run["table"]["mean"][0].is_null());
  EXPECT_EQ(run["table"]["mean"][1], 4);
  EXPECT_FALSE(run["verdict"]["sound"]);
}

TEST(ReportPage, TakesVeryShortRuns) {
  for (const Index draws : {1, 2, 5}) {
    EXPECT_EQ(data_of(page_of(good_draws(1, draws, 1)))["runs"][0]["draws"], draws);
  }
}

TEST(ReportPage, ComparesSeveralRuns) {
  const Draws a = good_draws(4, 500, 2);
  Draws b = good_draws(4, 500, 3);
  for (Chain& chain : b.chains) chain.draws.col(1).array() += 1;
  std::swap(b.names[0], b.names[1]);
  const Json compared = data_of(report::report_page({{"a", &a}, {"b", &b}}))["comparison"];
  ASSERT_EQ(compared.size(), 1U);
  EXPECT_EQ(compared[0]["base"], Json({1, 0}));  // by name, not by place
  EXPECT_EQ(compared[0]["other"], Json({0, 1}));
  const ParameterDiagnostics x = summarise(a).parameters[0].values;
  const ParameterDiagnostics y = summarise(b).parameters[1].values;
  EXPECT_DOUBLE_EQ(compared[0]["z"][1], (y.mean - x.mean) / std::hypot(x.mcse_mean, y.mcse_mean));
  EXPECT_GT(compared[0]["z"][1], 10);
  EXPECT_LT(std::abs(compared[0]["z"][0].get<double>()), 4);
}

TEST(ReportPage, IsTheSameForTheSameDraws) {
  const Draws draws = good_draws(4, 200, 7);
  EXPECT_EQ(page_of(draws), page_of(draws));
}

TEST(ReportPage, StaysSmallForManyDrawsAndManyParameters) {
  const Draws wide = good_draws(4, 300, 500);
  EXPECT_LT(page_of(wide).size(), 8'000'000U);
  const Draws many = good_draws(4, 20000, 10);
  const std::string page = page_of(many);
  EXPECT_LT(page.size(), 1'500'000U);
  EXPECT_EQ(data_of(page)["runs"][0]["pictures"]["every"], 20);
}

TEST(Plots, TakeTheirDataByName) {
  const Json rows = {{{"x", 1}, {"y", 2}, {"series", "a"}}};
  const Json spec = with_data(line_plot({"x", "y"}, {}), "lines", rows);
  EXPECT_EQ(spec["data"][0]["values"], rows);
  EXPECT_TRUE(spec["data"][1]["values"].empty());
  EXPECT_EQ(with_signal(contour_plot({"x", "y"}), "levels", {1, 2})["signals"].back()["value"],
            Json({1, 2}));
}

}  // namespace
}  // namespace gadwall::report
