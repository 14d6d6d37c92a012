// The fused pass over the triangle against the formulas on full matrices, from tiny to overflown.
#include "adapters/rmsprop.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace gadwall {
namespace {

constexpr RmspropStep kStep{0.9, 0.1, 0.01};

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
      const Matrix left = Matrix::Random(n, count), right = Matrix::Random(n, count);
      Matrix lower = Matrix::Random(n, n).triangularView<Eigen::Lower>();
      Matrix moment = strictly_lower(Matrix::Random(n, n).cwiseAbs());
      const Matrix gradient = strictly_lower(left * right.transpose());
      Matrix wanted_moment = moment;
      Matrix wanted = by_the_formulas(gradient, wanted_moment, strictly_lower(lower));
      wanted.diagonal() = lower.diagonal();

      ascend_below_diagonal({left, right, count}, kStep, moment, lower);
      EXPECT_LT((lower - wanted).cwiseAbs().maxCoeff(), 1e-15) << n << " " << count;
      EXPECT_LT((moment - wanted_moment).cwiseAbs().maxCoeff(), 1e-14) << n << " " << count;
      EXPECT_EQ(lower.diagonal(), wanted.diagonal());
      EXPECT_TRUE(lower.isLowerTriangular(0));
      EXPECT_EQ(moment, strictly_lower(moment));
    }
  }
}

/// Every entry below the diagonal, after one step from L = G = 0 with the same gradient for all.
std::vector<double> first_steps(double gradient) {
  Matrix lower = Matrix::Zero(40, 40), moment = lower;
  const Matrix left = Matrix::Constant(40, 1, gradient), right = Matrix::Ones(40, 1);
  ascend_below_diagonal({left, right, 1}, kStep, moment, lower);
  std::vector<double> entries;
  for (Index j = 0; j < 40; ++j) {
    for (Index i = j + 1; i < 40; ++i) entries.push_back(lower(i, j));
  }
  return entries;
}

TEST(Rmsprop, IsAccurateWhateverTheSizeOfTheGradient) {
  for (double size = 1e-200; size < 1e150; size *= 7.3) {
    for (const double gradient : {size, -size}) {
      const long double g = gradient;
      const auto wanted = static_cast<double>(0.01L * g / (1 + std::sqrt(0.1L * g * g)));
      for (const double entry : first_steps(gradient)) {
        ASSERT_NEAR(entry / wanted, 1, 1e-15) << gradient;
      }
    }
  }
}

TEST(Rmsprop, TakesNoStepWhereTheSquareOverflows) {
  for (const double entry : first_steps(1e200)) EXPECT_LT(entry / 1e200, 1e-149);
}

}  // namespace
}  // namespace gadwall
