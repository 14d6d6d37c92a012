#include "math/triangular.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gadwall {
namespace {

Matrix some_lower(Index n) {
  std::srand(static_cast<unsigned>(n));
  return Matrix::Random(n, n).triangularView<Eigen::Lower>();
}

// Every remainder of the blocks of four, and one that spans many blocks. The upper triangle holds
// what must not be read.
TEST(Triangular, ProductsEqualThoseOfTheFullMatrix) {
  for (const Index n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 100}) {
    const Matrix clean = some_lower(n);
    Matrix lower = clean;
    lower.triangularView<Eigen::StrictlyUpper>().setConstant(std::nan(""));
    const Vector v = Vector::Random(n);
    Vector out(n);
    lower_times(lower, v.data(), out.data());
    EXPECT_LT((out - clean * v).norm(), 1e-13 * static_cast<double>(n)) << "L v, n = " << n;
    lower_transpose_times(lower, v.data(), out.data());
    EXPECT_LT((out - clean.transpose() * v).norm(), 1e-13 * static_cast<double>(n))
        << "L^T v, n = " << n;
  }
}

TEST(Triangular, BothProductsInOneVisitRoundAsOneAfterTheOther) {
  for (const Index n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 100}) {
    const Matrix lower = some_lower(n);
    const Vector g = Vector::Random(n), eps = Vector::Random(n);
    Vector whitened(n), move = eps, moved(n), wanted(n);
    lower_both_times(lower, g.data(), 0.35, {whitened.data(), move.data(), moved.data()});
    lower_transpose_times(lower, g.data(), wanted.data());
    EXPECT_EQ(whitened, wanted) << n;
    EXPECT_LT((move - eps - 0.35 * whitened).norm(), 1e-14 * static_cast<double>(n)) << n;
    lower_times(lower, move.data(), wanted.data());
    EXPECT_EQ(moved, wanted) << n;
  }
}

// Remainders of the blocks of 12 rows and 48 columns, and of the groups of 4 and 16 lanes.
TEST(Triangular, ProductsOfManyLanesEqualThoseOfTheFullMatrix) {
  for (const Index n : {1, 2, 3, 11, 12, 13, 47, 48, 49, 100}) {
    const Matrix lower = some_lower(n);
    for (const Index lanes : {1, 2, 4, 5, 8, 11, 16, 17, 37}) {
      const Matrix v = Matrix::Random(n, lanes);
      Matrix out = Matrix::Constant(n, lanes, std::nan(""));
      lower_times(lower, v, out);
      EXPECT_LT((out - lower * v).norm(), 1e-13 * static_cast<double>(n)) << n << " x " << lanes;
      lower_transpose_times(lower, v, out);
      EXPECT_LT((out - lower.transpose() * v).norm(), 1e-13 * static_cast<double>(n))
          << n << " x " << lanes;
    }
  }
}

TEST(Triangular, AddsTheLowerTriangleOfAProduct) {
  for (const Index n : {1, 31, 32, 33, 100}) {
    for (const Index lanes : {1, 20, 300}) {
      const Matrix a = Matrix::Random(n, lanes), b = Matrix::Random(lanes, n);
      Matrix lower = some_lower(n);
      const Matrix wanted = lower + Matrix((a * b).triangularView<Eigen::Lower>());
      add_lower_product(a, b, lower);
      EXPECT_LT((lower - wanted).norm(), 1e-13 * wanted.norm()) << n << " x " << lanes;
    }
  }
}

TEST(Triangular, SolvingGivesBackWhatWasMultiplied) {
  for (const Index n : {1, 5, 31, 32, 33, 100, 600}) {
    Matrix lower = some_lower(n) / std::sqrt(static_cast<double>(n));  // well conditioned
    lower.diagonal().array() += 2;
    for (const Index lanes : {1, 3, 32, 50}) {
      const Matrix wanted = Matrix::Random(n, lanes);
      Matrix x = lower * wanted;
      lower.triangularView<Eigen::StrictlyUpper>().setConstant(std::nan(""));
      solve_lower(lower, x);
      lower.triangularView<Eigen::StrictlyUpper>().setZero();
      EXPECT_LT((x - wanted).norm(), 1e-13 * wanted.norm()) << n << " x " << lanes;
    }
  }
}

}  // namespace
}  // namespace gadwall
