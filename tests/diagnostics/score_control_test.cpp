// Means by score control variates: unbiased, with honest standard errors, and more exact.
#include "diagnostics/score_control.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gadwall/error.hpp"
#include "gadwall/noise.hpp"

namespace gadwall {
namespace {

/// Independent exact draws of x1 ~ N(0, 1), x2 | x1 ~ N(b (x1^2 - 1), 1), and their scores; the
/// third column is x1^2, of mean 1, the fourth the constant 2.
Draws exact_banana(std::uint64_t seed, Index draws) {
  constexpr double b = 0.25;
  Draws made;
  made.names = {"x1", "x2", "square", "constant"};
  made.statistics = score_statistics(2);
  for (std::uint32_t c = 0; c < 2; ++c) {
    Chain chain{Matrix(draws, 4), Matrix(draws, 2)};
    for (Index i = 0; i < draws; ++i) {
      Vector z(2);
      fill_normal(NoiseKey{seed, c, static_cast<std::uint64_t>(i)}, Purpose::start, z);
      const double x1 = z[0];
      chain.draws.row(i) << x1, b * (x1 * x1 - 1) + z[1], x1 * x1, 2;
      chain.statistics.row(i) << -x1 + 2 * b * x1 * z[1], -z[1];
    }
    made.chains.push_back(std::move(chain));
  }
  made.facts.chains = 2;
  return made;
}

/// Over 200 seeds z = error / mcse has mean 0 and mean square 1, each within 4 standard errors.
TEST(ScoreControl, IsUnbiasedAndKnowsItsError) {
  constexpr int kSeeds = 200;
  const Vector exact{{0, 0, 1}};
  Vector mean = Vector::Zero(3), square = Vector::Zero(3);
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Draws draws = exact_banana(seed, 400);
    const ScoreControl control(draws);
    for (Index j = 0; j < 3; ++j) {
      const ControlledMean found = control.mean(draws.parameter(j));
      const double z = (found.mean - exact[j]) / found.mcse;
      mean[j] += z / kSeeds;
      square[j] += z * z / kSeeds;
    }
  }
  for (Index j = 0; j < 3; ++j) {
    EXPECT_LT(std::abs(mean[j]), 4 / std::sqrt(kSeeds)) << j;
    EXPECT_LT(std::abs(square[j] - 1), 4 * std::sqrt(2.0 / kSeeds)) << j;
  }
}

TEST(ScoreControl, GainsWhereTheParameterIsNearlyLinearInTheScores) {
  const Draws draws = exact_banana(1, 2000);
  const ScoreControl control(draws);
  for (const Index j : {0, 1}) {
    const Matrix x = draws.parameter(j);
    EXPECT_LT(control.mean(x).mcse, 0.5 * mcse_mean(x)) << j;
  }
}

TEST(ScoreControl, IsExactForAGaussian) {
  Draws draws = exact_banana(1, 100);
  for (Chain& chain : draws.chains) {
    chain.statistics.col(0) = -chain.draws.col(0);  // x1 alone is N(0, 1)
  }
  EXPECT_NEAR(ScoreControl(draws).mean(draws.parameter(0)).mean, 0, 1e-10);
}

TEST(ScoreControl, LeavesTheWorstEssAlone) {
  const Draws draws = exact_banana(1, 300);
  const Summary plain = summarise(draws);
  const Summary controlled = summarise(draws, {.scores = true});
  EXPECT_EQ(plain.ess_worst, controlled.ess_worst);
  EXPECT_FALSE(plain.parameters[0].controlled);
  ASSERT_TRUE(controlled.parameters[0].controlled);
  EXPECT_NEAR(controlled.parameters[3].controlled->mean, 2, 1e-12);
  EXPECT_NE(to_json(controlled).find("mean_by_scores"), std::string::npos);
  EXPECT_EQ(to_json(plain).find("mean_by_scores"), std::string::npos);
  EXPECT_NE(to_csv(controlled).find("mcse_by_scores"), std::string::npos);
  EXPECT_NE(to_text(controlled).find("by scores"), std::string::npos);
}

TEST(ScoreControl, SaysWhatItLacks) {
  Draws none = exact_banana(1, 100);
  none.statistics.clear();
  EXPECT_THROW(summarise(none, {.scores = true}), UsageError);
  EXPECT_FALSE(can_control_means(none));
  const Draws few = exact_banana(1, 5);
  EXPECT_THROW(summarise(few, {.scores = true}), UsageError);
  EXPECT_FALSE(can_control_means(few));
  EXPECT_TRUE(can_control_means(exact_banana(1, 100)));
}

}  // namespace
}  // namespace gadwall
