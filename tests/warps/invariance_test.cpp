// Kernels that move in the coordinates of a warp leave the model's density as it is: exact draws of
// a funnel, moved, are exact draws, though the warp is not the funnel's own.
#include <gtest/gtest.h>

#include <cmath>

#include "gadwall/evaluator.hpp"
#include "gadwall/noise.hpp"
#include "kernels/chosen.hpp"
#include "statistics.hpp"
#include "targets/funnel.hpp"
#include "warps/rewarp.hpp"

namespace gadwall {
namespace {

using namespace gadwall::testing;

constexpr Index kDim = 5;
constexpr Index kLanes = 100;
constexpr Index kBatches = 200;
constexpr Index kMoves = 5;

std::shared_ptr<const Warp> inexact_warp() {
  WarpLayer layer;
  layer.driver = 0;
  layer.members = {1, 2, 3, 4};
  layer.exponent = -0.8;
  layer.centre = 0.5;
  layer.centring = Vector::LinSpaced(4, 0.6, 1);
  layer.pull = Vector::LinSpaced(4, -0.2, 0.2);
  layer.driven_pull = Vector::LinSpaced(4, 0.1, -0.1);
  layer.directions = Matrix::Identity(4, 4);
  layer.directions(0, 1) = 0.3;
  layer.bend = {0.2, 2.5, 3.2, 0.2, 0.1};
  EXPECT_TRUE(layer.complete());
  return std::make_shared<const Warp>(std::vector<WarpLayer>{layer});
}

/// The mean of `values` in standard errors from `wanted`.
double standard_score(const Eigen::ArrayXd& values, double wanted) {
  const double variance = (values - values.mean()).square().mean();
  return (values.mean() - wanted) / std::sqrt(variance / static_cast<double>(values.size()));
}

TEST(WarpInvariance, ExactDrawsStayExact) {
  const Funnel target(kDim);
  Evaluator density(target);
  const std::shared_ptr<const Warp> warp = inexact_warp();
  Tuning tuning(Factor::unit(kDim));
  tuning.step = 0.7;
  tuning.trajectory = TrajectoryPlan{Integrator::shear, 2, 0};
  const Chosen kernel({});
  Matrix after(kBatches * kLanes, kDim);
  Transition transition(kDim, kLanes);
  double acceptance = 0;
  for (Index b = 0; b < kBatches; ++b) {
    LaneNoise noise{4711, 0, static_cast<std::uint64_t>(kMoves * b)};
    State now(kDim, kLanes);
    fill_normal(noise, Purpose::start, now.x);
    now.x.row(0) *= 3;
    for (Index k = 0; k < kLanes; ++k) now.x.col(k).tail(kDim - 1) *= std::exp(now.x(0, k) / 2);
    density.look_through(nullptr);
    density.gradient(now.x, now.logp, now.grad);
    rewarp(nullptr, warp.get(), now);
    density.look_through(warp);
    for (Index move = 0; move < kMoves; ++move, ++noise.iteration) {
      kernel.step(density, tuning, now, noise, {}, transition);
      commit(tuning, transition, now);
      acceptance += transition.accept.mean() / static_cast<double>(kMoves * kBatches);
    }
    rewarp(warp.get(), nullptr, now);
    for (Index k = 0; k < kLanes; ++k) {
      after(b * kLanes + k, 0) = now.x(0, k) / 3;
      after.row(b * kLanes + k).tail(kDim - 1) =
          now.x.col(k).tail(kDim - 1).transpose() * std::exp(-now.x(0, k) / 2);
    }
  }
  EXPECT_GT(acceptance, 0.3);  // near 0 or 1 a wrong ratio would hide
  EXPECT_LT(acceptance, 0.97);
  for (Index i = 0; i < kDim; ++i) {
    const Eigen::ArrayXd z = after.col(i);
    EXPECT_LT(std::abs(standard_score(z, 0)), 4) << i;
    EXPECT_LT(std::abs(standard_score(z.square(), 1)), 4) << i;
    EXPECT_LT(std::abs(standard_score(z.square() * after.col(0).array(), 0)), 4) << i;
    EXPECT_LT(kolmogorov_smirnov({z.begin(), z.end()}, normal_cdf), kKolmogorovLimit) << i;
  }
}

}  // namespace
}  // namespace gadwall
