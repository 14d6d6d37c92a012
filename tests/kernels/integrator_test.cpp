// The integrators: exact where they should be, reversible everywhere, counted as they cost.
#include <gtest/gtest.h>

#include <cmath>

#include "adapters/lesson_testing.hpp"
#include "gadwall/error.hpp"
#include "kernels/chosen.hpp"
#include "kernels/first_lane.hpp"
#include "kernels/kernel_checks.hpp"
#include "kernels/phase.hpp"
#include "targets/banana.hpp"
#include "targets/gaussian.hpp"

namespace gadwall {
namespace {

constexpr Integrator kAll[] = {Integrator::leapfrog, Integrator::shear, Integrator::two_stage};

/// Points with momenta; the target's gradient and its whitened product are filled.
Phase start_at(Evaluator& density, const Factor& L, const Matrix& x, const Matrix& v) {
  Phase z{x, v, Matrix(x.rows(), x.cols()), Matrix(x.rows(), x.cols()), Vector(x.cols())};
  density.gradient(z.x, z.logp, z.grad);
  L.transpose_times(z.grad, z.whitened);
  return z;
}

TEST(ShearStep, IsTheRotationOfAGaussianWhoseCovarianceItKnows) {
  const Matrix lower = testing::some_factor(4, 3);
  const Factor L = Factor::dense(lower);
  const Vector mean = testing::some_numbers(4, 1, 4);
  const Gaussian target(mean, lower * lower.transpose());
  Evaluator density(target);
  const Matrix whitened = testing::some_numbers(4, 2, 5), v = testing::some_numbers(4, 2, 6);
  Phase z = start_at(density, L, (lower * whitened).colwise() + mean, v);
  const Vector angles{{0.7, 1.5}};
  integrate(Integrator::shear, density, L, angles, z);
  for (Index k = 0; k < 2; ++k) {
    const double c = std::cos(angles[k]), s = std::sin(angles[k]);
    const Vector x = mean + lower * (c * whitened.col(k) + s * v.col(k));
    EXPECT_LT((z.x.col(k) - x).norm(), 1e-12);
    EXPECT_LT((z.v.col(k) - (c * v.col(k) - s * whitened.col(k))).norm(), 1e-12);
  }
}

TEST(ShearStep, TakesNoAngleBeyondItsLimit) {
  const auto target = testing::standard_normal(2);
  Evaluator density(*target);
  const Factor L = Factor::unit(2);
  const Matrix x = testing::some_numbers(2, 1, 1), v = testing::some_numbers(2, 1, 2);
  Phase far = start_at(density, L, x, v), limit = far;
  integrate(Integrator::shear, density, L, Vector::Constant(1, 100), far);
  integrate(Integrator::shear, density, L, Vector::Constant(1, 3), limit);
  EXPECT_EQ(far.x, limit.x);
}

TEST(Integrators, AreReversible) {
  const Banana target(2, 0.3);
  Evaluator density(target);
  const Factor L = testing::some_factor(Metric::dense, 2);
  const Matrix x = testing::some_numbers(2, 3, 7), v = testing::some_numbers(2, 3, 8);
  for (const Integrator integrator : kAll) {
    Phase z = start_at(density, L, x, v);
    const Vector steps{{0.02, 0.05, 0.1}};
    for (int i = 0; i < 4; ++i) integrate(integrator, density, L, steps, z);
    z.v = -z.v;
    for (int i = 0; i < 4; ++i) integrate(integrator, density, L, steps, z);
    EXPECT_LT((z.x - x).norm(), 1e-9) << to_string(integrator);
    EXPECT_LT((z.v + v).norm(), 1e-9) << to_string(integrator);
    const std::uint64_t before = density.tally().gradients;
    integrate(integrator, density, L, steps, z);
    EXPECT_EQ(density.tally().gradients - before,
              static_cast<std::uint64_t>(3 * gradients_per_step(integrator)));
  }
}

/// The error in energy falls like h^2 where the steps of a fixed stretch of time get shorter.
TEST(Integrators, AreOfSecondOrder) {
  const Banana target(2, 0.3);
  Evaluator density(target);
  const Factor L = Factor::unit(2);
  const Matrix x = testing::some_numbers(2, 1, 9), v = testing::some_numbers(2, 1, 10);
  for (const Integrator integrator : kAll) {
    const auto error = [&](int count) {
      Phase z = start_at(density, L, x, v);
      const double energy = z.energy(0);
      for (int i = 0; i < count; ++i) {
        integrate(integrator, density, L, Vector::Constant(1, 0.8 / count), z);
      }
      return std::abs(z.energy(0) - energy);
    };
    EXPECT_NEAR(std::log2(error(64) / error(128)), 2, 0.1) << to_string(integrator);
  }
}

TEST(Integrators, HaveNames) {
  for (const Integrator integrator : kAll) {
    EXPECT_EQ(integrator_from_string(to_string(integrator)), integrator);
  }
  EXPECT_THROW(integrator_from_string("leapfog"), UsageError);
}

/// Every length up to the longest, the same for every batch, and the path of the longest when
/// asked.
TEST(Chosen, DrawsTheNumberOfStepsFromTheIterationAlone) {
  const auto target = testing::standard_normal(2);
  Evaluator density(*target);
  State now = testing::state_at(density, testing::some_numbers(2, 3, 1));
  Tuning tuning(Factor::unit(2), 0.3);
  tuning.trajectory = TrajectoryPlan{Integrator::shear, 4};
  Transition one(2, 3), other(2, 3);
  std::vector<int> seen(5, 0);
  for (std::uint64_t i = 0; i < 200; ++i) {
    Chosen({}).step(density, tuning, now, {1, 0, i}, {}, one);
    Chosen({}).step(density, tuning, now, {1, 8, i}, {.path = true}, other);
    EXPECT_TRUE((one.leapfrogs == one.leapfrogs[0]).all());
    ++seen[static_cast<std::size_t>(one.leapfrogs[0])];
    ASSERT_EQ(other.path.size(), 4U);
    EXPECT_TRUE((other.leapfrogs == 4).all());
    const auto stop = static_cast<std::size_t>(one.leapfrogs[0]) - 1;
    EXPECT_EQ(other.next.x, other.path[stop].x);
    EXPECT_EQ(other.log_ratio, other.path[stop].log_ratio);
  }
  for (int steps = 1; steps <= 4; ++steps) {  // binomial(200, 1/4): sd 6.1
    EXPECT_NEAR(seen[static_cast<std::size_t>(steps)], 50, 4 * 6.1);
  }
}

TEST(FirstLane, MovesOneLaneAndAsksForNoOther) {
  const auto target = testing::standard_normal(2);
  Evaluator density(*target);
  State now = testing::state_at(density, testing::some_numbers(2, 3, 1));
  const Matrix before = now.x;
  const Tuning tuning(Factor::unit(2), 0.5);
  Transition out(2, 3);
  const std::uint64_t evaluated = density.tally().gradients;
  FirstLane(std::make_unique<Hmc>(HmcOptions{.leapfrogs = 5}))
      .step(density, tuning, now, {1, 0, 3}, {}, out);
  commit(tuning, out, now);
  EXPECT_EQ(density.tally().gradients - evaluated, 5U);
  EXPECT_NE(now.x.col(0), before.col(0));
  EXPECT_EQ(now.x.rightCols(2), before.rightCols(2));
}

}  // namespace
}  // namespace gadwall
