// Every form of a factor against its dense matrix, and the version of a tuning.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "factors/factor_testing.hpp"
#include "gadwall/error.hpp"
#include "gadwall/tuning.hpp"

namespace gadwall {
namespace {

using testing::every_form;
using testing::FormCase;

constexpr Index kDim = 5;
constexpr double kRounding = 1e-13;  // of numbers of size 10 and less

double largest(const Matrix& a) {
  return a.size() == 0 ? 0 : a.cwiseAbs().maxCoeff();
}

TEST(Factor, KnowsItsFormAndDimension) {
  EXPECT_EQ(Factor::unit(3).kind(), Metric::unit);
  EXPECT_EQ(Factor::diagonal(Vector::Ones(3)).kind(), Metric::diag);
  EXPECT_EQ(Factor::dense(Matrix::Identity(3, 3)).kind(), Metric::dense);
  EXPECT_EQ(Factor::low_rank(Vector::Ones(3), Matrix(3, 0), Vector()).kind(), Metric::low_rank);
  for (const FormCase& form : every_form(kDim)) EXPECT_EQ(form.factor.dim(), kDim);
}

TEST(Factor, MultipliesLikeItsMatrix) {
  for (const FormCase& form : every_form(kDim)) {
    for (const Index columns : {1, 2, 7}) {
      const Matrix v = testing::some_numbers(kDim, columns, 8);
      Matrix out(kDim, columns);
      form.factor.times(v, out);
      EXPECT_LT(largest(out - form.matrix * v), kRounding);
      form.factor.transpose_times(v, out);
      EXPECT_LT(largest(out - form.matrix.transpose() * v), kRounding);
    }
  }
}

/// More than a panel of the products in every direction.
TEST(Factor, OfLowRankMultipliesLikeItsMatrixWhereItIsLarge) {
  const LowRankFactor factor = testing::some_low_rank(600, 40, 3);
  const Matrix matrix = testing::dense_matrix(factor);
  const double size = matrix.norm();
  for (const Index columns : {1, 3, 50}) {
    const Matrix v = testing::some_numbers(600, columns, 8);
    Matrix out(600, columns);
    factor.times(v, out);
    EXPECT_LT((out - matrix * v).norm(), 1e-14 * size * v.norm()) << columns;
    factor.transpose_times(v, out);
    EXPECT_LT((out - matrix.transpose() * v).norm(), 1e-14 * size * v.norm()) << columns;
  }
}

TEST(Factor, MakesBothProductsOfALangevinProposal) {
  const double half = 0.35;
  for (const FormCase& form : every_form(kDim)) {
    for (const Index columns : {1, 3}) {
      const Matrix g = testing::some_numbers(kDim, columns, 8);
      const Matrix noise = testing::some_numbers(kDim, columns, 9);
      Matrix whitened(kDim, columns), move = noise, moved(kDim, columns);
      form.factor.both_times(g, half, whitened, move, moved);
      const Matrix expected = noise + half * form.matrix.transpose() * g;
      EXPECT_LT(largest(whitened - form.matrix.transpose() * g), kRounding);
      EXPECT_LT(largest(move - expected), kRounding);
      EXPECT_LT(largest(moved - form.matrix * expected), 10 * kRounding);
    }
  }
}

TEST(Factor, MultipliesColumnBlocksInPlace) {
  const Matrix v = testing::some_numbers(kDim, 6, 8);
  for (const FormCase& form : every_form(kDim)) {
    Matrix out = Matrix::Zero(kDim, 6);
    form.factor.times(v.middleCols(2, 3), out.middleCols(1, 3));
    EXPECT_LT(largest(out.middleCols(1, 3) - form.matrix * v.middleCols(2, 3)), kRounding);
    EXPECT_EQ(out.col(0), Vector(Vector::Zero(kDim)));
    EXPECT_EQ(out.rightCols(2), Matrix(Matrix::Zero(kDim, 2)));
  }
}

TEST(Factor, GivesItsMatrixDeterminantAndCovariance) {
  const std::vector<Index> some = {3, 0, 4};
  for (const FormCase& form : every_form(kDim)) {
    const Matrix covariance = form.matrix * form.matrix.transpose();
    const double tiny = 1e-14 * covariance.norm();
    const Factor& factor = form.factor;
    EXPECT_LT(largest(factor.matrix() - form.matrix), tiny);
    EXPECT_LT(largest(factor.matrix_diagonal() - form.matrix.diagonal()), tiny);
    EXPECT_NEAR(factor.log_determinant(), std::log(form.matrix.determinant()), 1e-13);
    EXPECT_LT(largest(factor.covariance() - covariance), tiny);
    EXPECT_LT(largest(factor.covariance_diagonal() - covariance.diagonal()), tiny);
    EXPECT_LT(largest(factor.covariance_of(some) - covariance(some, some)), tiny);
  }
}

TEST(Factor, WatchesItsDiagonalAndTheLengthsOfItsRows) {
  for (const FormCase& form : every_form(kDim)) {
    const Vector scales = form.factor.log_scales().array().exp();
    ASSERT_EQ(scales.size(), 2 * kDim);
    const double tiny = 1e-13 * scales.norm();
    EXPECT_LT(largest(scales.head(kDim) - form.matrix.diagonal()), tiny);
    EXPECT_LT(largest(scales.tail(kDim) - form.matrix.rowwise().norm()), tiny);
  }
}

TEST(Factor, TakesOnlyTheLowerTriangleOfAMatrix) {
  const Matrix full = testing::some_numbers(kDim, kDim, 3);
  EXPECT_EQ(Factor::dense(full).matrix(), Matrix(full.triangularView<Eigen::Lower>()));
}

TEST(Factor, IsScaledByANumber) {
  for (const FormCase& form : every_form(kDim)) {
    const Factor scaled = form.factor.scaled(0.37);
    EXPECT_LT(largest(scaled.matrix() - 0.37 * form.matrix), kRounding);
    EXPECT_EQ(scaled.kind() == form.factor.kind(), form.factor.kind() != Metric::unit);
  }
}

TEST(Factor, BeginsAsAMultipleOfTheIdentityInEveryForm) {
  for (const Metric form : {Metric::diag, Metric::dense, Metric::low_rank}) {
    const Factor factor = Factor::first(form, 3, 0.25);
    EXPECT_EQ(factor.kind(), form);
    EXPECT_EQ(factor.matrix(), Matrix(0.25 * Matrix::Identity(3, 3)));
  }
  EXPECT_EQ(Factor::first(Metric::unit, 3, 1).kind(), Metric::unit);
  EXPECT_THROW(Factor::first(Metric::unit, 3, 0.25), UsageError);
}

TEST(Factor, ComesFromACovarianceOrFromVariances) {
  const Matrix lower = testing::some_factor(kDim, 4);
  const Matrix covariance = lower * lower.transpose();
  const Vector variances = covariance.diagonal();
  for (const Metric form : {Metric::dense, Metric::low_rank}) {
    const auto all = Factor::from_covariance(form, covariance);
    ASSERT_TRUE(all.has_value());
    EXPECT_EQ(all->kind(), form);
    EXPECT_LT(largest(all->covariance() - covariance), kRounding);
  }
  for (const Metric form : {Metric::diag, Metric::dense, Metric::low_rank}) {
    const auto independent = Factor::from_covariance(form, variances);
    ASSERT_TRUE(independent.has_value());
    EXPECT_EQ(independent->matrix(), Matrix(variances.cwiseSqrt().asDiagonal()));
  }
  EXPECT_EQ(Factor::from_covariance(Metric::low_rank, variances)->as<LowRankFactor>().rank(), 0);
}

TEST(Factor, ComesFromNoCovarianceThatHasNoRoot) {
  Matrix negative = Matrix::Identity(3, 3);
  negative(0, 1) = negative(1, 0) = 2;
  Matrix infinite = Matrix::Identity(3, 3);
  infinite(2, 2) = std::numeric_limits<double>::infinity();
  for (const Metric form : {Metric::dense, Metric::low_rank}) {
    EXPECT_FALSE(Factor::from_covariance(form, negative).has_value());
    EXPECT_FALSE(Factor::from_covariance(form, infinite).has_value());
  }
  EXPECT_FALSE(Factor::from_covariance(Metric::diag, Vector{{1, 0}}).has_value());
  EXPECT_FALSE(Factor::from_covariance(Metric::diag, infinite.diagonal()).has_value());
}

TEST(Factor, KeepsItsCovarianceInAnotherForm) {
  for (const FormCase& from : every_form(kDim)) {
    const Matrix covariance = from.matrix * from.matrix.transpose();
    const double tiny = 1e-13 * covariance.norm();
    for (const Metric form : {Metric::dense, Metric::low_rank}) {
      const Factor other = from.factor.in_form(form);
      EXPECT_EQ(other.kind(), form);
      EXPECT_LT(largest(other.covariance() - covariance), tiny);
    }
    const Factor variances = from.factor.in_form(Metric::diag);
    EXPECT_LT(largest(variances.covariance_diagonal() - covariance.diagonal()), tiny);
  }
}

TEST(Factor, SaysWhichFormALearnerNeeds) {
  Factor factor = Factor::low_rank(Vector::Ones(3), Matrix(3, 0), Vector());
  EXPECT_EQ(factor.as<LowRankFactor>().rank(), 0);
  EXPECT_EQ(factor.get_if<LowerFactor>(), nullptr);
  try {
    factor.as<LowerFactor>();
    FAIL() << "taken";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "a dense factor is needed here, and this one is lowrank");
  }
}

TEST(Factor, KnowsWhetherItIsFinite) {
  for (const FormCase& form : every_form(kDim)) EXPECT_TRUE(form.factor.is_finite());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(Factor::diagonal(Vector{{1, nan}}).is_finite());
  EXPECT_FALSE(Factor::dense(Matrix{{1, 0}, {nan, 1}}).is_finite());
  EXPECT_FALSE(Factor::low_rank(Vector::Ones(2), Vector{{1, 0}}, Vector{{nan}}).is_finite());
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
  tuning.change_factor().as<DiagonalFactor>().entries()[0] = 2;
  EXPECT_GT(tuning.version(), first);
  EXPECT_EQ(tuning.factor().matrix_diagonal()[0], 2);
}

TEST(Tuning, FoldsItsStepIntoL) {
  for (const FormCase& form : every_form(kDim)) {
    Tuning tuning(form.factor, 0.25);
    const auto first = tuning.version();
    tuning.fold_step();
    EXPECT_EQ(tuning.step, 1);
    EXPECT_GT(tuning.version(), first);
    EXPECT_LT(largest(tuning.factor().matrix() - 0.25 * form.matrix), kRounding);
  }
}

}  // namespace
}  // namespace gadwall
