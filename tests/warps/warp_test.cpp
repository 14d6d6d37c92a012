// Maps, Jacobians and scores of warps against finite differences; what files get back.
#include "gadwall/warp.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "gadwall/error.hpp"
#include "gadwall/evaluator.hpp"
#include "targets/funnel.hpp"
#include "warps/rewarp.hpp"
#include "warps/words.hpp"

namespace gadwall {
namespace {

WarpLayer layer_of(Index driver, std::vector<Index> members, double exponent) {
  const auto m = static_cast<Index>(members.size());
  WarpLayer layer;
  layer.driver = driver;
  layer.members = std::move(members);
  layer.exponent = exponent;
  layer.centre = 0.3;
  layer.centring = Vector::LinSpaced(m, 0, 1);
  layer.pull = Vector::LinSpaced(m, -1, 2);
  layer.driven_pull = Vector::LinSpaced(m, 0.5, -0.7);
  layer.directions = Matrix::Identity(m, m);
  for (Index i = 0; i + 1 < m; ++i) layer.directions(i, i + 1) = 0.4;
  layer.bend = {0.2, 0.8, 1.3, 0.3, 0.1};
  EXPECT_TRUE(layer.complete());
  return layer;
}

/// Two drivers, one of which is a member of the other's layer.
Warp two_layers() {
  return Warp({layer_of(1, {0, 3, 4}, -2), layer_of(3, {2, 4}, 1)});
}

Matrix some_points(Index n, Index count) {
  Matrix y(n, count);
  fill_normal(LaneNoise{7, 0, 0}, Purpose::start, y);
  return y;
}

Vector model_of(const Warp& warp, const Vector& y) {
  WarpTrail trail;
  warp.to_model(y, trail);
  return trail.model().col(0);
}

TEST(Bend, IsMonotoneWithTheDerivativesItSaysAndAnInverse) {
  const Bend bend{0.2, 0.8, 1.3, 0.3, 0.1};
  const double h = 1e-5;
  for (const double t : {-30.0, -3.0, -0.4, 0.0, 0.9, 4.0, 40.0}) {
    const Bend::Value value = bend.at(t);
    const double slope = (bend.at(t + h).d - bend.at(t - h).d) / (2 * h);
    const double bent = (std::log(bend.at(t + h).slope) - std::log(bend.at(t - h).slope)) / (2 * h);
    EXPECT_NEAR(value.slope, slope, 1e-6 * slope);
    EXPECT_NEAR(value.log_slope_derivative, bent, 1e-6);
    EXPECT_NEAR(bend.inverse(value.d), t, 1e-11 * (1 + std::abs(t)));
  }
}

TEST(Warp, ComesBackFromTheModel) {
  const Warp warp = two_layers();
  const Matrix y = some_points(5, 4);
  WarpTrail there, back;
  warp.to_model(y, there);
  warp.from_model(there.model(), back);
  EXPECT_LT((back.at.front() - y).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((back.log_jacobian - there.log_jacobian).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(Warp, HasTheJacobianOfItsMap) {
  const Warp warp = two_layers();
  const double h = 1e-6;
  for (Index k = 0; k < 4; ++k) {
    const Vector y = some_points(5, 4).col(k);
    Matrix jacobian(5, 5);
    for (Index j = 0; j < 5; ++j) {
      const Vector shift = h * Vector::Unit(5, j);
      jacobian.col(j) = (model_of(warp, y + shift) - model_of(warp, y - shift)) / (2 * h);
    }
    WarpTrail trail;
    warp.to_model(y, trail);
    EXPECT_NEAR(trail.log_jacobian[0], std::log(std::abs(jacobian.determinant())), 1e-6);
  }
}

TEST(Warp, TheEvaluatorGivesDensityAndGradientOfTheNewCoordinates) {
  const Funnel target(5);
  Evaluator density(target);
  density.look_through(std::make_shared<const Warp>(two_layers()));
  const Matrix y = some_points(5, 3);
  Matrix gradient(5, 3);
  Vector logp(3);
  density.gradient(y, logp, gradient);
  const double h = 1e-5;
  for (Index j = 0; j < 5; ++j) {
    Vector above(3), below(3);
    const Matrix shift = h * Vector::Unit(5, j).replicate(1, 3);
    density.density(y + shift, above);
    density.density(y - shift, below);
    for (Index k = 0; k < 3; ++k) {
      EXPECT_NEAR(gradient(j, k), (above[k] - below[k]) / (2 * h),
                  1e-5 * (1 + std::abs(gradient(j, k))));
    }
  }
}

TEST(Warp, APointBeyondAllNumbersIsABadPoint) {
  const Funnel target(5);
  Evaluator density(target);
  density.look_through(std::make_shared<const Warp>(two_layers()));
  Matrix gradient(5, 1);
  Vector logp(1);
  density.gradient(Matrix::Constant(5, 1, -1e200), logp, gradient);
  EXPECT_EQ(logp[0], -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(gradient.isZero());
  EXPECT_EQ(density.tally().bad_points, 1u);
}

TEST(Rewarp, StatesKeepTheModelsDensityAndScores) {
  const Funnel target(5);
  Evaluator density(target);
  State state(5, 3);
  state.x = some_points(5, 3);
  density.gradient(state.x, state.logp, state.grad);
  const State before = state;
  const Warp warp = two_layers();
  rewarp(nullptr, &warp, state);
  Matrix gradient(5, 3);
  Vector logp(3);
  density.look_through(std::make_shared<const Warp>(warp));
  density.gradient(state.x, logp, gradient);
  EXPECT_LT((state.logp - logp).cwiseAbs().maxCoeff(), 1e-9 * logp.cwiseAbs().maxCoeff());
  EXPECT_LT((state.grad - gradient).norm(), 1e-9 * gradient.norm());
  rewarp(&warp, nullptr, state);
  EXPECT_LT((state.x - before.x).norm(), 1e-9 * before.x.norm());
  EXPECT_LT((state.grad - before.grad).norm(), 1e-8 * before.grad.norm());
  EXPECT_LT((state.logp - before.logp).norm(), 1e-9 * before.logp.norm());
}

TEST(Warp, ComesBackFromTheArraysOfAFile) {
  const WarpLayer layer = layer_of(1, {0, 3, 4}, -2);
  const WarpLayer read = WarpLayer::from_parts(5, layer.parts());
  const Matrix y = some_points(5, 2);
  EXPECT_EQ(Warp({read}), Warp({layer}));
  EXPECT_NE(Warp({read}), two_layers());
  EXPECT_EQ(model_of(Warp({read}), y.col(0)), model_of(Warp({layer}), y.col(0)));
}

TEST(Warp, RefusesArraysThatAreNone) {
  std::vector<NamedArray> parts = layer_of(1, {0, 3, 4}, -2).parts();
  EXPECT_THROW(WarpLayer::from_parts(4, parts), UsageError);  // member 4 of 4 coordinates
  parts[1].values[0] = 1;                                     // the driver
  EXPECT_THROW(WarpLayer::from_parts(5, parts), UsageError);
  parts[1].values[0] = 0;
  parts[4].values[0] = 1.5;
  EXPECT_THROW(WarpLayer::from_parts(5, parts), UsageError);
  parts[4].values[0] = 0;
  parts[7].values.assign(9, 1);
  EXPECT_THROW(WarpLayer::from_parts(5, parts), UsageError);
}

TEST(WarpWords, NameTheDriverAndWhatItScales) {
  WarpLayer layer = layer_of(1, {0, 2, 3, 4}, -2);
  layer.directions.setIdentity();
  ASSERT_TRUE(layer.complete());
  layer.centring << 0, 1, 1, 1;
  const Warp warp({layer});
  EXPECT_EQ(warp_words(&warp, {"mu", "tau", "theta.1", "theta.2", "theta.3"}),
            "tau is the scale of theta[1..3]; sampled non-centred");
  EXPECT_EQ(warp_words(nullptr, {}), "none");
}

/// theta_j ~ normal(mu, tau), whose precision is all of what theta and mu have in the neck: tau
/// scales theta, not mu.
TEST(WarpWords, DoNotTakeAMeanForWhatIsScaled) {
  WarpLayer layer = layer_of(1, {0, 2, 3, 4}, -2);
  Matrix contrasts = Matrix::Identity(4, 4);  // rows: mu, theta_j - mu
  contrasts.col(0).tail(3).setConstant(-1);
  layer.directions = contrasts.inverse();
  layer.centring << 0, 1, 1, 1;
  ASSERT_TRUE(layer.complete());
  EXPECT_GT(driven_shares(layer)[0], 0.5);
  const Warp warp({layer});
  EXPECT_EQ(warp_words(&warp, {"mu", "tau", "theta.1", "theta.2", "theta.3"}),
            "tau is the scale of theta[1..3]; sampled non-centred");
}

}  // namespace
}  // namespace gadwall
