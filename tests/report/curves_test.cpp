// The curves of the page against what is known of made-up draws.
#include "report/curves.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gadwall/noise.hpp"

namespace gadwall::report {
namespace {

Matrix normal_draws(Index draws, Index chains) {
  Matrix x(draws, chains);
  fill_normal(LaneNoise{3, 0, 0}, Purpose::proposal, x);
  return x;
}

TEST(Thinning, TakesAllOfFewAndEvenlySpacedOnesOfMany) {
  EXPECT_EQ(Thinning::of(999, 1000).every, 1);
  EXPECT_EQ(Thinning::of(999, 1000).count, 999);
  EXPECT_EQ(Thinning::of(20000, 1000).every, 20);
  EXPECT_EQ(Thinning::of(20000, 1000).count, 1000);
  EXPECT_EQ(Thinning::of(1001, 1000).count, 501);  // 0, 2, ..., 1000
  EXPECT_EQ(Thinning::of(0, 1000).count, 0);
}

TEST(DensityCurves, AreTheNormalDensityForNormalDraws) {
  const DensityCurves curves = density_curves(normal_draws(20000, 2), 96);
  const double step = (curves.high - curves.low) / 95;
  for (Index c = 0; c < 2; ++c) {
    EXPECT_NEAR(curves.values.col(c).sum() * step, 1, 0.01);
    for (Index i = 0; i < 96; ++i) {
      const double x = curves.low + step * static_cast<double>(i);
      // The kernel widens by h^2 = 0.02 at this length; the estimate's own sd is below 0.01.
      EXPECT_NEAR(curves.values(i, c), std::exp(-x * x / 2) / std::sqrt(2 * M_PI), 0.03);
    }
  }
}

TEST(DensityCurves, AreZeroWhereThereIsNothingToShow) {
  EXPECT_TRUE(density_curves(Matrix::Constant(10, 2, 3.0), 32).values.isZero(0));
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(density_curves(Matrix::Constant(10, 2, infinity), 32).values.isZero(0));
  EXPECT_TRUE(density_curves(Matrix(0, 2), 32).values.isZero(0));
}

TEST(RankCounts, AreFlatForEqualChainsAndNotForOneApart) {
  Matrix x = normal_draws(2000, 4);
  const Eigen::MatrixXi flat = rank_counts(x, 20);
  EXPECT_EQ(flat.sum(), 8000);
  // Binomial(2000, 1/20): sd 9.7.
  EXPECT_LT((flat.array() - 100).abs().maxCoeff(), 45);
  x.col(3).array() += 10;
  EXPECT_EQ(rank_counts(x, 20).col(3).tail(5).sum(), 2000);
}

TEST(RankCounts, PutTiesOfAllChainsIntoOneBin) {
  const Eigen::MatrixXi counts = rank_counts(Matrix::Constant(6, 2, 1.0), 4);
  EXPECT_EQ(counts.row(1), Eigen::RowVector2i(6, 6));
}

TEST(RankCounts, AreZeroWithNaN) {
  Matrix x = normal_draws(10, 2);
  x(3, 1) = std::nan("");
  EXPECT_EQ(rank_counts(x, 4).sum(), 0);
}

TEST(Autocorrelations, OfAnAutoregressionFallByItsCoefficient) {
  Matrix x = normal_draws(50000, 1);
  for (Index i = 1; i < x.rows(); ++i) x(i, 0) += 0.8 * x(i - 1, 0);
  const Matrix rho = autocorrelations(x, 6);
  for (Index lag = 0; lag < 6; ++lag) {
    EXPECT_NEAR(rho(lag, 0), std::pow(0.8, static_cast<double>(lag)), 0.04);
  }
}

TEST(Autocorrelations, OfAConstantChainAreNotDefined) {
  EXPECT_TRUE(autocorrelations(Matrix::Constant(10, 1, 2.0), 3).array().isNaN().all());
}

/// Of Cauchy draws the middle is drawn, with its own mass.
TEST(Curves, DensitiesSurviveHeavyTails) {
  constexpr Index kDraws = 20000;
  Matrix x(kDraws, 1);
  for (Index i = 0; i < kDraws; ++i) {
    x(i, 0) = std::tan(M_PI * ((static_cast<double>(i) + 0.5) / kDraws - 0.5));
  }
  const DensityCurves curves = density_curves(x, 96);
  EXPECT_GT(curves.low, -20);
  EXPECT_LT(curves.high, 20);
  EXPECT_NEAR(curves.outside, 2 * std::atan(1 / 13.0) / M_PI, 0.01);
  EXPECT_NEAR(curves.values.maxCoeff(), 1 / M_PI, 0.05);
  const double step = (curves.high - curves.low) / 95;
  EXPECT_NEAR(curves.values.sum() * step, 1 - curves.outside, 0.02);
}

}  // namespace
}  // namespace gadwall::report
