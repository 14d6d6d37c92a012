// gadhmc's gradient: of the ratio with the gradients of the trajectory held, and of the entropy
// that a trajectory adds, both against finite differences.
#include "adapters/trajectory_entropy.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "adapters/lesson_testing.hpp"
#include "kernels/hmc.hpp"
#include "targets/gaussian.hpp"
#include "targets/logistic/logistic.hpp"

namespace gadwall {
namespace {

constexpr Index kSteps = 4;
constexpr double kStep = 0.25;

struct MadeTrajectory {
  MadeTrajectory(const Target& target, const Matrix& L, const Matrix& x)
      : density(target),
        tuning(Factor::dense(L), kStep),
        before(x.rows(), x.cols()),
        transition(x.rows(), x.cols()) {
    before.x = x;
    density.gradient(before.x, before.logp, before.grad);
    Hmc({.leapfrogs = kSteps}).step(density, tuning, before, noise, {.impulses = true}, transition);
  }

  Lesson lesson() { return {transition, before, density, noise, 0}; }

  LaneNoise noise{5, 0, 0};
  Evaluator density;
  Tuning tuning;
  State before;
  Transition transition;
};

Logistic some_logistic() {
  const Matrix design = testing::some_numbers(30, 3, 50);
  const Vector labels = (testing::some_numbers(30, 1, 51).array() > 0).cast<double>();
  return Logistic(design, labels, 1.5);
}

Matrix sum_of(const SpeedGradient& gradient) {
  const OuterProducts p = gradient.products();
  return p.left.leftCols(p.count) * p.right.leftCols(p.count).transpose();
}

template <class F>
Matrix finite_difference(const Matrix& L, const F& f) {
  constexpr double h = 1e-5;
  Matrix gradient(L.rows(), L.cols());
  for (Index j = 0; j < L.cols(); ++j) {
    for (Index i = 0; i < L.rows(); ++i) {
      Matrix up = L, down = L;
      up(i, j) += h;
      down(i, j) -= h;
      gradient(i, j) = (f(up) - f(down)) / (2 * h);
    }
  }
  return gradient;
}

TEST(LeapfrogImpulses, SayWhereTheTrajectoryEnds) {
  const Logistic target = some_logistic();
  const Matrix L = testing::some_factor(3, 9);
  MadeTrajectory made(target, L, 0.5 * testing::some_numbers(3, 2, 7));
  const Transition& t = made.transition;
  EXPECT_LT((made.before.x + L * t.move - t.next.x).norm(), 1e-13);
  EXPECT_LT((t.noise + L.transpose() * t.impulses.kicks - t.impulses.momentum).norm(), 1e-13);
  const Matrix u = kSteps * kStep * t.noise + L.transpose() * t.impulses.drifts;
  EXPECT_LT((u - t.move).norm(), 1e-13);
}

/// r as a function of L when the sums of gradients stay, and the density at the end does not.
TEST(LeapfrogGradient, IsThatOfTheRatioWithTheGradientsOnTheWayHeld) {
  const Logistic target = some_logistic();
  const Matrix L = testing::some_factor(3, 9);
  MadeTrajectory made(target, L, testing::some_numbers(3, 1, 7));
  made.transition.log_ratio[0] = -1;  // learnt from in any case
  SpeedGradient gradient;
  gradient.gather(ProposalKind::leapfrog, made.lesson(), made.tuning.factor());
  const Transition& t = made.transition;
  const Vector v0 = t.noise.col(0);
  const auto ratio = [&](const Matrix& changed) {
    const Vector y =
        made.before.x.col(0) +
        changed * (kSteps * kStep * v0 + changed.transpose() * t.impulses.drifts.col(0));
    const Vector v = v0 + changed.transpose() * t.impulses.kicks.col(0);
    Vector logp(1);
    Matrix grad(3, 1);
    target.evaluate(y, logp, grad);
    return logp[0] - made.before.logp[0] - v.squaredNorm() / 2 + v0.squaredNorm() / 2;
  };
  const Matrix wanted = finite_difference(L, ratio);
  ASSERT_GT(wanted.norm(), 0.1);
  EXPECT_LT((sum_of(gradient) - wanted).norm(), 1e-7 * (1 + wanted.norm()));
}

/// Over all vectors of signs the mean is exact, where the series has terms enough.
TEST(TrajectoryEntropy, HasTheGradientOfTheLogDeterminant) {
  const Matrix covariance{{1.0, 0.4, 0.1}, {0.4, 1.5, 0.2}, {0.1, 0.2, 0.8}};
  const Gaussian target(Vector::Zero(3), covariance);
  const Matrix L = testing::some_factor(3, 9);
  constexpr double weight = 0.7;
  const auto log_determinant = [&](const Matrix& changed) {
    const double c = kStep * kStep * (kSteps * kSteps - 1) / 6.0;
    const Matrix D = -c * changed.transpose() * covariance.inverse() * changed;
    return weight * std::log((Matrix::Identity(3, 3) + D).determinant());
  };
  // One draw of signs per iteration: the mean over many is within its standard error.
  constexpr int kDraws = 4000;
  Matrix sum = Matrix::Zero(3, 3), squares = Matrix::Zero(3, 3);
  MadeTrajectory made(target, L, 0.5 * testing::some_numbers(3, 1, 7));
  for (int i = 0; i < kDraws; ++i) {
    made.noise.iteration = static_cast<std::uint64_t>(i);
    SpeedGradient gradient;
    add_trajectory_entropy({kSteps, 40, weight}, made.lesson(), made.tuning, gradient);
    const Matrix one = sum_of(gradient);
    sum += one / kDraws;
    squares += one.cwiseAbs2() / kDraws;
  }
  const Matrix wanted = finite_difference(L, log_determinant);
  ASSERT_GT(wanted.norm(), 0.05);
  for (Index i = 0; i < 9; ++i) {
    const double mean = sum.data()[i];
    const double error = std::sqrt((squares.data()[i] - mean * mean) / kDraws);
    EXPECT_LT(std::abs(mean - wanted.data()[i]), 4 * error + 1e-6) << i;
  }
}

TEST(TrajectoryEntropy, IsNothingForOneStep) {
  const Logistic target = some_logistic();
  MadeTrajectory made(target, testing::some_factor(3, 9), testing::some_numbers(3, 2, 7));
  SpeedGradient gradient;
  add_trajectory_entropy({1, 2, 1.0}, made.lesson(), made.tuning, gradient);
  EXPECT_EQ(sum_of(gradient).norm(), 0);
}

}  // namespace
}  // namespace gadwall
