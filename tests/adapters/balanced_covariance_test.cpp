// The covariance from draws and scores: exact for Gaussians, whatever their units.
#include "adapters/balanced_covariance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <Eigen/Eigenvalues>

#include "adapters/lesson_testing.hpp"

namespace gadwall {
namespace {

constexpr Index kDim = 4;

/// Points of N(0, L L^T) and their scores -(L L^T)^-1 x.
struct Sample {
  Sample(Metric metric, const Matrix& lower, Index points)
      : draws(metric, lower.rows()), scores(metric, lower.rows()) {
    const Matrix noise = testing::some_numbers(lower.rows(), points, 3);
    for (Index i = 0; i < points; ++i) {
      draws.add(lower * noise.col(i));
      scores.add(-lower.transpose().triangularView<Eigen::Upper>().solve(noise.col(i)));
    }
  }

  RunningCovariance draws, scores;
};

Vector ones(const Sample& sample) {
  return Vector::Ones(sample.draws.covariance().rows());
}

Vector wild_units() {
  return Vector{{1e-6, 1e-2, 1, 1e5}};
}

double largest(const Matrix& difference) {
  return difference.cwiseAbs().maxCoeff();
}

// Draws and scores of a Gaussian are the same points in different coordinates, so that sampling
// noise cancels and the shrinkage alone is left, which is 0.4 % of the points' identity.
TEST(BalancedCovariance, FindsTheCovarianceOfAGaussianFromFewPoints) {
  const Matrix lower = testing::some_factor(kDim, 9);
  const Sample sample(Metric::dense, lower, 2000);
  const Matrix found = balanced_covariance(sample.draws, sample.scores, ones(sample));
  const Matrix wanted = lower * lower.transpose();
  EXPECT_LT(largest(found - wanted), 0.01 * wanted.norm());
}

TEST(BalancedCovariance, IsTheRatioOfStandardDeviationsOnTheDiagonal) {
  const Vector sd = wild_units();
  const Sample sample(Metric::diag, sd.asDiagonal().toDenseMatrix(), 5);
  const Matrix found = balanced_covariance(sample.draws, sample.scores, ones(sample));
  ASSERT_EQ(found.cols(), 1);
  EXPECT_LT(largest(found.col(0).cwiseQuotient(sd.cwiseAbs2()) - Vector::Ones(kDim)), 1e-12);
}

TEST(BalancedCovariance, ChangesWithTheUnitsAsACovarianceDoes) {
  const Matrix lower = testing::some_factor(kDim, 9);
  const Sample plain(Metric::dense, lower, 20);
  const Matrix units = wild_units().asDiagonal();
  const Sample scaled(Metric::dense, units * lower, 20);
  const Matrix found = balanced_covariance(plain.draws, plain.scores, ones(plain));
  const Matrix in_units = balanced_covariance(scaled.draws, scaled.scores, ones(scaled));
  const Matrix back = units.inverse() * in_units * units.inverse();
  EXPECT_LT(largest(back - found), 1e-9 * found.norm());
}

TEST(BalancedCovariance, StaysPositiveDefiniteWithFewerPointsThanDimensions) {
  const Sample sample(Metric::dense, testing::some_factor(20, 9), 5);
  const Matrix found = balanced_covariance(sample.draws, sample.scores, ones(sample));
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix>(found).eigenvalues().minCoeff(), 0);
}

// The score of the second coordinate is always 4, as that of a double exponential on one side.
TEST(BalancedCovariance, KeepsWhatItHasWhereAScoreDoesNotVary) {
  RunningCovariance draws(Metric::diag, 2), scores(Metric::diag, 2);
  for (const double x : {1.0, 2.0, 4.0}) {
    draws.add(Vector{{x, x}});
    scores.add(Vector{{-x / 9, 4}});
  }
  const Matrix found = balanced_covariance(draws, scores, Vector{{1, 7}});
  EXPECT_NEAR(found(0), 9, 1e-12);
  EXPECT_EQ(found(1), 7);
}

TEST(BalancedCovariance, IsWhatItWasWhereNothingHasMoved) {
  for (const Metric metric : {Metric::diag, Metric::dense}) {
    RunningCovariance draws(metric, 2), scores(metric, 2);
    for (int i = 0; i < 3; ++i) {
      draws.add(Vector{{1, 2}});
      scores.add(Vector{{3, 4}});
    }
    const Matrix found = balanced_covariance(draws, scores, Vector{{5, 1e-6}});
    const Vector variances = metric == Metric::diag ? Vector(found) : Vector(found.diagonal());
    EXPECT_LT((variances - Vector{{5, 1e-6}}).cwiseAbs().maxCoeff(), 1e-14);
  }
}

}  // namespace
}  // namespace gadwall
