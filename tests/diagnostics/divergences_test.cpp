// Divergent transitions are found, and the verdict says where they are.
#include "diagnostics/divergences.hpp"

#include <gtest/gtest.h>

#include "diagnostics/made_draws.hpp"

namespace gadwall {
namespace {

using gadwall::testing::good_draws;
using gadwall::testing::statistic_of;

const Finding* find(const Verdict& verdict) {
  for (const Finding& finding : verdict.findings) {
    if (finding.what.find("divergent transition") != std::string::npos) return &finding;
  }
  return nullptr;
}

std::string advice(const Draws& draws) {
  const Verdict verdict = judge(draws, summarise(draws));
  const Finding* finding = find(verdict);
  return finding == nullptr ? "" : finding->advice;
}

TEST(Divergences, AreFound) {
  Draws draws = good_draws();
  draws.facts.divergences = 3;
  const Verdict verdict = judge(draws, summarise(draws));
  const Finding* finding = find(verdict);
  ASSERT_NE(finding, nullptr);
  EXPECT_TRUE(finding->what.starts_with("3 divergent transitions"));
  EXPECT_TRUE(finding->serious);
  EXPECT_FALSE(verdict.sound());
}

TEST(Divergences, NamesTheNeckThatIsLeft) {
  Draws draws = good_draws();
  draws.facts.divergences = 3;
  StageFacts stage{.name = "pooled"};
  stage.notes = {{"warp", std::string("none")},
                 {"warp", std::string("tau is the scale of theta[1..8]; sampled non-centred")}};
  draws.facts.stages = {stage};
  const Verdict verdict = judge(draws, summarise(draws));
  const Finding* finding = find(verdict);
  ASSERT_NE(finding, nullptr);
  EXPECT_NE(finding->advice.find("(tau is the scale of theta[1..8]; sampled non-centred)"),
            std::string::npos);
}

TEST(Divergences, NamesTheParameterThatIsLowWhereTransitionsDiverge) {
  Draws draws = good_draws(4, 500, 3);
  draws.names = {"mu", "tau", "theta"};
  for (std::size_t c = 0; c < draws.chains.size(); ++c) {
    const Vector tau = draws.chains[c].draws.col(1);
    statistic_of(draws, c, "divergent") = (tau.array() < -1.8).cast<double>();
    draws.facts.divergences += static_cast<std::uint64_t>((tau.array() < -1.8).count());
  }
  const Verdict verdict = judge(draws, summarise(draws));
  const Finding* finding = find(verdict);
  ASSERT_NE(finding, nullptr);
  EXPECT_TRUE(finding->advice.starts_with("the step is too long where tau is low, a neck: raise"))
      << finding->advice;
  draws.facts.stages = {StageFacts{.name = "pooled"}};
  draws.facts.stages[0].notes = {{"warp", std::string("mu is the scale of theta")}};
  EXPECT_NE(advice(draws).find("a neck is left where tau is low though a scale was found"),
            std::string::npos);
}

TEST(Divergences, NamesNoPlaceWhereTransitionsDivergeAnywhere) {
  Draws draws = good_draws(4, 500, 3);
  for (std::size_t c = 0; c < draws.chains.size(); ++c) {
    for (Index i = 0; i < 500; i += 50) statistic_of(draws, c, "divergent")[i] = 1;
    draws.facts.divergences += 10;
  }
  EXPECT_NE(advice(draws).find("the step is too long where the curvature is strong"),
            std::string::npos);
}

}  // namespace
}  // namespace gadwall
