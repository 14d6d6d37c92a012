// The factor L in its three forms against plain matrices, and the version of a tuning.
#include "gadwall/tuning.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <vector>

#include "adapters/lesson_testing.hpp"

namespace gadwall {
namespace {

constexpr Index kDim = 5;

struct Form {
  Factor factor;
  Matrix matrix;
};

std::vector<Form> forms() {
  const Matrix lower = testing::some_factor(kDim, 4);
  const Vector entries = lower.diagonal();
  return {{Factor::unit(kDim), Matrix::Identity(kDim, kDim)},
          {Factor::diagonal(entries), entries.asDiagonal()},
          {Factor::dense(lower), lower}};
}

TEST(Factor, KnowsItsFormAndDimension) {
  EXPECT_EQ(Factor::unit(3).kind(), Metric::unit);
  EXPECT_EQ(Factor::diagonal(Vector::Ones(3)).kind(), Metric::diag);
  EXPECT_EQ(Factor::dense(Matrix::Identity(3, 3)).kind(), Metric::dense);
  for (const Form& form : forms()) EXPECT_EQ(form.factor.dim(), kDim);
}

TEST(Factor, MultipliesLikeItsMatrix) {
  for (const Form& form : forms()) {
    for (const Index columns : {1, 2, 7}) {
      const Matrix v = testing::some_numbers(kDim, columns, 8);
      Matrix out(kDim, columns);
      form.factor.times(v, out);
      EXPECT_LT((out - form.matrix * v).cwiseAbs().maxCoeff(), 1e-14);
      form.factor.transpose_times(v, out);
      EXPECT_LT((out - form.matrix.transpose() * v).cwiseAbs().maxCoeff(), 1e-14);
    }
  }
}

TEST(Factor, MultipliesColumnBlocksInPlace) {
  const Matrix v = testing::some_numbers(kDim, 6, 8);
  for (const Form& form : forms()) {
    Matrix out = Matrix::Zero(kDim, 6);
    form.factor.times(v.middleCols(2, 3), out.middleCols(1, 3));
    EXPECT_LT((out.middleCols(1, 3) - form.matrix * v.middleCols(2, 3)).norm(), 1e-14);
    EXPECT_EQ(out.col(0), Vector(Vector::Zero(kDim)));
    EXPECT_EQ(out.rightCols(2), Matrix(Matrix::Zero(kDim, 2)));
  }
}

TEST(Factor, GivesItsMatrixDeterminantAndCovariance) {
  for (const Form& form : forms()) {
    const Matrix covariance = form.matrix * form.matrix.transpose();
    EXPECT_EQ(form.factor.matrix(), form.matrix);
    EXPECT_EQ(form.factor.diagonal(), Vector(form.matrix.diagonal()));
    EXPECT_NEAR(form.factor.log_determinant(), std::log(form.matrix.determinant()), 1e-14);
    EXPECT_LT((form.factor.covariance() - covariance).norm(), 1e-14);
    EXPECT_LT((form.factor.covariance_diagonal() - covariance.diagonal()).norm(), 1e-14);
  }
}

TEST(Factor, TakesOnlyTheLowerTriangleOfAMatrix) {
  const Matrix full = testing::some_numbers(kDim, kDim, 3);
  EXPECT_EQ(Factor::dense(full).matrix(), Matrix(full.triangularView<Eigen::Lower>()));
}

TEST(Tuning, HasAStepOfOneUnlessToldOtherwise) {
  EXPECT_EQ(Tuning(Factor::unit(2)).step, 1);
  EXPECT_EQ(Tuning(Factor::unit(2), 0.25).step, 0.25);
}

TEST(Tuning, CountsTheChangesOfL) {
  Tuning tuning(Factor::diagonal(Vector::Ones(2)));
  const auto first = tuning.version();
  EXPECT_NE(first, 0U);  // 0 marks a product that was never made
  tuning.step = 3;
  EXPECT_EQ(tuning.version(), first);
  tuning.change_factor().diagonal_entries()[0] = 2;
  EXPECT_GT(tuning.version(), first);
  EXPECT_EQ(tuning.factor().diagonal()[0], 2);
}

}  // namespace
}  // namespace gadwall
