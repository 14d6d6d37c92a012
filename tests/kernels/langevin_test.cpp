// Langevin: proposal, ratio and reported curvature against the explicit Gaussian densities.
#include "kernels/langevin.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

#include "kernels/kernel_checks.hpp"
#include "targets/banana.hpp"
#include "targets/target_checks.hpp"

namespace gadwall {
namespace {

using namespace gadwall::testing;

constexpr double kStep = 0.37;

class LangevinTest : public ::testing::TestWithParam<Metric> {
 protected:
  /// log N(y | x + C g_x / 2, C) without its constant, C = step^2 L L^T.
  double log_proposal(const Vector& y, const Vector& x) const {
    const Matrix covariance = kStep * kStep * tuning_.factor().covariance();
    const Vector gradient = Evaluation(target_, x).grad.col(0);
    const Vector residual = y - x - covariance * gradient / 2;
    return -0.5 * residual.dot(covariance.llt().solve(residual));
  }

  const Banana target_{3};
  Evaluator density_{target_};
  const Tuning tuning_{some_factor(GetParam(), 3), kStep};
  const State now_ = state_at(density_, normal_matrix(3, 6, 1));
  const LaneNoise noise_{1, 2, 3};
  const Transition out_ = one_step(Langevin(), density_, tuning_, now_, noise_);
};

TEST_P(LangevinTest, ProposesHalfTheGradientAndTheNoise) {
  Matrix noise(3, 6);
  fill_normal(noise_, Purpose::proposal, noise);
  EXPECT_EQ(out_.noise, noise);
  const Matrix L = tuning_.factor().matrix();
  const Matrix drift = kStep * kStep / 2 * L * L.transpose() * now_.grad;
  EXPECT_LT((out_.next.x - (now_.x + drift + kStep * L * noise)).norm(), 1e-13);
}

TEST_P(LangevinTest, ReportsTheMoveInWhitenedCoordinates) {
  const Matrix L = tuning_.factor().matrix();
  EXPECT_LT((out_.next.x - (now_.x + kStep * L * out_.move)).norm(), 1e-13);
}

TEST_P(LangevinTest, HasTheRatioOfTheExplicitProposalDensities) {
  for (Index k = 0; k < 6; ++k) {
    const Vector x = now_.x.col(k), y = out_.next.x.col(k);
    const double wanted =
        log_density(target_, y) + log_proposal(x, y) - log_density(target_, x) - log_proposal(y, x);
    EXPECT_NEAR(out_.log_ratio[k], wanted, 1e-11 * (1 + std::abs(wanted)));
    EXPECT_DOUBLE_EQ(out_.accept[k], std::min(1.0, std::exp(out_.log_ratio[k])));
  }
}

TEST_P(LangevinTest, HasAnOppositeRatioForTheWayBack) {
  // From y to x the noise would be minus d; the ratio must be minus that of the way there.
  const Matrix L = tuning_.factor().matrix();
  const State there = state_at(density_, out_.next.x);
  const Matrix d = out_.move + kStep / 2 * L.transpose() * there.grad;
  for (Index k = 0; k < 6; ++k) {
    const double back = now_.logp[k] - there.logp[k] -
                        (out_.noise.col(k).squaredNorm() - d.col(k).squaredNorm()) / 2;
    EXPECT_NEAR(out_.log_ratio[k], -back, 1e-12 * (1 + std::abs(back)));
  }
}

TEST_P(LangevinTest, ReportsTheCurvatureWhenItIsWanted) {
  Transition wanted(3, 6);
  const std::uint64_t gradients = density_.tally().gradients;
  Langevin().step(density_, tuning_, now_, noise_, {.curvature = true}, wanted);
  EXPECT_EQ(density_.tally().gradients - gradients, 12U);  // a gradient and a product each
  const Matrix L = tuning_.factor().matrix();
  const Matrix d = out_.move + kStep / 2 * L.transpose() * out_.next.grad;
  Matrix product(3, 6);
  target_.hessian_times(out_.next.x, kStep * L * d, product);
  EXPECT_LT((wanted.curvature - product).norm(), 1e-12 * product.norm());
  EXPECT_EQ(wanted.next.x, out_.next.x);
}

INSTANTIATE_TEST_SUITE_P(Factors, LangevinTest, ::testing::ValuesIn(kMetrics),
                         [](const auto& row) { return metric_name(row.param); });

TEST(Langevin, CostsOneGradientALane) {
  const Banana target;
  Evaluator density(target);
  const State now = state_at(density, normal_matrix(2, 7, 1));
  const std::uint64_t before = density.tally().gradients;
  one_step(Langevin(), density, Tuning(Factor::unit(2), 0.1), now, {1, 2, 3});
  EXPECT_EQ(density.tally().gradients - before, 7U);
  EXPECT_EQ(density.tally().densities, 0U);
}

TEST(Langevin, RejectsABadProposalWithARatioOfMinusInfinity) {
  const auto nowhere = make_target(
      [](ConstVectorRef x, VectorRef grad) {
        grad = -x;
        return x.norm() == 0 ? 0.0 : std::nan("");
      },
      2);
  Evaluator density(*nowhere);
  const State now = state_at(density, Matrix::Zero(2, 3));
  const Transition out =
      one_step(Langevin(), density, Tuning(Factor::unit(2), 0.1), now, {1, 2, 3});
  EXPECT_TRUE((out.log_ratio.array() == -std::numeric_limits<double>::infinity()).all());
  EXPECT_FALSE(out.accepted.any());
  EXPECT_EQ(out.accept, Vector::Zero(3));
}

}  // namespace
}  // namespace gadwall
