// The no-U-turn sampler: the size of its trees, the points it selects, divergences and limits.
#include "kernels/nuts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/kernel_checks.hpp"
#include "kernels/phase.hpp"
#include "targets/banana.hpp"
#include "targets/gaussian.hpp"
#include "targets/target_checks.hpp"

namespace gadwall {
namespace {

using namespace gadwall::testing;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::shared_ptr<const Target> flat_target(Index dim) {
  return make_target(
      [](ConstVectorRef, VectorRef grad) {
        grad.setZero();
        return 0.0;
      },
      dim);
}

TEST(Nuts, HasTreesOfTheSizeTheirDepthAllows) {
  const Banana target;
  Evaluator density(target);
  const State now = state_at(density, normal_matrix(2, 300, 1));
  for (const Index max_depth : {1, 3, 7}) {
    const Transition out = one_step(Nuts({.max_depth = max_depth}), density,
                                    Tuning(Factor::unit(2), 0.5), now, {1, 2, 3});
    for (Index k = 0; k < 300; ++k) {
      const int depth = out.tree_depth[k], steps = out.leapfrogs[k];
      EXPECT_LE(depth, max_depth);
      EXPECT_GE(steps, 1);
      EXPECT_GE(steps, (1 << depth) - 1);  // every doubling that was kept is whole
      // The last doubling may have been given up half-way; it counts in steps, not in depth.
      EXPECT_LE(steps, std::min((1 << (depth + 1)) - 1, (1 << max_depth) - 1));
    }
  }
}

TEST(Nuts, CostsOneGradientALeapfrog) {
  const Banana target;
  Evaluator density(target);
  const State now = state_at(density, normal_matrix(2, 20, 1));
  const std::uint64_t before = density.tally().gradients;
  const Transition out = one_step(Nuts({}), density, Tuning(Factor::unit(2), 0.5), now, {1, 2, 3});
  EXPECT_EQ(density.tally().gradients - before, static_cast<std::uint64_t>(out.leapfrogs.sum()));
}

TEST(Nuts, GrowsToTheLimitWhereNothingTurns) {
  const auto flat = flat_target(2);
  Evaluator density(*flat);
  const State now = state_at(density, Matrix::Zero(2, 50));
  for (const Index max_depth : {1, 2, 5}) {
    const Transition out = one_step(Nuts({.max_depth = max_depth}), density,
                                    Tuning(Factor::unit(2), 0.5), now, {1, 2, 3});
    EXPECT_TRUE((out.tree_depth == max_depth).all());
    EXPECT_TRUE((out.leapfrogs == (1 << max_depth) - 1).all());
    EXPECT_EQ(out.accept, Vector::Ones(50));
    EXPECT_FALSE(out.divergent.any());
  }
}

TEST(Nuts, AlwaysTakesTheNewHalfWhereAllWeightsAreEqual) {
  // Biased progressive sampling: on a flat target the new point replaces the old one for certain,
  // on either side as often.
  const auto flat = flat_target(1);
  Evaluator density(*flat);
  constexpr Index lanes = 20000;
  const State now = state_at(density, Matrix::Zero(1, lanes));
  const Transition out =
      one_step(Nuts({.max_depth = 1}), density, Tuning(Factor::unit(1), 1), now, {1, 2, 3});
  double forward = 0;
  for (Index k = 0; k < lanes; ++k) {
    const double steps = out.next.x(0, k) / out.noise(0, k);
    EXPECT_NEAR(std::abs(steps), 1, 1e-12);
    forward += steps > 0 ? 1 : 0;
  }
  EXPECT_LT(std::abs(forward - lanes / 2.0) / std::sqrt(lanes / 4.0), 4);
}

TEST(Nuts, SelectsAPointOfTheTrajectoryThroughTheStart) {
  const Banana target(3);
  Evaluator density(target);
  const Tuning tuning(some_factor(Metric::dense, 3), 0.3);
  const Matrix x = normal_matrix(3, 40, 1);
  const State now = state_at(density, x);
  const Transition out = one_step(Nuts({.max_depth = 5}), density, tuning, now, {1, 2, 3});
  int moved = 0;
  for (Index k = 0; k < 40; ++k) {
    double nearest = (out.next.x.col(k) - x.col(k)).norm();
    moved += nearest > 0 ? 1 : 0;
    for (const double h : {0.3, -0.3}) {
      Phase z;
      z.resize(3, 1);
      z.x = x.col(k);
      z.v = out.noise.col(k);
      z.whitened = out.whitened.col(k);
      for (int i = 0; i < (1 << out.tree_depth[k]) - 1; ++i) {
        leapfrog(density, tuning.factor(), Vector::Constant(1, h), z);
        if ((out.next.x.col(k) - z.x).norm() >= nearest) continue;
        nearest = (out.next.x.col(k) - z.x).norm();
        EXPECT_NEAR(out.energy[k], z.energy(0), nearest < 1e-9 ? 1e-8 : kInfinity);
      }
    }
    EXPECT_LT(nearest, 1e-9);
  }
  EXPECT_GT(moved, 30);
}

TEST(Nuts, TurnsWhenItsTreeSpansHalfATurnOfACircle) {
  // On N(0, I) in the plane, x at right angles to the momentum and as long makes the orbit a
  // circle: 2^d points span 2^d - 1 steps, and turn as soon as that is pi.
  const Gaussian target(Vector::Zero(2), Matrix::Identity(2, 2));
  Evaluator density(target);
  Matrix momenta(2, 50);
  fill_normal(LaneNoise{1, 2, 3}, Purpose::proposal, momenta);
  const State now = state_at(density, Matrix{{0, 1}, {-1, 0}} * momenta);
  const auto depths = [&](double h) {
    return one_step(Nuts({}), density, Tuning(Factor::unit(2), h), now, {1, 2, 3}).tree_depth;
  };
  EXPECT_TRUE((depths(0.050) == 6).all());  // 63 x 0.050 > pi
  EXPECT_TRUE((depths(0.049) == 7).all());  // 63 x 0.049 < pi
}

TEST(Nuts, FlagsADivergenceAtACliffAndStaysOnTheTarget) {
  const auto cliff = make_target(
      [](ConstVectorRef x, VectorRef grad) {
        grad = -x;
        return x[0] < 1 ? -0.5 * x.squaredNorm() : -1e6;
      },
      2);
  Evaluator density(*cliff);
  const State now = state_at(density, Matrix::Constant(2, 300, 0.5));
  const Transition out = one_step(Nuts({}), density, Tuning(Factor::unit(2), 0.2), now, {1, 2, 3});
  EXPECT_TRUE(out.divergent.any());
  EXPECT_FALSE(out.divergent.all());
  EXPECT_LT(out.next.x.row(0).maxCoeff(), 1);
}

TEST(Nuts, StopsAtADivergenceAtOnce) {
  // Nowhere but at the start is there any density: the first step diverges, whatever its side.
  const auto needle = make_target(
      [](ConstVectorRef x, VectorRef grad) {
        grad.setZero();
        return x.norm() == 0 ? 0.0 : -kInfinity;
      },
      2);
  Evaluator density(*needle);
  const State now = state_at(density, Matrix::Zero(2, 20));
  const Transition out = one_step(Nuts({}), density, Tuning(Factor::unit(2), 0.2), now, {1, 2, 3});
  EXPECT_TRUE(out.divergent.all());
  EXPECT_TRUE((out.leapfrogs == 1).all());
  EXPECT_TRUE((out.tree_depth == 0).all());
  EXPECT_EQ(out.accept, Vector::Zero(20));
  EXPECT_EQ(out.next.x, now.x);
  EXPECT_EQ(out.next.logp, now.logp);
}

TEST(Nuts, DivergesAtTheEnergyErrorItIsGiven) {
  const Gaussian target(Vector::Zero(1), Matrix::Identity(1, 1));
  Evaluator density(target);
  const State now = state_at(density, Matrix::Constant(1, 50, 3));
  const Tuning tuning(Factor::unit(1), 1.5);
  const auto run = [&](double limit) {
    return one_step(Nuts({.max_energy_error = limit}), density, tuning, now, {1, 2, 3});
  };
  EXPECT_FALSE(run(1000).divergent.any());
  EXPECT_TRUE(run(0.01).divergent.any());
}

TEST(Nuts, ReportsTheMeanAcceptanceOverTheTrajectory) {
  // Trees of depth one: a single leapfrog, whose acceptance can be found by hand.
  const Banana target;
  Evaluator density(target);
  const Tuning tuning(Factor::unit(2), 1.2);
  const State now = state_at(density, normal_matrix(2, 50, 1));
  const Transition out = one_step(Nuts({.max_depth = 1}), density, tuning, now, {1, 2, 3});
  for (Index k = 0; k < 50; ++k) {
    double nearest = kInfinity;
    for (const double h : {1.2, -1.2}) {
      Phase z;
      z.resize(2, 1);
      z.x = now.x.col(k);
      z.v = out.noise.col(k);
      z.whitened = out.whitened.col(k);
      leapfrog(density, tuning.factor(), Vector::Constant(1, h), z);
      const double start = out.noise.col(k).squaredNorm() / 2 - now.logp[k];
      const double accept = std::min(1.0, std::exp(start - z.energy(0)));
      nearest = std::min(nearest, std::abs(accept - out.accept[k]));
    }
    EXPECT_LT(nearest, 1e-12);
    EXPECT_TRUE(out.accepted[k]);
  }
}

}  // namespace
}  // namespace gadwall
