// Welford's updates against the two-pass definition, shrunk as Stan does.
#include "adapters/running_covariance.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "adapters/lesson_testing.hpp"

namespace gadwall {
namespace {

/// (N C + 5 * 1e-3 I) / (N + 5), C the sample covariance of the columns of x.
Matrix shrunk_directly(const Matrix& x) {
  const auto count = static_cast<double>(x.cols());
  const Matrix centred = x.colwise() - Vector(x.rowwise().mean());
  const Matrix covariance = centred * centred.transpose() / (count - 1);
  const Matrix identity = Matrix::Identity(x.rows(), x.rows());
  return (count * covariance + 5 * 1e-3 * identity) / (count + 5);
}

Matrix shrunk_running(const Matrix& x, Metric metric) {
  RunningCovariance running(metric, x.rows());
  for (Index k = 0; k < x.cols(); ++k) running.add(x.col(k));
  return running.shrunk();
}

TEST(RunningCovariance, EqualsTheShrunkSampleCovariance) {
  for (const Index count : {2, 3, 50}) {
    const Matrix x = testing::some_factor(4, 8) * testing::some_numbers(4, count, 3);
    const Matrix wanted = shrunk_directly(x);
    EXPECT_LT((shrunk_running(x, Metric::dense) - wanted).cwiseAbs().maxCoeff(), 1e-14);
  }
}

TEST(RunningCovariance, KeepsTheVariancesAloneForADiagonalMetric) {
  const Matrix x = testing::some_factor(4, 8) * testing::some_numbers(4, 50, 3);
  const Matrix variances = shrunk_running(x, Metric::diag);
  ASSERT_EQ(variances.cols(), 1);
  EXPECT_LT((variances - shrunk_directly(x).diagonal()).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(RunningCovariance, KeepsItsDigitsFarFromZero) {
  const Matrix numbers = testing::some_numbers(3, 200, 3);
  const Matrix far = (numbers.array() + 1e7).matrix();
  const Matrix wanted = shrunk_directly(numbers);
  EXPECT_LT((shrunk_running(far, Metric::dense) - wanted).cwiseAbs().maxCoeff(), 1e-7);
}

TEST(RunningCovariance, IsSymmetricAndPositiveDefiniteWithFewerDrawsThanDimensions) {
  const Matrix shrunk = shrunk_running(testing::some_numbers(6, 3, 3), Metric::dense);
  EXPECT_EQ(shrunk, Matrix(shrunk.transpose()));
  // The smallest eigenvalue is that of the shrinkage, 5e-3 / (3 + 5).
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(shrunk);
  EXPECT_NEAR(solver.eigenvalues().minCoeff(), 5e-3 / 8, 1e-14);
}

TEST(RunningCovariance, HasNoFiniteAnswerFromOneDraw) {
  EXPECT_FALSE(shrunk_running(testing::some_numbers(2, 1, 3), Metric::dense).allFinite());
  EXPECT_FALSE(shrunk_running(testing::some_numbers(2, 1, 3), Metric::diag).allFinite());
}

}  // namespace
}  // namespace gadwall
