// The paper's learner on transitions made by hand: gradient, RMSprop, beta and floors against the
// formulas written out with full matrices.
#include "adapters/speed_measure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "adapters/lesson_testing.hpp"
#include "gadwall/error.hpp"

namespace gadwall {
namespace {

using testing::HandMade;

constexpr ProposalKind kProposals[] = {ProposalKind::random_walk, ProposalKind::langevin_fast,
                                       ProposalKind::langevin_exact};
constexpr double kBeta = 0.7;
constexpr double kRate = 0.01;
constexpr double kStepRounding = 1e-6 * kRate;  // steps below the diagonal are float32

SpeedMeasureOptions options_for(ProposalKind proposal, Metric metric = Metric::dense) {
  return {.proposal = proposal, .metric = metric, .learning_rate = kRate, .beta = kBeta};
}

/// A transition whose products with L are those of a Langevin kernel.
HandMade made_with(const Matrix& L, Index lanes, std::uint64_t variant = 0) {
  HandMade made(L.rows(), lanes);
  Transition& t = made.transition;
  if (variant > 0) t.noise = testing::some_numbers(L.rows(), lanes, 100 + variant);
  t.whitened = L.transpose() * made.before.grad;
  t.next.whitened = L.transpose() * t.next.grad;
  t.move = t.noise + t.whitened / 2;
  return made;
}

/// grad_L r of one lane, word by word from the paper (before the lower triangle is taken).
Matrix ratio_gradient(ProposalKind proposal, const HandMade& made, const Matrix& L, Index lane) {
  const Vector g_x = made.before.grad.col(lane);
  const Vector g_y = made.transition.next.grad.col(lane);
  const Vector eps = made.transition.noise.col(lane);
  if (proposal == ProposalKind::random_walk) return g_y * eps.transpose();
  const Vector difference = g_x - g_y;
  const Matrix fast = -0.5 * difference * (0.5 * L.transpose() * difference + eps).transpose();
  if (proposal == ProposalKind::langevin_fast) return fast;
  const Vector k = made.transition.curvature.col(lane);
  return fast - 0.5 * (0.5 * (k * (L.transpose() * g_x).transpose() +
                              g_x * (L.transpose() * k).transpose()) +
                       k * eps.transpose());
}

/// grad_L F: the mean over the lanes whose r is below zero, and the entropy.
Matrix speed_gradient(ProposalKind proposal, const HandMade& made, const Matrix& L, double beta) {
  const Index lanes = made.before.lanes();
  Matrix gradient = Matrix::Zero(L.rows(), L.cols());
  for (Index k = 0; k < lanes; ++k) {
    const bool good = std::isfinite(made.transition.next.logp[k]);
    if (good && made.transition.log_ratio[k] < 0) {
      gradient += ratio_gradient(proposal, made, L, k) / static_cast<double>(lanes);
    }
  }
  gradient.diagonal() += beta * L.diagonal().cwiseInverse();
  return gradient.triangularView<Eigen::Lower>();
}

/// The first step of RMSprop: G = grad^2.
Matrix first_step(const Matrix& L, const Matrix& gradient) {
  return L + kRate * (gradient.array() / (1 + gradient.array().abs())).matrix();
}

Matrix learn_once(ProposalKind proposal, HandMade& made, const Matrix& L) {
  SpeedMeasureAdapter adapter(options_for(proposal));
  Tuning tuning(Factor::dense(L));
  adapter.learn(made.lesson(), tuning);
  return tuning.factor().matrix();
}

double largest_difference(const Matrix& a, const Matrix& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

TEST(SpeedMeasure, BeginsWithTheScaledIdentityOfThePaper) {
  const SpeedMeasureAdapter dense({.initial_scale = 0.1});
  const Tuning tuning = dense.initial_tuning(4);
  EXPECT_EQ(tuning.factor().kind(), Metric::dense);
  EXPECT_LT(largest_difference(tuning.factor().matrix(), 0.05 * Matrix::Identity(4, 4)), 1e-16);
  EXPECT_EQ(tuning.step, 1);
  EXPECT_EQ(dense.beta(), 1);
  const SpeedMeasureAdapter diag({.metric = Metric::diag});
  EXPECT_EQ(diag.initial_tuning(4).factor().kind(), Metric::diag);
}

TEST(SpeedMeasure, SaysWhichFormsItLearns) {
  HandMade made(3, 1);
  SpeedMeasureAdapter adapter(options_for(ProposalKind::langevin_fast, Metric::unit));
  EXPECT_THROW(adapter.initial_tuning(3), UsageError);
  Tuning given(Factor::unit(3));
  try {
    adapter.start(made.before, made.density, {}, given);
    FAIL() << "taken";
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string(error.what()),
              "the speed measure learns a factor that is diag, dense or lowrank, not unit");
  }
}

TEST(SpeedMeasure, FoldsTheStepOfATuningIntoL) {
  HandMade made(3, 1);
  const Matrix L = testing::some_factor(3, 9);
  for (const bool relative : {false, true}) {
    SpeedMeasureAdapter adapter({.relative = relative});
    Tuning tuning(Factor::dense(L), 0.25);
    adapter.start(made.before, made.density, {}, tuning);
    EXPECT_EQ(tuning.step, 1);
    EXPECT_EQ(tuning.factor().matrix(), Matrix(0.25 * L));
  }
}

TEST(SpeedMeasure, AsksForTheCurvatureOnlyForTheExactGradient) {
  for (const ProposalKind proposal : kProposals) {
    const Wants wants = SpeedMeasureAdapter(options_for(proposal)).wants();
    EXPECT_TRUE(wants.gradient);
    EXPECT_EQ(wants.curvature, proposal == ProposalKind::langevin_exact);
  }
}

TEST(SpeedMeasure, FollowsTheFormulaWhereTheRatioIsBelowOne) {
  const Matrix L = testing::some_factor(4, 9);
  for (const ProposalKind proposal : kProposals) {
    for (const bool accepted : {false, true}) {
      HandMade made = made_with(L, 1);
      made.transition.accepted[0] = accepted;  // rejected or not, the gradient is the same
      const Matrix wanted = first_step(L, speed_gradient(proposal, made, L, kBeta));
      EXPECT_LT(largest_difference(learn_once(proposal, made, L), wanted), kStepRounding);
    }
  }
}

TEST(SpeedMeasure, RaisesTheEntropyAloneWhereTheRatioIsAboveOne) {
  const Matrix L = testing::some_factor(4, 9);
  const Matrix entropy = kBeta * Matrix(L.diagonal().cwiseInverse().asDiagonal());
  for (const ProposalKind proposal : kProposals) {
    for (const double r : {0.0, 0.3}) {
      HandMade made = made_with(L, 1);
      made.transition.log_ratio[0] = r;
      EXPECT_LT(largest_difference(learn_once(proposal, made, L), first_step(L, entropy)), 1e-15);
    }
  }
}

TEST(SpeedMeasure, LearnsNothingButEntropyFromABadProposal) {
  const Matrix L = testing::some_factor(4, 9);
  const Matrix entropy = kBeta * Matrix(L.diagonal().cwiseInverse().asDiagonal());
  for (const ProposalKind proposal : kProposals) {
    HandMade made = made_with(L, 1);
    made.transition.next.logp[0] = -std::numeric_limits<double>::infinity();
    made.transition.log_ratio[0] = -std::numeric_limits<double>::infinity();
    EXPECT_LT(largest_difference(learn_once(proposal, made, L), first_step(L, entropy)), 1e-15);
  }
}

TEST(SpeedMeasure, TakesTheMeanOverTheLanes) {
  const Matrix L = testing::some_factor(4, 9);
  for (const ProposalKind proposal : kProposals) {
    HandMade made = made_with(L, 4);
    made.transition.log_ratio[1] = 0.2;  // of the four, two have a gradient
    made.transition.next.logp[3] = -std::numeric_limits<double>::infinity();
    made.transition.log_ratio[3] = -std::numeric_limits<double>::infinity();
    const Matrix gradient = speed_gradient(proposal, made, L, kBeta);
    EXPECT_LT(largest_difference(learn_once(proposal, made, L), first_step(L, gradient)),
              kStepRounding);
  }
}

TEST(SpeedMeasure, RemembersTheMeanSquareOfTheGradients) {
  const Matrix L0 = testing::some_factor(4, 9);
  for (const ProposalKind proposal : kProposals) {
    SpeedMeasureAdapter adapter(options_for(proposal));
    Tuning tuning(Factor::dense(L0));
    HandMade first = made_with(L0, 2);
    adapter.learn(first.lesson(0), tuning);
    const Matrix gradient1 = speed_gradient(proposal, first, L0, kBeta);
    const Matrix L1 = first_step(L0, gradient1);

    HandMade second = made_with(L1, 2, 1);
    second.transition.accepted[0] = false;
    const Matrix gradient2 = speed_gradient(proposal, second, L1, adapter.beta());
    adapter.learn(second.lesson(1), tuning);
    const Matrix square =
        (0.9 * gradient1.array().square() + 0.1 * gradient2.array().square()).matrix();
    const Matrix L2 = L1 + (kRate * gradient2.array() / (1 + square.array().sqrt())).matrix();
    EXPECT_LT(largest_difference(tuning.factor().matrix(), L2), 2 * kStepRounding);
  }
}

TEST(SpeedMeasure, LetsTheMeanSquareDecayWhereThereIsNoGradient) {
  const Matrix L0 = testing::some_factor(3, 9);
  SpeedMeasureAdapter adapter(options_for(ProposalKind::random_walk));
  Tuning tuning(Factor::dense(L0));
  HandMade first = made_with(L0, 1);
  adapter.learn(first.lesson(0), tuning);
  HandMade uphill = made_with(L0, 1);
  uphill.transition.log_ratio[0] = 1;
  adapter.learn(uphill.lesson(1), tuning);
  const double before = tuning.factor().matrix()(2, 0);
  HandMade third = made_with(L0, 1, 1);
  adapter.learn(third.lesson(2), tuning);
  const double g1 = ratio_gradient(ProposalKind::random_walk, first, L0, 0)(2, 0);
  const double g3 = ratio_gradient(ProposalKind::random_walk, third, L0, 0)(2, 0);
  const double square = 0.9 * 0.9 * g1 * g1 + 0.1 * g3 * g3;
  EXPECT_NEAR(tuning.factor().matrix()(2, 0), before + kRate * g3 / (1 + std::sqrt(square)),
              kStepRounding);
}

TEST(SpeedMeasure, LearnsTheDiagonalOfTheFormulasWithADiagonalMetric) {
  const Matrix L0 = testing::some_factor(4, 9).diagonal().asDiagonal();
  for (const ProposalKind proposal : kProposals) {
    SpeedMeasureAdapter adapter(options_for(proposal, Metric::diag));
    Tuning tuning(Factor::diagonal(L0.diagonal()));
    HandMade first = made_with(L0, 3);
    first.transition.log_ratio[2] = 0.1;
    adapter.learn(first.lesson(0), tuning);
    const Vector gradient1 = speed_gradient(proposal, first, L0, kBeta).diagonal();
    const Matrix L1 = first_step(L0.diagonal(), gradient1).asDiagonal();
    EXPECT_EQ(tuning.factor().kind(), Metric::diag);
    EXPECT_LT(largest_difference(tuning.factor().matrix(), L1), 1e-15);

    HandMade second = made_with(L1, 3, 1);
    const Vector gradient2 = speed_gradient(proposal, second, L1, adapter.beta()).diagonal();
    adapter.learn(second.lesson(1), tuning);
    const Vector square = 0.9 * gradient1.cwiseAbs2() + 0.1 * gradient2.cwiseAbs2();
    const Vector change = kRate * gradient2.cwiseQuotient((1 + square.array().sqrt()).matrix());
    EXPECT_LT(largest_difference(tuning.factor().matrix_diagonal(), L1.diagonal() + change), 1e-14);
  }
}

TEST(SpeedMeasure, SteersBetaByTheShareOfLanesThatAccepted) {
  HandMade made = made_with(testing::some_factor(3, 9), 4);
  made.transition.accepted << true, false, true, true;
  SpeedMeasureAdapter adapter({.target_accept = 0.55, .beta = 2, .beta_rate = 0.02});
  Tuning tuning(Factor::dense(testing::some_factor(3, 9)));
  adapter.learn(made.lesson(0), tuning);
  EXPECT_NEAR(adapter.beta(), 2 * (1 + 0.02 * (0.75 - 0.55)), 1e-15);
  made.transition.accepted.setConstant(false);
  adapter.learn(made.lesson(1), tuning);
  EXPECT_NEAR(adapter.beta(), 2 * (1 + 0.02 * 0.2) * (1 - 0.02 * 0.55), 1e-15);
}

TEST(SpeedMeasure, KeepsBetaAboveItsFloor) {
  HandMade made = made_with(testing::some_factor(2, 9), 1);
  made.transition.accepted[0] = false;
  SpeedMeasureAdapter adapter({.beta = 1.02e-2, .beta_rate = 0.1, .beta_floor = 1e-2});
  Tuning tuning(Factor::dense(testing::some_factor(2, 9)));
  adapter.learn(made.lesson(), tuning);
  EXPECT_EQ(adapter.beta(), 1e-2);
}

TEST(SpeedMeasure, KeepsTheDiagonalOfLAboveItsFloor) {
  // grad_L r = g_y eps^T has diagonal (-100, 100): the first entry would fall far below zero.
  for (const Metric metric : {Metric::dense, Metric::diag}) {
    HandMade made(2, 1);
    made.transition.next.grad << -10, 10;
    made.transition.noise << 10, 10;
    SpeedMeasureAdapter adapter({.proposal = ProposalKind::random_walk,
                                 .metric = metric,
                                 .learning_rate = 0.5,
                                 .diagonal_floor = 0.02});
    Tuning tuning = adapter.initial_tuning(2);
    adapter.learn(made.lesson(), tuning);
    EXPECT_EQ(tuning.factor().matrix_diagonal()[0], 0.02);
    EXPECT_GT(tuning.factor().matrix_diagonal()[1], 0.5);
  }
}

TEST(SpeedMeasure, LeavesTheUpperTriangleEmptyAndMakesKeptProductsStale) {
  const Matrix L = testing::some_factor(4, 9);
  HandMade made = made_with(L, 2);
  SpeedMeasureAdapter adapter(options_for(ProposalKind::langevin_exact));
  Tuning tuning(Factor::dense(L));
  const auto version = tuning.version();
  adapter.learn(made.lesson(), tuning);
  EXPECT_NE(tuning.version(), version);
  EXPECT_TRUE(tuning.factor().matrix().isLowerTriangular(0));
}

}  // namespace
}  // namespace gadwall
