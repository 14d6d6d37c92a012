// FisherMALA's learner on transitions made by hand, against the matrices written out.
#include "adapters/inverse_fisher.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "adapters/lesson_testing.hpp"

namespace gadwall {
namespace {

using testing::HandMade;

constexpr double kDamping = 10;

/// (I + sum of s s^T / lambda)^-1 with s = sqrt(alpha) (g_y - g_x).
Matrix inverse_fisher(const HandMade& made) {
  const Transition& t = made.transition;
  const Index n = made.before.dim();
  Matrix sum = Matrix::Identity(n, n);
  for (Index k = 0; k < made.before.lanes(); ++k) {
    const Vector s = std::sqrt(t.accept[k]) * (t.next.grad.col(k) - made.before.grad.col(k));
    sum += s * s.transpose() / kDamping;
  }
  return sum.inverse();
}

Tuning learnt_from(HandMade& made, InverseFisherOptions options) {
  InverseFisherAdapter adapter(options);
  Tuning tuning = adapter.initial_tuning(made.before.dim());
  adapter.start(made.before, made.density, {}, tuning);
  adapter.learn(made.lesson(), tuning);
  return tuning;
}

TEST(InverseFisher, BeginsWithTheIdentityAndTheStep) {
  const Tuning tuning = InverseFisherAdapter({.step = 0.3}).initial_tuning(4);
  EXPECT_EQ(tuning.factor().matrix(), Matrix::Identity(4, 4));
  EXPECT_EQ(tuning.step, 0.3);
}

TEST(InverseFisher, AddsTheIncrementOfEveryLaneAcceptedOrNot) {
  for (const Index lanes : {1, 3}) {
    HandMade made(5, lanes);
    made.transition.accept = Vector::LinSpaced(lanes, 0.2, 1);
    made.transition.accepted.setConstant(false);
    const Tuning tuning = learnt_from(made, {.step = 0.5, .damping = kDamping, .step_alone = 0});
    const Matrix lower = tuning.factor().matrix();
    EXPECT_TRUE(lower.isLowerTriangular(0));
    EXPECT_TRUE((lower.diagonal().array() > 0).all());
    EXPECT_LT((tuning.factor().covariance() - inverse_fisher(made)).norm(), 1e-13);
  }
}

TEST(InverseFisher, StaysARootOfTheInverseAfterManyIncrements) {
  const Matrix increments = testing::some_numbers(6, 500, 3);
  Matrix lower = Matrix::Identity(6, 6);
  Matrix sum = Matrix::Identity(6, 6);
  for (Index t = 0; t < increments.cols(); ++t) {
    add_score_increment(increments.col(t), lower);
    sum += increments.col(t) * increments.col(t).transpose();
  }
  EXPECT_LT((lower * lower.transpose() * sum - Matrix::Identity(6, 6)).norm(), 1e-12);
}

TEST(InverseFisher, SteersTheStepRelativeToTheTrace) {
  HandMade made(4, 2);
  made.transition.accept << 0.9, 0.3;
  const InverseFisherOptions options{
      .target_accept = 0.5, .step = 0.5, .step_rate = 0.1, .step_alone = 0};
  const Tuning tuning = learnt_from(made, options);
  const double sigma = 0.5 * std::sqrt(1 + 0.1 * (0.6 - 0.5));
  const double trace = tuning.factor().covariance().trace();
  EXPECT_NEAR(tuning.step, sigma / std::sqrt(trace / 4), 1e-14);
}

TEST(InverseFisher, LearnsTheStepAloneAtFirst) {
  HandMade made(4, 1);
  const Tuning tuning = learnt_from(made, {.step = 0.5, .step_alone = 1});
  EXPECT_EQ(tuning.factor().matrix(), Matrix::Identity(4, 4));
  EXPECT_NE(tuning.step, 0.5);
}

TEST(InverseFisher, LearnsNothingFromABadProposal) {
  HandMade made(4, 1);
  made.transition.accept[0] = 0;
  made.transition.next.grad.setZero();
  made.transition.next.logp[0] = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(learnt_from(made, {.step = 0.5, .step_alone = 0}).factor().matrix(),
            Matrix::Identity(4, 4));
}

}  // namespace
}  // namespace gadwall
