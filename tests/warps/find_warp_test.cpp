// What is found from exact draws of funnels, and that nothing is found where there is none.
#include "warps/find_warp.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "gadwall/evaluator.hpp"
#include "gadwall/noise.hpp"
#include "targets/funnel.hpp"
#include "warps/recentring.hpp"

namespace gadwall {
namespace {

constexpr Index kPoints = 400;

std::vector<bool> first_half() {
  std::vector<bool> is_first(kPoints);
  for (std::size_t c = 0; c < is_first.size(); ++c) is_first[c] = c < is_first.size() / 2;
  return is_first;
}

Matrix normals(Index n) {
  Matrix z(n, kPoints);
  fill_normal(LaneNoise{11, 0, 0}, Purpose::start, z);
  return z;
}

ScoredPoints scored(const Target& target, Matrix x) {
  Evaluator density(target);
  Vector logp(x.cols());
  Matrix scores(x.rows(), x.cols());
  density.gradient(x, logp, scores);
  return {std::move(x), std::move(scores)};
}

ScoredPoints funnel_points() {
  Matrix x = normals(10);
  x.row(0) *= 3;
  for (Index k = 0; k < kPoints; ++k) x.col(k).tail(9) *= std::exp(x(0, k) / 2);
  return scored(Funnel(10), std::move(x));
}

/// Two scales of four effects each: v1, v2 ~ N(0, 1), a_i ~ N(0, e^v1), b_i ~ N(0, e^2 v2).
std::shared_ptr<const Target> two_funnels() {
  return make_target(
      [](ConstVectorRef x, VectorRef grad) {
        const double first = std::exp(-2 * x[0]), second = std::exp(-2 * x[1]);
        const double of_first = x.segment(2, 4).squaredNorm(), of_second = x.tail(4).squaredNorm();
        grad[0] = -x[0] - 4 + first * of_first;
        grad[1] = -x[1] - 4 + second * of_second;
        grad.segment(2, 4) = -first * x.segment(2, 4);
        grad.tail(4) = -second * x.tail(4);
        return -x.head(2).squaredNorm() / 2 - 4 * (x[0] + x[1]) -
               (first * of_first + second * of_second) / 2;
      },
      10);
}

TEST(FindWarp, FindsScaleExponentAndMembersOfAFunnel) {
  const ScoredPoints points = funnel_points();
  const double plain = divergence_of_halves(points, first_half());
  EXPECT_GT(plain, 1);
  const std::optional<FoundWarp> found = find_warp(points, first_half());
  ASSERT_TRUE(found);
  ASSERT_EQ(found->warp.layers().size(), 1u);
  const WarpLayer& layer = found->warp.layers()[0];
  EXPECT_EQ(layer.driver, 0);
  EXPECT_EQ(layer.exponent, -1);
  EXPECT_EQ(layer.members.size(), 9u);
  EXPECT_GT(layer.centring.minCoeff(), 1 - 1e-5);
  EXPECT_LT(found->divergence, 1e-3);
}

TEST(FindWarp, FindsTwoDrivers) {
  Matrix x = normals(10);
  for (Index k = 0; k < kPoints; ++k) {
    x.col(k).segment(2, 4) *= std::exp(x(0, k));
    x.col(k).tail(4) *= std::exp(x(1, k));
  }
  const ScoredPoints points = scored(*two_funnels(), std::move(x));
  const double plain = divergence_of_halves(points, first_half());
  const std::optional<FoundWarp> found = find_warp(points, first_half());
  ASSERT_TRUE(found);
  ASSERT_EQ(found->warp.layers().size(), 2u);
  for (const WarpLayer& layer : found->warp.layers()) {
    EXPECT_EQ(layer.exponent, -2);
    EXPECT_EQ(layer.members, layer.driver == 0 ? (std::vector<Index>{2, 3, 4, 5})
                                               : (std::vector<Index>{6, 7, 8, 9}));
  }
  EXPECT_LT(found->divergence, 0.05 * plain);
}

TEST(FindWarp, LeavesAGaussianAlone) {
  Matrix x = normals(6);
  x.row(1) += 0.9 * x.row(0);
  const ScoredPoints points{x, -x};  // scores of another covariance: linear all the same
  EXPECT_LT(divergence_of_halves(points, first_half()), 1e-3);
  EXPECT_FALSE(find_warp(points, first_half()));
}

/// Deaths y_j of n_j, log odds u_j ~ N(mu, e^d): x = (mu, d, u). Not Gaussian given d.
std::shared_ptr<const Target> binomial_hierarchy() {
  return make_target(
      [](ConstVectorRef x, VectorRef grad) {
        constexpr std::array<double, 6> kTried = {236, 215, 83, 587, 108, 76};
        constexpr std::array<double, 6> kDied = {26, 12, 11, 46, 8, 6};
        const double narrow = std::exp(-2 * x[1]);
        double logp = -x[0] * x[0] / 50 + x[1] - std::exp(2 * x[1]) / 2;
        grad[0] = -x[0] / 25;
        grad[1] = 1 - std::exp(2 * x[1]);
        for (Index j = 0; j < 6; ++j) {
          const auto group = static_cast<std::size_t>(j);
          const double u = x[2 + j], away = u - x[0];
          logp += kDied[group] * u - kTried[group] * std::log1p(std::exp(u)) -
                  narrow * away * away / 2 - x[1];
          grad[2 + j] = kDied[group] - kTried[group] / (1 + std::exp(-u)) - narrow * away;
          grad[0] += narrow * away;
          grad[1] += narrow * away * away - 1;
        }
        return logp;
      },
      8);
}

ScoredPoints binomial_points() {
  Matrix x = normals(8);
  x.row(0) = (0.15 * x.row(0)).array() - 2.5;
  x.row(1) = (0.8 * x.row(1)).array() - 1.4;
  for (Index k = 0; k < kPoints; ++k) {
    x.col(k).tail(6) = (std::exp(x(1, k)) * x.col(k).tail(6)).array() + x(0, k);
  }
  return scored(*binomial_hierarchy(), std::move(x));
}

constexpr std::array<double, 8> kMeasured = {-2.1, 0.4, 1.3, -0.6, 2.2, 0.1, -1.2, 0.9};
constexpr double kError = 0.1;

/// Measured effects y_j ~ N(mu + e^d z_j, kError), z_j ~ N(0, 1), written non-centred: x = (mu, d,
/// z).
std::shared_ptr<const Target> measured_effects() {
  return make_target(
      [](ConstVectorRef x, VectorRef grad) {
        const double scale = std::exp(x[1]);
        double logp = -x[0] * x[0] / 50 - x[1] * x[1] / 2;
        grad[0] = -x[0] / 25;
        grad[1] = -x[1];
        for (Index j = 0; j < 8; ++j) {
          const double z = x[2 + j];
          const double away =
              (kMeasured[static_cast<std::size_t>(j)] - x[0] - scale * z) / (kError * kError);
          logp -= away * away * kError * kError / 2 + z * z / 2;
          grad[0] += away;
          grad[1] += away * scale * z;
          grad[2 + j] = away * scale - z;
        }
        return logp;
      },
      10);
}

/// Near its draws: the effects are as measured, their mean and scale what follows from them.
ScoredPoints measured_points() {
  Matrix x = normals(10);
  for (Index k = 0; k < kPoints; ++k) {
    const double scale = std::exp(0.3 + 0.25 * x(1, k)), mean = 0.12 + 0.45 * x(0, k);
    x(0, k) = mean;
    x(1, k) = std::log(scale);
    for (Index j = 0; j < 8; ++j) {
      const double effect = kMeasured[static_cast<std::size_t>(j)] + kError * x(2 + j, k);
      x(2 + j, k) = (effect - mean) / scale;
    }
  }
  return scored(*measured_effects(), std::move(x));
}

TEST(FindWarp, PutsEffectsThatAreWellKnownBackToCentred) {
  const ScoredPoints points = measured_points();
  const double plain = divergence_of_halves(points, first_half());
  EXPECT_GT(plain, 1);
  const std::optional<FoundWarp> found = find_warp(points, first_half());
  ASSERT_TRUE(found);
  const WarpLayer& layer = found->warp.layers().front();
  EXPECT_TRUE(is_recentring(layer));
  EXPECT_EQ(layer.driver, 1);
  EXPECT_EQ(layer.members, (std::vector<Index>{2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_LT(found->divergence, 0.1 * plain);
}

// The fourth has most data, and shows least of the neck.
TEST(FitLayer, EffectsThatShowLittleOfTheNeckAreFoundByTheirMean) {
  const LayerPlan plan{1, {0, 2, 3, 4, 6, 7}, -2, true};
  const std::optional<LayerPlan> grown = grown_layer(binomial_points(), plan);
  ASSERT_TRUE(grown);
  EXPECT_EQ(grown->members, (std::vector<Index>{0, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(grown->seen_in, plan.members);
  EXPECT_FALSE(grown_layer(binomial_points(), *grown));  // no more to be found
}

TEST(FindWarp, CountsWhatItsDriversMove) {
  const std::optional<FoundWarp> found = find_warp(funnel_points(), first_half());
  ASSERT_TRUE(found);
  EXPECT_EQ(moved_coordinates(found->warp), 9);
}

// Far beyond the points the neck is still where the hierarchy has it: all u_j at mu, within some
// e^d.
TEST(FitLayer, TheNeckOfAHierarchyThatIsNotGaussianIsExact) {
  const ScoredPoints points = binomial_points();
  const LayerPlan plan{1, {0, 2, 3, 4, 5, 6, 7}, -2, true};
  const std::optional<WarpLayer> layer = fit_layer(points, plan, true);
  ASSERT_TRUE(layer);
  Matrix y = normals(8).leftCols(50);
  const double depth = -14;
  y.row(1).setConstant(layer->bend.inverse(depth));
  WarpTrail trail;
  Warp({*layer}).to_model(y, trail);
  for (Index k = 0; k < y.cols(); ++k) {
    const Vector away = trail.model().col(k).tail(6).array() - trail.model()(0, k);
    EXPECT_LT(away.cwiseAbs().maxCoeff(), 8 * std::exp(depth));
  }
}

TEST(FindWarp, NeedsMorePointsThanUnknowns) {
  const ScoredPoints all = funnel_points();
  const ScoredPoints few{all.x.leftCols(40), all.scores.leftCols(40)};
  std::vector<bool> half(40, false);
  std::fill_n(half.begin(), 20, true);
  EXPECT_FALSE(find_warp(few, half));
}

}  // namespace
}  // namespace gadwall
