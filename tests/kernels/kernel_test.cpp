// What all kernels share: the decision, the commit, the kept products, and lanes that do not know
// of each other.
#include "gadwall/kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tuple>

#include "kernels/kernel_checks.hpp"
#include "targets/gaussian.hpp"
#include "targets/target_checks.hpp"

namespace gadwall {
namespace {

using namespace gadwall::testing;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const Matrix kCovariance{{2, 1, 0}, {1, 1, 0.3}, {0, 0.3, 1.5}};

TEST(Decide, AcceptsWithTheProbabilityOfTheRatio) {
  constexpr Index lanes = 100000;
  Transition transition(1, lanes);
  for (const double wanted : {0.05, 0.3, 0.9}) {
    transition.log_ratio.setConstant(std::log(wanted));
    decide({1, 0, 0}, transition);
    EXPECT_DOUBLE_EQ(transition.accept[0], wanted);
    const double share = transition.accepted.cast<double>().mean();
    EXPECT_LT(std::abs(share - wanted) / std::sqrt(wanted * (1 - wanted) / lanes), 4) << wanted;
  }
}

TEST(Decide, KnowsTheEnds) {
  Transition transition(1, 4);
  transition.log_ratio << 0, 5, -kInfinity, std::nan("");
  decide({1, 0, 0}, transition);
  EXPECT_EQ(transition.accept, (Vector{{1.0, 1.0, 0.0, 0.0}}));
  EXPECT_EQ(transition.accepted.cast<int>().matrix(), (Eigen::VectorXi{{1, 1, 0, 0}}));
  EXPECT_EQ(transition.log_ratio[3], -kInfinity);
}

/// Two lanes of dimension one, the first accepted, with numbers that tell where they come from.
struct TwoLanes {
  TwoLanes() {
    now.x << 1, 2;
    now.logp << 3, 4;
    now.grad << 5, 6;
    transition.next.x << 11, 12;
    transition.next.logp << 13, 14;
    transition.next.grad << 15, 16;
    transition.next.whitened << 17, 18;
    transition.next.whitened_version = tuning.version();
    transition.whitened << 27, 28;
    transition.accepted << true, false;
  }
  Tuning tuning{Factor::diagonal(Vector::Ones(1))};
  State now{1, 2};
  Transition transition{1, 2};
};

TEST(Commit, MovesTheAcceptedLanesAndKeepsTheProductsOfAll) {
  TwoLanes two;
  commit(two.tuning, two.transition, two.now);
  EXPECT_EQ(two.now.x, (Matrix{{11, 2}}));
  EXPECT_EQ(two.now.logp, (Vector{{13.0, 4.0}}));
  EXPECT_EQ(two.now.grad, (Matrix{{15, 6}}));
  EXPECT_EQ(two.now.whitened, (Matrix{{17, 28}}));
  EXPECT_EQ(two.now.whitened_version, two.tuning.version());
}

TEST(Commit, ForgetsTheProductsWhenTheFactorHasChanged) {
  TwoLanes two;
  two.tuning.change_factor().as<DiagonalFactor>().entries() *= 2;
  commit(two.tuning, two.transition, two.now);
  EXPECT_EQ(two.now.x, (Matrix{{11, 2}}));
  EXPECT_NE(two.now.whitened_version, two.tuning.version());
  whiten_gradient(two.tuning, two.now, two.transition);
  EXPECT_EQ(two.transition.whitened, (Matrix{{30, 12}}));
}

TEST(WhitenGradient, TakesTheKeptProductWhileItIsValid) {
  TwoLanes two;
  two.now.whitened << 7, 8;  // not L^T grad: shows that it was not made anew
  two.now.whitened_version = two.tuning.version();
  whiten_gradient(two.tuning, two.now, two.transition);
  EXPECT_EQ(two.transition.whitened, (Matrix{{7, 8}}));
}

using Setting = std::tuple<KernelCase, Metric>;

class EveryKernel : public ::testing::TestWithParam<Setting> {
 protected:
  static constexpr Index kLanes = 5;
  static constexpr LaneNoise kNoise{8, 20, 9};

  State state(const Matrix& x) { return state_at(density_, x); }

