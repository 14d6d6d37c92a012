// Metrics from draws and scores: exact for Gaussians, whatever the points.
#include "adapters/score_metric.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <cmath>

#include "adapters/lesson_testing.hpp"
#include "targets/funnel.hpp"

namespace gadwall {
namespace {

using testing::some_numbers;

/// Points that are no draws of it, and their scores under N(mean, covariance).
struct GaussianPoints {
  GaussianPoints(const Matrix& sigma, Index count) {
    const Index n = sigma.rows();
    covariance = sigma;
    x = 3 * some_numbers(n, count, 8).array() + 5;
    scores = -sigma.inverse() * (x.colwise() - some_numbers(n, 1, 9).col(0));
  }
  Matrix covariance, x, scores;
};

Matrix covariance_with_scales(Index n) {
  const Matrix lower = testing::some_factor(n, 3);
  const Vector scales = Vector::LinSpaced(n, -3, 3).array().exp();
  return scales.asDiagonal() * lower * lower.transpose() * scales.asDiagonal();
}

double relative_error(const Matrix& found, const Matrix& truth) {
  const Vector scale = truth.diagonal().cwiseSqrt().cwiseInverse();
  return (scale.asDiagonal() * (found - truth) * scale.asDiagonal()).cwiseAbs().maxCoeff();
}

TEST(ScoreMetric, IsTheCovarianceOfAGaussianFromAFewMorePointsThanDimensions) {
  const GaussianPoints points(covariance_with_scales(8), 12);
  const auto factor =
      score_metric(Metric::dense, points.x, points.scores, Vector::Ones(8), {.shrinkage = 1e-12});
  ASSERT_TRUE(factor);
  EXPECT_EQ(factor->kind(), Metric::dense);
  EXPECT_LT(relative_error(factor->covariance(), points.covariance), 1e-6);
}

TEST(ScoreMetric, IsHardlyShrunkByDefault) {
  const Matrix covariance = covariance_with_scales(8);
  const Matrix lower = covariance.llt().matrixL();
  const Matrix x = lower * some_numbers(8, 60, 8);
  const Matrix scores = -covariance.inverse() * x;
  const auto factor = score_metric(Metric::dense, x, scores, Vector::Ones(8));
  ASSERT_TRUE(factor);
  const Eigen::JacobiSVD<Matrix> left(factor->matrix().inverse() * lower);
  EXPECT_NEAR(left.singularValues()[0], 1, 0.01);
  EXPECT_NEAR(left.singularValues()[7], 1, 0.01);
}

TEST(ScoreMetric, HasTheScalesOfIndependentCoordinates) {
  const Vector sds{{1e-5, 1, 300}};
  const GaussianPoints points(sds.cwiseAbs2().asDiagonal(), 10);
  const auto factor = score_metric(Metric::diag, points.x, points.scores, Vector::Ones(3));
  ASSERT_TRUE(factor);
  EXPECT_LT((factor->matrix_diagonal().cwiseQuotient(sds).array() - 1).abs().maxCoeff(), 1e-9);
}

TEST(ScoreMetric, KeepsTheScaleOfACoordinateThatDoesNotVary) {
  Matrix x = some_numbers(2, 10, 1), scores = some_numbers(2, 10, 2);
  x.row(1).setConstant(4);
  EXPECT_EQ(score_scales(x, scores, Vector{{7, 8}})[1], 8);
}

/// Two wide directions of 60, from fewer points than dimensions.
TEST(ScoreMetric, FindsTheWideDirectionsInLowRank) {
  const Index n = 60;
  Matrix directions = some_numbers(n, 2, 4);
  directions.col(0).normalize();
  directions.col(1) -= directions.col(0) * directions.col(0).dot(directions.col(1));
  directions.col(1).normalize();
  const Matrix covariance =
      Matrix::Identity(n, n) + directions * Vector{{399, 99}}.asDiagonal() * directions.transpose();
  const Matrix lower = covariance.llt().matrixL();
  const Matrix x = lower * some_numbers(n, 40, 5);  // draws, so that the scales are those of draws
  const Matrix scores = -covariance.inverse() * x;
  const auto factor = score_metric(Metric::low_rank, x, scores, Vector::Ones(n));
  ASSERT_TRUE(factor);
  EXPECT_LT(factor->as<LowRankFactor>().rank(), 40);
  // What is left of the covariance in the coordinates of the factor is near the identity.
  const Matrix root = factor->matrix();
  const Eigen::JacobiSVD<Matrix> left(root.inverse() * lower);
  EXPECT_LT(left.singularValues()[0], 3);  // 20 without a metric
  EXPECT_GT(left.singularValues()[n - 1], 1.0 / 3);
}

/// Scales of all sizes and two wide directions beside them, from fewer points than dimensions:
/// refined, what is left in the coordinates of the factor is nearer to the identity. Its two rounds
/// leave 1.44 of 20; eight would be exact.
TEST(ScoreMetric, RefinedIsBetterForScalesAndAFewDirections) {
  const Index n = 200;
  const Vector scales = Vector::LinSpaced(n, -2, 2).array().exp();
  const Eigen::HouseholderQR<Matrix> qr(some_numbers(n, 2, 4));
  const Matrix directions = qr.householderQ() * Matrix::Identity(n, 2);
  const Matrix root =  // of the covariance of the scaled coordinates
      Matrix::Identity(n, n) + directions * Vector{{19, 9}}.asDiagonal() * directions.transpose();
  const Matrix lower = scales.asDiagonal() * root;
  const Matrix x = lower * some_numbers(n, 100, 5);
  const Matrix scores = -lower.transpose().inverse() * lower.inverse() * x;
  const auto spread = [&](bool refine, Index rounds = 2) {
    const auto factor = score_metric(Metric::low_rank, x, scores, Vector::Ones(n),
                                     {.refine = refine, .rounds = rounds});
    const Eigen::JacobiSVD<Matrix> left(factor->matrix().inverse() * lower);
    return left.singularValues()[0] / left.singularValues()[n - 1];
  };
  EXPECT_LT(spread(true), 1.5);
  EXPECT_LT(spread(true, 8), 1.05);
  EXPECT_GT(spread(false), 2);
}

/// A standard normal: the first scales are exact, and no direction is left.
TEST(ScoreMetric, RefinedKeepsScalesThatAreExact) {
  const Matrix x = some_numbers(60, 40, 5);
  const auto found = score_metric(Metric::low_rank, x, -x, Vector::Ones(60), {.refine = true});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->matrix().isIdentity(1e-12));
}

TEST(ScoreMetric, OfOnePointOverAndOverIsNone) {
  const Matrix x = Matrix::Constant(60, 40, 2.0);
  const auto found = score_metric(Metric::low_rank, x, x, Vector::Ones(60));
  EXPECT_FALSE(found.has_value());
}

TEST(ScoreMetric, RefusesWhatIsNotFinite) {
  Matrix x = some_numbers(2, 10, 1);
  const Matrix scores = some_numbers(2, 10, 2);
  x(0, 3) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(score_metric(Metric::dense, x, scores, Vector::Ones(2)));
}

TEST(ScoreLinearity, IsOneForAGaussianAndLittleForAFunnel) {
  const GaussianPoints points(covariance_with_scales(4), 60);
  const Vector scales = score_scales(points.x, points.scores, Vector::Ones(4));
  EXPECT_NEAR(score_linearity(points.x.leftCols(30), points.scores.leftCols(30),
                              points.x.rightCols(30), points.scores.rightCols(30), scales),
              1, 1e-4);

  const Funnel funnel(5);
  Matrix x = some_numbers(5, 400, 6), scores(5, 400);
  x.row(0) *= 3;
  for (Index c = 0; c < x.cols(); ++c) x.col(c).tail(4) *= std::exp(x(0, c) / 2);
  Vector logp(400);
  funnel.evaluate(x, logp, scores);
  const double found =
      score_linearity(x.leftCols(200), scores.leftCols(200), x.rightCols(200),
                      scores.rightCols(200), score_scales(x, scores, Vector::Ones(5)));
  EXPECT_LT(found, 0.35);
}

}  // namespace
}  // namespace gadwall
