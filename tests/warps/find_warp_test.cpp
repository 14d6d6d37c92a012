// What is found from exact draws of funnels, and that nothing is found where there is none.
#include "warps/find_warp.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gadwall/evaluator.hpp"
#include "gadwall/noise.hpp"
#include "targets/funnel.hpp"

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

TEST(FindWarp, NeedsMorePointsThanUnknowns) {
  const ScoredPoints all = funnel_points();
  const ScoredPoints few{all.x.leftCols(40), all.scores.leftCols(40)};
  std::vector<bool> half(40, false);
  std::fill_n(half.begin(), 20, true);
  EXPECT_FALSE(find_warp(few, half));
}

}  // namespace
}  // namespace gadwall