  const std::unique_ptr<Kernel> kernel_ = std::get<0>(GetParam()).make();
  Tuning tuning_{some_factor(std::get<1>(GetParam()), 3), 0.7};
  const Gaussian target_{Vector{{1.0, 0.0, -1.0}}, kCovariance};
  Evaluator density_{target_};
  const Matrix x_ = normal_matrix(3, kLanes, 4);
};

TEST_P(EveryKernel, MovesALaneInABatchAsItWouldAlone) {
  const Transition batch = one_step(*kernel_, density_, tuning_, state(x_), kNoise);
  for (Index k = 0; k < kLanes; ++k) {
    const LaneNoise noise{8, 20 + static_cast<std::uint32_t>(k), 9};
    const Transition alone = one_step(*kernel_, density_, tuning_, state(x_.col(k)), noise);
    EXPECT_EQ(batch.noise.col(k), alone.noise.col(0));
    EXPECT_LT((batch.next.x.col(k) - alone.next.x.col(0)).norm(), 1e-12);
    EXPECT_NEAR(batch.next.logp[k], alone.next.logp[0], 1e-11);
    if (batch.log_ratio[k] != alone.log_ratio[0]) {  // both may be -inf
      EXPECT_NEAR(batch.log_ratio[k], alone.log_ratio[0], 1e-11);
    }
    EXPECT_NEAR(batch.accept[k], alone.accept[0], 1e-11);
    EXPECT_NEAR(batch.energy[k], alone.energy[0], 1e-11);
    EXPECT_EQ(batch.accepted[k], alone.accepted[0]);
    EXPECT_EQ(batch.divergent[k], alone.divergent[0]);
    EXPECT_EQ(batch.leapfrogs[k], alone.leapfrogs[0]);
    EXPECT_EQ(batch.tree_depth[k], alone.tree_depth[0]);
  }
}

TEST_P(EveryKernel, GivesTheSameDrawsWithAndWithoutKeptProducts) {
  State keeps = state(x_), forgets = state(x_);
  Transition out(3, kLanes);
  for (std::uint64_t t = 0; t < 20; ++t) {
    for (State* now : {&keeps, &forgets}) {
      kernel_->step(density_, tuning_, *now, {8, 0, t}, {}, out);
      commit(tuning_, out, *now);
    }
    forgets.whitened_version = 0;
    // Not to the last bit: nuts makes the products lane by lane, a new one is made for the batch.
    ASSERT_LT((keeps.x - forgets.x).norm(), 1e-10) << t;
  }
  EXPECT_EQ(keeps.whitened_version == tuning_.version(), kernel_->uses_gradient());
}

TEST_P(EveryKernel, StaysExactWhenTheFactorChangesBetweenMoves) {
  State keeps = state(x_);
  Transition out(3, kLanes), fresh(3, kLanes);
  for (std::uint64_t t = 0; t < 10; ++t) {
    kernel_->step(density_, tuning_, keeps, {8, 0, t}, {}, out);
    Factor& L = tuning_.change_factor();
    if (L.kind() != Metric::unit) L = L.scaled(0.9);
    commit(tuning_, out, keeps);
    State forgets = state(keeps.x);
    forgets.momentum = keeps.momentum;
    kernel_->step(density_, tuning_, forgets, {8, 0, t + 1}, {}, fresh);
    kernel_->step(density_, tuning_, keeps, {8, 0, t + 1}, {}, out);
    ASSERT_LT((out.next.x - fresh.next.x).norm(), 1e-12) << t;
  }
}

TEST_P(EveryKernel, SaysWhatTheNewStateIs) {
  const Transition out = one_step(*kernel_, density_, tuning_, state(x_), kNoise);
  const Evaluation at(target_, out.next.x);
  EXPECT_LT((out.next.logp - at.logp).norm(), 1e-12);
  if (!kernel_->uses_gradient()) return;
  EXPECT_LT((out.next.grad - at.grad).norm(), 1e-12);
  const Matrix L = tuning_.factor().matrix();
  EXPECT_LT((out.next.whitened - L.transpose() * at.grad).norm(), 1e-12);
  EXPECT_LT((out.whitened - L.transpose() * state(x_).grad).norm(), 1e-12);
  EXPECT_EQ(out.next.whitened_version, tuning_.version());
}

TEST_P(EveryKernel, RepeatsItselfForTheSameNoiseAndForNoOther) {
  const State now = state(x_);
  const Matrix first = one_step(*kernel_, density_, tuning_, now, kNoise).next.x;
  EXPECT_EQ(first, one_step(*kernel_, density_, tuning_, now, kNoise).next.x);
  EXPECT_NE(first, one_step(*kernel_, density_, tuning_, now, {8, 20, 10}).next.x);
  EXPECT_NE(first, one_step(*kernel_, density_, tuning_, now, {9, 20, 9}).next.x);
}

TEST_P(EveryKernel, NeverMovesToABadPoint) {
  // Beyond a wall at x_1 = 0 there is nothing; every start stands just before it.
  const auto walled = make_target(
      [](ConstVectorRef x, VectorRef grad) {
        grad = -x;
        return x[0] > 0 ? -0.5 * x.squaredNorm() : -kInfinity;
      },
      3);
  Evaluator density(*walled);
  State now = state_at(density, Matrix::Constant(3, 200, 0.1));
  Transition out(3, 200);
  for (std::uint64_t t = 0; t < 5; ++t) {
    kernel_->step(density, tuning_, now, {8, 0, t}, {}, out);
    commit(tuning_, out, now);
    ASSERT_GT(now.x.row(0).minCoeff(), 0);
    ASSERT_TRUE(now.logp.allFinite());
  }
  EXPECT_GT(density.tally().bad_points, 0U);
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryKernel,
                         ::testing::Combine(::testing::ValuesIn(kernel_cases()),
                                            ::testing::ValuesIn(kMetrics)),
                         [](const auto& row) {
                           return std::get<0>(row.param).name + metric_name(std::get<1>(row.param));
                         });

}  // namespace
}  // namespace gadwall
