// Random walk Metropolis: the proposal and the ratio by hand, and what it asks of the target.
#include "kernels/random_walk.hpp"

#include <gtest/gtest.h>

#include "kernels/kernel_checks.hpp"
#include "targets/banana.hpp"
#include "targets/target_checks.hpp"

namespace gadwall {
namespace {

using namespace gadwall::testing;

class RandomWalkTest : public ::testing::Test {
 protected:
  const Banana target_{3};
  Evaluator density_{target_};
  const State now_ = state_at(density_, normal_matrix(3, 4, 1));
  const EvaluationTally before_ = density_.tally();
  const LaneNoise noise_{1, 2, 3};
};

TEST_F(RandomWalkTest, ProposesAStepOfTheFactorTimesTheNoise) {
  for (const Metric metric : kMetrics) {
    const Tuning tuning(some_factor(metric, 3), 0.37);
    const Transition out = one_step(RandomWalk(), density_, tuning, now_, noise_);
    Matrix noise(3, 4);
    fill_normal(noise_, Purpose::proposal, noise);
    EXPECT_EQ(out.noise, noise);
    const Matrix wanted = now_.x + 0.37 * tuning.factor().matrix() * noise;
    EXPECT_LT((out.next.x - wanted).norm(), 1e-14) << metric_name(metric);
  }
}

TEST_F(RandomWalkTest, HasTheRatioOfTheDensities) {
  const Tuning tuning(some_factor(Metric::dense, 3), 0.37);
  const Transition out = one_step(RandomWalk(), density_, tuning, now_, noise_);
  for (Index k = 0; k < 4; ++k) {
    const double wanted =
        log_density(target_, out.next.x.col(k)) - log_density(target_, now_.x.col(k));
    EXPECT_NEAR(out.log_ratio[k], wanted, 1e-13);
  }
}

TEST_F(RandomWalkTest, AsksForTheDensityAlone) {
  const Tuning tuning(Factor::unit(3), 0.1);
  one_step(RandomWalk(), density_, tuning, now_, noise_);
  EXPECT_EQ(density_.tally().densities - before_.densities, 4U);
  EXPECT_EQ(density_.tally().gradients - before_.gradients, 0U);
  EXPECT_FALSE(RandomWalk().uses_gradient());
}

TEST_F(RandomWalkTest, ReportsTheGradientAtTheProposalWhenItIsWanted) {
  const Tuning tuning(Factor::unit(3), 0.1);
  Transition out(3, 4);
  RandomWalk().step(density_, tuning, now_, noise_, {.gradient = true}, out);
  EXPECT_EQ(density_.tally().densities - before_.densities, 0U);
  EXPECT_EQ(density_.tally().gradients - before_.gradients, 4U);
  EXPECT_EQ(out.next.grad, Evaluation(target_, out.next.x).grad);
  EXPECT_EQ(out.next.x, one_step(RandomWalk(), density_, tuning, now_, noise_).next.x);
}

}  // namespace
}  // namespace gadwall
