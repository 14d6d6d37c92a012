// Hamiltonian Monte Carlo: the leapfrog's geometry, the ratio, the jitter and the bad trajectories.
#include "kernels/hmc.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "kernels/kernel_checks.hpp"
#include "kernels/phase.hpp"
#include "statistics.hpp"
#include "targets/banana.hpp"
#include "targets/gaussian.hpp"
#include "targets/target_checks.hpp"

namespace gadwall {
namespace {

using namespace gadwall::testing;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Phase phase_at(Evaluator& density, const Factor& L, const Matrix& x, const Matrix& v) {
  Phase z;
  z.resize(x.rows(), x.cols());
  z.x = x;
  z.v = v;
  density.gradient(z.x, z.logp, z.grad);
  L.transpose_times(z.grad, z.whitened);
  return z;
}

class LeapfrogTest : public ::testing::TestWithParam<Metric> {
 protected:
  Phase start() { return phase_at(density_, L_, normal_matrix(3, 4, 1), normal_matrix(3, 4, 2)); }
  void run(Phase& z, double step, int count) {
    for (int i = 0; i < count; ++i) leapfrog(density_, L_, Vector::Constant(4, step), z);
  }

  const Banana target_{3};
  Evaluator density_{target_};
  const Factor L_ = some_factor(GetParam(), 3);
};

TEST_P(LeapfrogTest, IsTheStepInPlainMomenta) {
  // p = L^-T v: p += h/2 g, x += h M^-1 p with M^-1 = L L^T, p += h/2 g.
  const double h = 0.23;
  const Phase before = start();
  Phase after = before;
  run(after, h, 1);
  const Matrix L = L_.matrix();
  const Matrix p_half = L.transpose().inverse() * before.v + h / 2 * before.grad;
  const Matrix x = before.x + h * L * L.transpose() * p_half;
  const Matrix p = p_half + h / 2 * Evaluation(target_, x).grad;
  EXPECT_LT((after.x - x).norm(), 1e-12);
  EXPECT_LT((L.transpose().inverse() * after.v - p).norm(), 1e-12);
  EXPECT_LT((after.logp - Evaluation(target_, x).logp).norm(), 1e-11);
}

TEST_P(LeapfrogTest, ComesBackWhenTheMomentumOrTheStepIsReversed) {
  const Phase before = start();
  Phase z = before;
  run(z, 0.1, 30);
  EXPECT_GT((z.x - before.x).norm(), 0.5);
  Phase flipped = z;
  flipped.v = -z.v;
  run(flipped, 0.1, 30);
  EXPECT_LT((flipped.x - before.x).norm(), 1e-10);
  EXPECT_LT((flipped.v + before.v).norm(), 1e-10);
  run(z, -0.1, 30);
  EXPECT_LT((z.x - before.x).norm(), 1e-10);
  EXPECT_LT((z.v - before.v).norm(), 1e-10);
}

TEST_P(LeapfrogTest, PreservesVolume) {
  // The Jacobian of (x, v) -> (x', v') by central differences, two points per coordinate.
  const double h = 1e-4;
  const Matrix point = normal_matrix(6, 1, 3);
  Matrix jacobian(6, 6);
  for (Index i = 0; i < 6; ++i) {
    Matrix ends = point.replicate(1, 4);
    ends(i, 0) += h;
    ends(i, 1) -= h;
    Phase z = phase_at(density_, L_, ends.topRows(3), ends.bottomRows(3));
    run(z, 0.2, 5);
    jacobian.col(i).head(3) = (z.x.col(0) - z.x.col(1)) / (2 * h);
    jacobian.col(i).tail(3) = (z.v.col(0) - z.v.col(1)) / (2 * h);
  }
  EXPECT_NEAR(jacobian.determinant(), 1, 1e-5);
}

TEST_P(LeapfrogTest, ConservesEnergyToSecondOrder) {
  Vector errors[3];
  for (int i = 0; i < 3; ++i) {
    const int count = 20 << i;
    const Phase before = start();
    Phase z = before;
    run(z, 1.0 / count, count);
    errors[i].resize(4);
    for (Index k = 0; k < 4; ++k) errors[i][k] = z.energy(k) - before.energy(k);
  }
  EXPECT_LT(errors[2].norm(), 0.02);
  EXPECT_NEAR(errors[0].norm() / errors[1].norm(), 4, 0.8);
  EXPECT_NEAR(errors[1].norm() / errors[2].norm(), 4, 0.4);
}

TEST_P(LeapfrogTest, GivesEachLaneItsOwnStep) {
  const Vector steps{{0.1, -0.2, 0.05, 0.3}};
  Phase together = start();
  leapfrog(density_, L_, steps, together);
  for (Index k = 0; k < 4; ++k) {
    Phase alone = phase_at(density_, L_, start().x.col(k), start().v.col(k));
    leapfrog(density_, L_, steps.segment(k, 1), alone);
    EXPECT_LT((together.x.col(k) - alone.x.col(0)).norm(), 1e-13);
    EXPECT_LT((together.v.col(k) - alone.v.col(0)).norm(), 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Factors, LeapfrogTest, ::testing::ValuesIn(kMetrics),
                         [](const auto& row) { return metric_name(row.param); });

TEST(Hmc, WithOneLeapfrogIsLangevin) {
  const Gaussian target(Vector::Ones(3), Matrix{{2, 1, 0}, {1, 1, 0.3}, {0, 0.3, 1.5}});
  Evaluator density(target);
  const State now = state_at(density, normal_matrix(3, 50, 1));
  for (const Metric metric : kMetrics) {
    const Tuning tuning(some_factor(metric, 3), 1.2);
    const Transition hmc = one_step(Hmc({.leapfrogs = 1}), density, tuning, now, {1, 2, 3});
    const Transition langevin = one_step(Langevin(), density, tuning, now, {1, 2, 3});
    EXPECT_LT((hmc.next.x - langevin.next.x).norm(), 1e-12);
    EXPECT_LT((hmc.log_ratio - langevin.log_ratio).norm(), 1e-9);
    EXPECT_TRUE((hmc.accepted == langevin.accepted).all());
    EXPECT_TRUE(hmc.accepted.any() && !hmc.accepted.all());
  }
}

TEST(Hmc, HasTheRatioOfTheEnergiesAtTheEndsOfTheTrajectory) {
  const Banana target(3);
  Evaluator density(target);
  const State now = state_at(density, normal_matrix(3, 30, 1));
  const Tuning tuning(some_factor(Metric::dense, 3), 0.3);
  const Transition out = one_step(Hmc({.leapfrogs = 7}), density, tuning, now, {1, 2, 3});
  Phase z = phase_at(density, tuning.factor(), now.x, out.noise);
  const Phase start = z;
  for (int i = 0; i < 7; ++i) leapfrog(density, tuning.factor(), Vector::Constant(30, 0.3), z);
  EXPECT_LT((out.next.x - z.x).norm(), 1e-12);
  for (Index k = 0; k < 30; ++k) {
    EXPECT_NEAR(out.log_ratio[k], start.energy(k) - z.energy(k), 1e-10);
    EXPECT_NEAR(out.energy[k], out.accepted[k] ? z.energy(k) : start.energy(k), 1e-10);
    EXPECT_EQ(out.leapfrogs[k], 7);
  }
}

TEST(Hmc, CostsOneGradientALeapfrog) {
  const Banana target;
  Evaluator density(target);
  const State now = state_at(density, normal_matrix(2, 5, 1));
  const std::uint64_t before = density.tally().gradients;
  one_step(Hmc({.leapfrogs = 6}), density, Tuning(Factor::unit(2), 0.1), now, {1, 2, 3});
  EXPECT_EQ(density.tally().gradients - before, 30U);
}

/// On a flat target the trajectory is straight: its length tells the step of each lane.
Vector steps_taken(const HmcOptions& options, Index lanes, std::uint64_t iteration) {
  const auto flat = make_target(
      [](ConstVectorRef, VectorRef grad) {
        grad.setZero();
        return 0.0;
      },
      2);
  Evaluator density(*flat);
  const Tuning tuning(some_factor(Metric::dense, 2), 0.2);
  const State now = state_at(density, Matrix::Zero(2, lanes));
  const Transition out = one_step(Hmc(options), density, tuning, now, {1, 0, iteration});
  EXPECT_TRUE(out.accepted.all());
  const Matrix direction = tuning.factor().matrix() * out.noise;
  return (out.next.x.array() / direction.array()).row(0).transpose() /
         static_cast<double>(options.leapfrogs);
}

TEST(Hmc, TakesTheStepItIsGivenWithoutJitter) {
  const Vector steps = steps_taken({.leapfrogs = 3}, 10, 0);
  EXPECT_LT((steps.array() - 0.2).abs().maxCoeff(), 1e-12);
}

TEST(Hmc, JittersTheStepUniformlyInItsRange) {
  const Vector steps = steps_taken({.leapfrogs = 3, .jitter = 0.4}, 20000, 0);
  EXPECT_GE(steps.minCoeff(), 0.2 * 0.6 - 1e-9);
  EXPECT_LE(steps.maxCoeff(), 0.2 * 1.4 + 1e-9);
  const auto cdf = [](double s) { return (s / 0.2 - 0.6) / 0.8; };
  EXPECT_LT(kolmogorov_smirnov({steps.begin(), steps.end()}, cdf), kKolmogorovLimit);
}

TEST(Hmc, JittersEveryIterationAnew) {
  const HmcOptions options{.leapfrogs = 1, .jitter = 0.4};
  const Vector first = steps_taken(options, 100, 0), second = steps_taken(options, 100, 1);
  EXPECT_GT((first - second).cwiseAbs().minCoeff(), 0);
  const Vector a = first.array() - 0.2, b = second.array() - 0.2;
  EXPECT_LT(std::abs(a.dot(b)) / (a.norm() * b.norm()), 0.4);  // four standard errors
}

TEST(Hmc, FlagsAnEnergyErrorBeyondTheLimitAsDivergent) {
  // A quadratic of curvature 1e4 under steps of 1: each step multiplies the distance by 5e3.
  const auto stiff = make_target(
      [](ConstVectorRef x, VectorRef grad) {
        grad = -1e4 * x;
        return -5e3 * x.squaredNorm();
      },
      1);
  Evaluator density(*stiff);
  const State now = state_at(density, Matrix::Constant(1, 4, 0.01));
  const Transition wild =
      one_step(Hmc({.leapfrogs = 5}), density, Tuning(Factor::unit(1), 1), now, {1, 2, 3});
  EXPECT_TRUE(wild.divergent.all());
  EXPECT_FALSE(wild.accepted.any());
  const Transition calm =
      one_step(Hmc({.leapfrogs = 5}), density, Tuning(Factor::unit(1), 1e-3), now, {1, 2, 3});
  EXPECT_FALSE(calm.divergent.any());
}

TEST(Hmc, RejectsATrajectoryThatPassesThroughABadPoint) {
  // A ditch at 0.2 < x < 0.4: straight trajectories from 0 to 1 with steps of 0.25 touch it.
  const auto ditch = make_target(
      [](ConstVectorRef x, VectorRef grad) {
        grad.setZero();
        return x[0] > 0.2 && x[0] < 0.4 ? -kInfinity : 0.0;
      },
      1);
  Evaluator density(*ditch);
  const State now = state_at(density, Matrix::Zero(1, 200));
  const Transition out =
      one_step(Hmc({.leapfrogs = 4}), density, Tuning(Factor::unit(1), 0.25), now, {1, 2, 3});
  for (Index k = 0; k < 200; ++k) {
    bool touches = false;
    for (int i = 1; i <= 4; ++i) {
      const double x = 0.25 * i * out.noise(0, k);
      touches = touches || (x > 0.2 && x < 0.4);
    }
    EXPECT_EQ(out.accepted[k], !touches) << out.noise(0, k);
    EXPECT_EQ(out.divergent[k], touches);
    EXPECT_EQ(out.log_ratio[k], touches ? -kInfinity : 0);
  }
}

}  // namespace
}  // namespace gadwall
