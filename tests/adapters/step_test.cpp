// The step size by its acceptance: delta <- delta (1 + rate (a - target) / target).
#include "adapters/step.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "adapters/lesson_testing.hpp"

namespace gadwall {
namespace {

/// The step after one lesson in which the first `accepted` of the lanes were accepted.
double step_after(const StepOptions& options, Index lanes, Index accepted) {
  testing::HandMade made(2, lanes);
  for (Index k = 0; k < lanes; ++k) made.transition.accepted[k] = k < accepted;
  StepAdapter adapter(options);
  Tuning tuning = adapter.initial_tuning(2);
  adapter.learn(made.lesson(), tuning);
  return tuning.step;
}

TEST(StepAdapter, BeginsWithItsInitialStepAndTheIdentity) {
  const Tuning tuning = StepAdapter({.initial = 0.3}).initial_tuning(4);
  EXPECT_EQ(tuning.step, 0.3);
  EXPECT_EQ(tuning.factor().kind(), Metric::unit);
  EXPECT_EQ(tuning.factor().dim(), 4);
}

TEST(StepAdapter, ScalesTheVarianceOfAProposal) {
  const StepOptions options{.initial = 0.5, .target_accept = 0.25, .rate = 0.01};
  EXPECT_NEAR(step_after(options, 1, 1), std::sqrt(0.25 * 1.03), 1e-15);  // (1 - 0.25) / 0.25 = 3
  EXPECT_NEAR(step_after(options, 1, 0), std::sqrt(0.25 * 0.99), 1e-15);
}

TEST(StepAdapter, ScalesTheStepItselfForHamiltonianKernels) {
  const StepOptions options{.initial = 2, .target_accept = 0.8, .rate = 0.02, .variance = false};
  EXPECT_NEAR(step_after(options, 1, 1), 2 * 1.005, 1e-15);  // 0.02 * 0.2 / 0.8
  EXPECT_NEAR(step_after(options, 1, 0), 2 * 0.98, 1e-15);
}

TEST(StepAdapter, TakesTheShareOfLanesThatAccepted) {
  const StepOptions options{.initial = 1, .target_accept = 0.5, .rate = 0.1, .variance = false};
  EXPECT_NEAR(step_after(options, 4, 1), 1 - 0.1 * 0.5, 1e-15);
  EXPECT_NEAR(step_after(options, 4, 2), 1, 1e-15);
  EXPECT_NEAR(step_after(options, 4, 3), 1 + 0.1 * 0.5, 1e-15);
}

TEST(StepAdapter, CountsStepsInPiecesAsNotAccepted) {
  testing::HandMade made(2, 2);
  made.transition.accept[1] = 0;
  StepAdapter adapter({.initial = 1, .target_accept = 0.5, .rate = 0.1, .variance = false});
  Tuning tuning = adapter.initial_tuning(2);
  adapter.learn(made.lesson(), tuning);
  EXPECT_EQ(tuning.step, 1);  // one of two
}

TEST(StepAdapter, KeepsTheStepAtRateZero) {
  EXPECT_EQ(step_after({.initial = 0.7, .rate = 0}, 1, 1), 0.7);
  EXPECT_EQ(step_after({.initial = 0.7, .rate = 0}, 1, 0), 0.7);
}

TEST(StepAdapter, LeavesTheProductsWithLValid) {
  testing::HandMade made(2, 1);
  StepAdapter adapter(StepOptions{});
  Tuning tuning = adapter.initial_tuning(2);
  const auto version = tuning.version();
  adapter.learn(made.lesson(), tuning);
  EXPECT_EQ(tuning.version(), version);
}

}  // namespace
}  // namespace gadwall
