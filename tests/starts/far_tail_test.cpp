// From a log density of -1e165 to the bulk, and not further.
#include "starts/far_tail.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gadwall/target.hpp"

namespace gadwall {
namespace {

/// log pi = -e^(200 a) - a^2 / 2 - b^2 / 2: a rate in a Poisson regression on a raw covariate.
std::shared_ptr<const Target> exponential_wall() {
  return make_target(
      [](ConstVectorRef x, VectorRef grad) {
        const double rate = std::exp(200 * x[0]);
        grad = -x;
        grad[0] -= 200 * rate;
        return -rate - x.squaredNorm() / 2;
      },
      2);
}

State state_at(Evaluator& density, const Vector& x) {
  State state(x.size(), 1);
  state.x.col(0) = x;
  density.gradient(state.x, state.logp, state.grad);
  return state;
}

TEST(FarTail, IsLeft) {
  const auto target = exponential_wall();
  Evaluator density(*target);
  State state = state_at(density, Vector{{1.9, 1}});  // log density -1e165
  leave_far_tail(density, 0, state);
  EXPECT_GT(state.logp[0], -200);
  const State again = state_at(density, state.x.col(0));
  EXPECT_EQ(state.logp, again.logp);
  EXPECT_EQ(state.grad, again.grad);
  EXPECT_LT(density.tally().gradients, 1000U);
}

TEST(FarTail, IsNotWhereTheBulkIsNear) {
  const auto target = exponential_wall();
  Evaluator density(*target);
  State state = state_at(density, Vector{{-3, 10}});
  leave_far_tail(density, 0, state);
  EXPECT_EQ(state.x.col(0), (Vector{{-3, 10}}));
}

}  // namespace
}  // namespace gadwall
