// The verdict: every fault is found, named and grave enough; nothing else is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "diagnostics/made_draws.hpp"
#include "gadwall/catalog.hpp"

namespace gadwall {
namespace {

using gadwall::testing::good_draws;
using gadwall::testing::statistic_of;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Verdict judge(const Draws& draws) {
  return judge(draws, summarise(draws));
}

std::string text(const Draws& draws) {
  const Summary summary = summarise(draws);
  return to_text(judge(draws, summary), summary);
}

/// The finding that begins like this.
const Finding* find(const Verdict& verdict, const std::string& beginning) {
  for (const Finding& finding : verdict.findings) {
    if (finding.what.starts_with(beginning)) return &finding;
  }
  return nullptr;
}

void expect_problem(const Draws& draws, const std::string& what) {
  const Verdict verdict = judge(draws);
  const Finding* finding = find(verdict, what);
  ASSERT_NE(finding, nullptr) << what << " is not in\n" << text(draws);
  EXPECT_TRUE(finding->serious) << finding->what;
  EXPECT_FALSE(finding->advice.empty());
  EXPECT_FALSE(verdict.sound());
  EXPECT_TRUE(text(draws).ends_with("Not sound: do not rely on these draws yet.\n"));
}

void expect_note(const Draws& draws, const std::string& what) {
  const Verdict verdict = judge(draws);
  ASSERT_EQ(verdict.findings.size(), 1U) << text(draws);
  EXPECT_TRUE(verdict.findings.front().what.starts_with(what)) << verdict.findings.front().what;
  EXPECT_TRUE(verdict.sound());
}

TEST(Verdict, HasNothingToSayOfGoodDraws) {
  const Draws draws = good_draws();
  EXPECT_TRUE(judge(draws).findings.empty()) << text(draws);
  EXPECT_TRUE(text(draws).starts_with("Sound: R-hat at most 1.00")) << text(draws);
}

/// log_lik and y_rep are nothing to be estimated.
TEST(Verdict, PassesOverValuesInGroupsOfTheirOwn) {
  Draws draws = good_draws();
  draws.names[1] = "log_lik.1";
  draws.chains[0].draws.col(1).array() += 10;
  expect_problem(draws, "R-hat is");
  draws.facts.groups = {{"log_lik", "log_likelihood"}};
  EXPECT_TRUE(judge(draws).findings.empty()) << text(draws);
  EXPECT_LT(summarise(draws).rhat_max, 1.01);
  EXPECT_NE(to_text(summarise(draws)).find(", without log_lik\n"), std::string::npos);
  draws.chains[0].draws(0, 1) = kNaN;
  expect_problem(draws, "draws that are not finite: log_lik.1");
}

TEST(Verdict, FindsChainsThatDisagree) {
  Draws draws = good_draws();
  draws.chains[2].draws.col(1).array() += 2;
  expect_problem(draws, "R-hat is ");
  EXPECT_TRUE(find(judge(draws), "R-hat is ")->what.ends_with(": x.2"));
}

/// 1.010 would not be above 1.01.
TEST(Verdict, ShowsByHowMuchALimitIsMissed) {
  Draws draws = good_draws();
  const Vector column = draws.chains[2].draws.col(1);
  double low = 0;
  double high = 1;
  for (double rhat = 0; !(rhat > 1.01 && rhat < 1.0104);) {
    const double shift = (low + high) / 2;
    draws.chains[2].draws.col(1) = column.array() + shift;
    rhat = summarise(draws).rhat_max;
    (rhat > 1.01 ? high : low) = shift;
  }
  const std::string what = find(judge(draws), "R-hat is ")->what;
  EXPECT_GT(std::stod(what.substr(std::string("R-hat is ").size())), 1.01) << what;
}

TEST(Verdict, NamesCopiesOfAChain) {
  Draws draws = good_draws();
  draws.chains[2] = draws.chains[0];
  expect_problem(draws, "the same draws: chains 1 and 3");
}

/// The pairs of so many are not all looked at.
TEST(Verdict, NamesCopiesAmongManyChains) {
  Draws draws = good_draws(100, 200);
  draws.chains[98] = draws.chains[71];
  EXPECT_NE(find(judge(draws), "the same draws: chains 72 and 99"), nullptr) << text(draws);
}

TEST(Verdict, NamesChainsThatBecomeCopies) {
  Draws draws = good_draws();
  draws.chains[1].draws.bottomRows(100) = draws.chains[3].draws.bottomRows(100);
  expect_problem(draws, "the same draws: chains 2 and 4");
}

TEST(Verdict, NamesChainsThatMoveTogether) {
  Draws draws = good_draws();
  draws.chains[3].draws = draws.chains[1].draws.array() * 0.9 + 0.05;
  expect_problem(draws, "moving together, as chains of one seed do: chains 2 and 4");
}

/// Of two runs that began with one seed: their draws need not look alike.
TEST(Verdict, NamesChainsOfOneNumberAndSeed) {
  Draws draws = good_draws();
  draws.facts.origins = {{7, 0, 2}, {8, 0, 1}, {7, 1, 1}};
  expect_problem(draws, "of one number and one seed: chains 2 and 4");
  draws.facts.origins = {{7, 0, 2}, {8, 0, 2}};
  EXPECT_TRUE(judge(draws).sound()) << text(draws);
}

/// Where chains hardly moved any two parameters may seem to go together.
TEST(Verdict, TellsNoFunnelOfChainsThatHardlyMoved) {
  for (const double stay : {0.99, 0.999, 0.9999}) {
    Draws draws = good_draws(4, 500, 60);
    for (Chain& chain : draws.chains) {
      for (Index i = 1; i < chain.draws.rows(); ++i) {
        chain.draws.row(i) *= std::sqrt(1 - stay * stay);
        chain.draws.row(i) += stay * chain.draws.row(i - 1);
      }
    }
    EXPECT_FALSE(judge(draws).sound());
    EXPECT_EQ(text(draws).find("a funnel"), std::string::npos) << text(draws);
  }
}

TEST(Verdict, GroupsTheDigitsOfCounts) {
  Draws draws = good_draws(4, 60, 1200);
  EXPECT_NE(text(draws).find(" and 1,195 more"), std::string::npos) << text(draws);
}

TEST(Verdict, TellsAFunnelOfOtherSamplersAndParameters) {
  Draws draws = good_draws(4, 500, 4);
  draws.facts.sampler = "gadmala";
  for (Chain& chain : draws.chains) {
    Vector neck = chain.draws.col(0);
    for (Index i = 1; i < neck.size(); ++i) neck[i] = 0.98 * neck[i - 1] + 0.6 * neck[i];
    chain.draws.col(0) = neck;
    for (Index j = 1; j < 4; ++j) chain.draws.col(j).array() *= (neck.array() / 2).exp();
  }
  const Verdict verdict = judge(draws);
  const Finding* funnel = find(verdict, "a funnel: the spread of x.2, x.3, x.4 follows x.1");
  ASSERT_NE(funnel, nullptr) << text(draws);
  EXPECT_NE(funnel->advice.find("`sampler=nuts`"), std::string::npos) << funnel->advice;
  EXPECT_NE(funnel->advice.find("reparametrise"), std::string::npos) << funnel->advice;
  const bool has_auto = std::ranges::count(samplers(), "auto", &SamplerRow::name) > 0;
  EXPECT_EQ(funnel->advice.find("`sampler=auto`") != std::string::npos, has_auto);
  draws.facts.sampler = "nuts";
  EXPECT_EQ(text(draws).find("`sampler=nuts`"), std::string::npos) << text(draws);
}

/// Members of a funnel may mix worse than its neck, and two of them stay small together.
TEST(Verdict, NamesTheNeckOfAFunnelAlsoWhereAMemberMixesWorse) {
  Draws draws = good_draws(4, 500, 5);
  for (Chain& chain : draws.chains) {
    Vector neck = chain.draws.col(4), slow = chain.draws.col(0);
    for (Index i = 1; i < neck.size(); ++i) {
      neck[i] = 0.98 * neck[i - 1] + 0.6 * neck[i];
      slow[i] = 0.999 * slow[i - 1] + 0.1 * slow[i];
    }
    chain.draws.col(4) = neck;
    chain.draws.col(0) = slow;
    for (Index j = 0; j < 4; ++j) chain.draws.col(j).array() *= (neck.array() / 2).exp();
  }
  EXPECT_NE(find(judge(draws), "a funnel: the spread of x.1, x.2, x.3, x.4 follows x.5"), nullptr)
      << text(draws);
}

TEST(Verdict, FindsTooFewEffectiveDraws) {
  Draws draws = good_draws(4, 60);
  expect_problem(draws, "worst ESS is ");
  EXPECT_NE(text(draws).find("should be at least 400"), std::string::npos);
}

TEST(Verdict, NamesTheWorstNumbersAlsoBesideOnesThatAreNotDefined) {
  Draws draws = good_draws(4, 60, 3);
  draws.chains[2].draws.col(1).array() += 2;
  draws.chains[0].draws(0, 2) = kNaN;
  EXPECT_EQ(find(judge(draws), "worst ESS is ")->what.find("nan"), std::string::npos);
  EXPECT_EQ(find(judge(draws), "R-hat is ")->what.find("nan"), std::string::npos);
}

TEST(Verdict, FindsDrawsThatAreNotFinite) {
  for (const double value : {kNaN, std::numeric_limits<double>::infinity()}) {
    Draws draws = good_draws();
    draws.chains[1].draws(7, 0) = value;
    expect_problem(draws, "draws that are not finite: x.1");
  }
}

TEST(Verdict, FindsChainsThatNeverMoved) {
  Draws draws = good_draws();
  draws.chains[2].draws.rowwise() = draws.chains[2].draws.row(0).eval();
  expect_problem(draws, "never moved: chain 3");
  for (Chain& chain : draws.chains) chain.draws.setOnes();
  expect_problem(draws, "no draw differs from another: x.1, x.2");
}

TEST(Verdict, AdvisesWhatTheSamplerAndItsMetricLeaveToTry) {
  Draws draws = good_draws();
  draws.chains[0].draws.rowwise() = draws.chains[0].draws.row(0).eval();
  const auto advice = [&] { return find(judge(draws), "never moved")->advice; };
  EXPECT_NE(advice().find("try `metric=dense` `max-depth=12`, a longer"), std::string::npos);
  draws.facts.settings["metric"] = "dense";
  EXPECT_NE(advice().find("try a longer warm-up"), std::string::npos);
  draws.facts.settings.erase("max-depth");
  EXPECT_NE(advice().find("try `sampler=nuts` `metric=dense` `max-depth=12`, a longer"),
            std::string::npos);
  statistic_of(draws, 1, "tree_depth")[3] = 2;  // nuts of another tool, which has no settings
  EXPECT_NE(advice().find("try a longer warm-up"), std::string::npos);
  statistic_of(draws, 1, "tree_depth")[3] = 0;
  draws.facts.settings["scout"] = "0";
  EXPECT_NE(advice().find("try `scout=1000`, `sampler=nuts`"), std::string::npos);
}

TEST(Verdict, AllowsAQuantityThatTheModelFixes) {
  Draws draws = good_draws();
  for (Chain& chain : draws.chains) chain.draws.col(0).setOnes();
  expect_note(draws, "constant: x.1");
  EXPECT_NE(text(draws).find("Sound: R-hat at most 1.00"), std::string::npos) << text(draws);
}

TEST(Verdict, AllowsACountWhoseTailsHaveNoEss) {
  Draws draws = good_draws();
  for (Chain& chain : draws.chains) {
    chain.draws.col(0) = (chain.draws.col(0).array() > 0.5).cast<double>().matrix().eval();
  }
  expect_note(draws, "the ESS of the tails is not defined: x.1");
}

TEST(Verdict, DoesNotTrustWhatIsTooShortToJudge) {
  expect_problem(good_draws(1, 1), "ESS or R-hat is not defined: x.1, x.2");
  expect_problem(good_draws(4, 1), "ESS or R-hat is not defined: x.1, x.2");
  expect_problem(good_draws(4, 3), "worst ESS is ");
}

TEST(Verdict, NotesASingleChain) {
  expect_note(good_draws(1), "one chain alone");
}

TEST(Verdict, AsksOfManyChainsNoMoreThanOfTen) {
  EXPECT_EQ(text(good_draws(16, 100)).find("worst ESS is "), std::string::npos);
  EXPECT_NE(text(good_draws(16, 40)).find("should be at least 1,000"), std::string::npos);
}

TEST(Verdict, FindsEnergiesThatHardlyMove) {
  Draws draws = good_draws();
  statistic_of(draws, 1, "energy").setLinSpaced(0, 100);
  expect_problem(draws, "E-BFMI is below 0.3: chain 2 (0.00)");
}

/// Energies of an autoregression with E-BFMI 2 (1 - 0.875) = 0.25: too little of a momentum that is
/// drawn anew, enough where four fifths of it are kept.
TEST(Verdict, JudgesEnergiesByTheMomentumThatIsDrawnAnew) {
  Draws draws = good_draws();
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  auto energy = statistic_of(draws, 1, "energy");
  double value = 0;
  for (Index t = 0; t < energy.size(); ++t) {
    value = 0.875 * value + std::sqrt(1 - 0.875 * 0.875) * normal(generator);
    energy[t] = value;
  }
  expect_problem(draws, "E-BFMI is below 0.3: chain 2");
  Learnt learnt{Tuning(Factor::unit(2)), {}};
  learnt.tuning.trajectory = TrajectoryPlan{Integrator::shear, 1, 0.8};
  for (const std::size_t batches : {1, 2, 4}) {  // of four, two and one of the chains
    draws.learnt.assign(batches, learnt);
    EXPECT_TRUE(judge(draws).findings.empty()) << text(draws);
  }
  learnt.tuning.trajectory->per_draw = 20;  // of which nothing of the first momentum is left
  draws.learnt.assign(1, learnt);
  expect_problem(draws, "E-BFMI is below 0.3: chain 2");
}

TEST(Verdict, AsksNoEnergiesOfKernelsThatHaveNone) {
  Draws draws = good_draws();
  for (std::size_t c = 0; c < 4; ++c) statistic_of(draws, c, "energy").setZero();
  EXPECT_TRUE(judge(draws).findings.empty());
  draws.statistics.clear();  // nor of files without statistics
  for (Chain& chain : draws.chains) chain.statistics.resize(500, 0);
  EXPECT_TRUE(judge(draws).findings.empty());
}

TEST(Verdict, NotesTrajectoriesThatWereCutShort) {
  Draws draws = good_draws();
  statistic_of(draws, 0, "tree_depth")[3] = 10;
  statistic_of(draws, 3, "tree_depth")[8] = 10;
  expect_note(draws, "2 transitions reached the longest length allowed (depth 10)");
}

TEST(Verdict, FindsAProposalThatIsHardlyEverAccepted) {
  Draws draws = good_draws();
  draws.facts.accept_rate = 0.01;
  expect_problem(draws, "acceptance is 0.010");
}

TEST(Verdict, NotesWhatIsWorthKnowing) {
  Draws stopped = good_draws();
  stopped.facts.draws_asked = 1000;
  expect_note(stopped, "the run was stopped: 500 of 1,000 draws");
  stopped.facts.stopped_by = "ess";  // 1000 was the most there would be
  EXPECT_TRUE(judge(stopped).findings.empty()) << text(stopped);
  stopped.facts.stopped_by = "time";
  stopped.facts.draws_asked = 0;  // unknown
  expect_note(stopped, "the run was stopped: 500 draws");
  Draws bad_points = good_draws();
  bad_points.facts.bad_points = 12;
  expect_note(bad_points, "12 points had no finite density");
}

TEST(Verdict, NotesAntitheticChains) {
  Draws draws = good_draws(4, 2000);
  for (Chain& chain : draws.chains) {  // the size moves slowly, the sign flips
    for (Index i = 1; i < 2000; ++i) {
      double& now = chain.draws(i, 0);
      const double size = 0.9 * std::abs(chain.draws(i - 1, 0)) + 0.2 * std::abs(now);
      now = i % 2 == 0 ? size : -size;
    }
  }
  const Verdict verdict = judge(draws);
  const Finding* finding = find(verdict, "the ESS of squares is below a fifth");
  ASSERT_NE(finding, nullptr) << text(draws);
  EXPECT_FALSE(finding->serious);
  EXPECT_TRUE(finding->what.ends_with(": x.1"));
  EXPECT_EQ(finding->advice.find("`jitter`"), std::string::npos);  // nuts has none
  draws.facts.settings = {{"leapfrog", "10"}, {"jitter", "0"}};
  EXPECT_NE(find(judge(draws), "the ESS of squares")->advice.find("`jitter`"), std::string::npos);
}

TEST(Verdict, IgnoresSettingsThatAreNoNumbers) {
  Draws draws = good_draws();
  draws.facts.settings = {{"max-depth", ""}};
  EXPECT_TRUE(judge(draws).findings.empty()) << text(draws);
}

TEST(Verdict, PutsProblemsFirstAndShortensLongLists) {
  Draws draws = good_draws(1, 60, 8);
  draws.facts.divergences = 1;
  const Verdict verdict = judge(draws);
  bool notes = false;
  for (const Finding& finding : verdict.findings) {
    EXPECT_FALSE(finding.serious && notes) << finding.what;
    notes = notes || !finding.serious;
  }
  EXPECT_TRUE(notes);
  EXPECT_NE(text(draws).find(": x.1, x.2, x.3, x.4, x.5 and 3 more\n"), std::string::npos);
}

TEST(Verdict, OnNothingOrWithoutNumbersIsNeverSound) {
  EXPECT_FALSE(judge(Draws()).sound());
  Draws no_parameters;
  no_parameters.chains.resize(2);
  for (Chain& chain : no_parameters.chains) {
    chain.draws.resize(100, 0);
    chain.statistics.resize(100, 0);
  }
  EXPECT_FALSE(judge(no_parameters).sound());
  EXPECT_EQ(text(no_parameters).find("nan"), std::string::npos);
}

}  // namespace
}  // namespace gadwall
