// The fused pass over the triangle against the formulas on full matrices, from tiny to overflown.
#include "adapters/rmsprop.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace gadwall {
namespace {

constexpr RmspropStep kStep{0.9, 0.1, 0.01};
constexpr double kRounding = 1e-6;  // a few operations in float32

double largest(const Matrix& difference) {
  return difference.cwiseAbs().maxCoeff();
}

Matrix strictly_lower(const Matrix& full) {
  return full.triangularView<Eigen::StrictlyLower>();
}

/// L after one step, with G replaced by its new value: the formulas entry by entry.
Matrix by_the_formulas(const Matrix& gradient, Matrix& moment, const Matrix& lower) {
  moment = kStep.kept * moment.array() + kStep.fresh * gradient.array().square();
  return lower.array() + kStep.rate * gradient.array() / (1 + moment.array().sqrt());
}

// Every remainder of the blocks of 8 and 16 rows, columns too short for one, sums of products.
TEST(Rmsprop, FollowsTheFormulasBelowTheDiagonalAndLeavesTheRestAlone) {
  for (const Index n : {1, 2, 3, 5, 7, 8, 9, 10, 16, 17, 18, 25, 33, 40, 100}) {
    for (const Index count : {1, 2, 5}) {
      std::srand(static_cast<unsigned>(n + count));
      Matrix lower = Matrix::Random(n, n).triangularView<Eigen::Lower>();
      const Vector diagonal = lower.diagonal();
      Matrix moment = Matrix::Zero(n, n);
      RmspropTriangle triangle;
      triangle.start(Vector::Ones(n));
      for (int step = 0; step < 3; ++step) {
        const Matrix left = Matrix::Random(n, count), right = Matrix::Random(n, count);
        const Matrix gradient = strictly_lower(left * right.transpose());
        const Matrix wanted = by_the_formulas(gradient, moment, lower);
        triangle.ascend({left, right, count}, kStep, lower);
        EXPECT_LT(largest(lower - wanted), kRounding * kStep.rate) << n << " " << count;
        EXPECT_LT(largest(triangle.mean_squares() - moment), kRounding) << n << " " << count;
        EXPECT_EQ(lower.diagonal(), diagonal);
        EXPECT_TRUE(lower.isLowerTriangular(0));
      }
    }
  }
}

/// Every entry below the diagonal, after one step from L = G = 0 with the same gradient for all.
std::vector<double> first_steps(double left, double right) {
  Matrix lower = Matrix::Zero(40, 40);
  RmspropTriangle triangle;
  triangle.start(Vector::Ones(40));
  triangle.ascend({Matrix::Constant(40, 1, left), Matrix::Constant(40, 1, right), 1}, kStep, lower);
  std::vector<double> entries;
  for (Index j = 0; j < 40; ++j) {
    for (Index i = j + 1; i < 40; ++i) entries.push_back(lower(i, j));
  }
  return entries;
}

TEST(Rmsprop, IsAccurateWhateverTheSizeOfTheGradient) {
  for (double size = 1e-30; size < 1e150; size *= 7.3) {
    for (const auto& [left, right] : {std::pair(size, 1.0), {1.0, -size}, {size * 1e50, 1e-50}}) {
      const long double g = static_cast<long double>(left) * right;
      const auto wanted = static_cast<double>(0.01L * g / (1 + std::sqrt(0.1L * g * g)));
      for (const double entry : first_steps(left, right)) {
        ASSERT_NEAR(entry / wanted, 1, kRounding) << left << " " << right;
      }
    }
  }
}

// L = diag(units) M, whose gradient is diag(units) times that of L.
TEST(Rmsprop, LearnsLInUnitsOfItsRows) {
  constexpr Index n = 21;
  std::srand(1);
  const Vector units = (10 * Vector::Random(n)).array().exp();
  Matrix in_units = Matrix::Random(n, n).triangularView<Eigen::Lower>();
  Matrix lower = units.asDiagonal() * in_units;
  Matrix moment = Matrix::Zero(n, n);
  RmspropTriangle triangle;
  triangle.start(units);
  for (int step = 0; step < 3; ++step) {
    const Matrix left = units.cwiseInverse().asDiagonal() * Matrix::Random(n, 2);
    const Matrix right = Matrix::Random(n, 2);
    const Matrix gradient = strictly_lower(units.asDiagonal() * left * right.transpose());
    in_units = by_the_formulas(gradient, moment, in_units);
    triangle.ascend({left, right, 2}, kStep, lower);
    const Matrix learnt = units.cwiseInverse().asDiagonal() * lower;
    EXPECT_LT(largest(learnt - in_units), 3 * kRounding * kStep.rate);
  }
}

TEST(Rmsprop, StaysFiniteWhereTheGradientOverflows) {
  for (const double entry : first_steps(1e200, 1e200)) EXPECT_TRUE(std::isfinite(entry));
}

TEST(Rmsprop, GoesOnFromAnArchiveBitForBit) {
  const Matrix left = Matrix::Random(20, 1), right = Matrix::Random(20, 1);
  Matrix lower = Matrix::Identity(20, 20);
  RmspropTriangle first;
  first.start(Vector::LinSpaced(20, 0.1, 3));
  first.ascend({left, right, 1}, kStep, lower);
  Archive saved;
  first.archive(saved);
  Archive restored(saved.bytes());
  RmspropTriangle second;
  second.archive(restored);
  Matrix other = lower;
  first.ascend({right, left, 1}, kStep, lower);
  second.ascend({right, left, 1}, kStep, other);
  EXPECT_EQ(lower, other);
}

}  // namespace
}  // namespace gadwall
