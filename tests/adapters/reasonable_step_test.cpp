// The doubling search for a first step: the acceptance of one leapfrog step crosses 0.8.
#include "adapters/reasonable_step.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "adapters/lesson_testing.hpp"

namespace gadwall {
namespace {

constexpr Index kDim = 8;
constexpr Index kLanes = 2000;  // standard error of the mean acceptance below 0.01

State standard_normal_states(Evaluator& density, Index lanes = kLanes) {
  State state(kDim, lanes);
  state.x = testing::some_numbers(kDim, lanes, 2);
  density.gradient(state.x, state.logp, state.grad);
  return state;
}

/// Mean acceptance of one leapfrog step of length h on N(0, I) with mass I, from momenta of its
/// own.
double acceptance(const State& state, double h) {
  const Matrix momentum = testing::some_numbers(kDim, kLanes, 77);
  double sum = 0;
  for (Index k = 0; k < kLanes; ++k) {
    const Vector half = momentum.col(k) - h / 2 * state.x.col(k);
    const Vector x = state.x.col(k) + h * half;
    const Vector v = half - h / 2 * x;
    const double before = state.x.col(k).squaredNorm() + momentum.col(k).squaredNorm();
    sum += std::exp(std::min(0.0, (before - x.squaredNorm() - v.squaredNorm()) / 2));
  }
  return sum / kLanes;
}

double search(const State& state, Evaluator& density, double first) {
  return reasonable_step(state, density, LaneNoise{3, 0, 0}, Tuning(Factor::unit(kDim), first));
}

TEST(ReasonableStep, DoublesUntilTheAcceptanceFallsTo80Percent) {
  const auto target = testing::standard_normal(kDim);
  Evaluator density(*target);
  const State state = standard_normal_states(density);
  const double step = search(state, density, 1e-3);
  EXPECT_EQ(step, std::ldexp(1e-3, std::ilogb(step / 1e-3)));
  EXPECT_LT(acceptance(state, step), 0.8 + 0.04);
  EXPECT_GT(acceptance(state, step / 2), 0.8 - 0.04);
}

TEST(ReasonableStep, HalvesUntilTheAcceptanceRisesTo80Percent) {
  const auto target = testing::standard_normal(kDim);
  Evaluator density(*target);
  const State state = standard_normal_states(density);
  const double step = search(state, density, 1000);
  EXPECT_EQ(step, std::ldexp(1000, std::ilogb(step / 1000)));
  EXPECT_GT(acceptance(state, step), 0.8 - 0.04);
  EXPECT_LT(acceptance(state, 2 * step), 0.8 + 0.04);
}

// log pi = -e^x at x = 400: a gradient of 1e173.
TEST(ReasonableStep, FindsAStepFarOutInAnExponentialTail) {
  const auto target = make_target(
      [](ConstVectorRef x, VectorRef grad) {
        grad.setZero();
        grad[0] = -std::exp(x[0]);
        return grad[0];
      },
      kDim);
  Evaluator density(*target);
  State state(kDim, 1);
  state.x.setConstant(400);
  density.gradient(state.x, state.logp, state.grad);
  const double step = search(state, density, 1);
  EXPECT_GT(step, 0);
  EXPECT_LT(step * step * std::abs(state.grad(0)), 4);  // it moves x by a few units at most
}

TEST(ReasonableStep, SeesTheMetric) {
  // With L = I / 16 the same trajectory needs a step 16 times as long; powers of two are exact.
  const auto target = testing::standard_normal(kDim);
  Evaluator density(*target);
  const State state = standard_normal_states(density);
  const Tuning narrow(Factor::diagonal(Vector::Constant(kDim, 1.0 / 16)), 16e-3);
  EXPECT_EQ(reasonable_step(state, density, LaneNoise{3, 0, 0}, narrow),
            16 * search(state, density, 1e-3));
}

TEST(ReasonableStep, GivesUpOnAFlatTarget) {
  const auto flat = make_target(
      [](ConstVectorRef, VectorRef grad) {
        grad.setZero();
        return 0.0;
      },
      kDim);
  Evaluator density(*flat);
  const double step = search(standard_normal_states(density, 2), density, 1);
  EXPECT_TRUE(std::isfinite(step));
  EXPECT_GT(step, 1e20);
}

TEST(ReasonableStep, GivesUpOnATargetThatIsNowhereFinite) {
  const auto target = testing::standard_normal(kDim);
  Evaluator finite(*target);
  const State state = standard_normal_states(finite, 2);
  const auto nowhere = make_target(
      [](ConstVectorRef, VectorRef) { return -std::numeric_limits<double>::infinity(); }, kDim);
  Evaluator density(*nowhere);
  const double step = search(state, density, 1);
  EXPECT_GT(step, 0);
  EXPECT_LT(step, 1e-20);
}

}  // namespace
}  // namespace gadwall
