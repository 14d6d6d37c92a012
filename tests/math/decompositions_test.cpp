#include "math/decompositions.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "math/products.hpp"

namespace gadwall {
namespace {

Matrix example(Index rows, Index columns) {
  Matrix x(rows, columns);
  for (Index j = 0; j < columns; ++j) {
    for (Index i = 0; i < rows; ++i)
      x(i, j) = std::sin(static_cast<double>(1 + i * i + 7 * j + 2 * i * j));
  }
  return x;
}

Matrix positive(Index n) {
  const Matrix x = example(n, n + 2);
  return product_transposed(x, x) + Matrix::Identity(n, n);
}

Matrix identity(Index n) {
  return Matrix::Identity(n, n);
}

TEST(Decompositions, ASpectrumGivesTheMatrixAndItsRootsBack) {
  const Matrix a = positive(5);
  const Spectrum spectrum = spectrum_of(a);
  ASSERT_TRUE(spectrum.found);
  EXPECT_LT(spectrum.values[0], spectrum.values[4]);
  const Matrix root = spectrum.square_root();
  const Matrix inverse = spectrum.inverse_square_root();
  EXPECT_TRUE(product(root, root).isApprox(a, 1e-12));
  EXPECT_TRUE(product(product(inverse, a), inverse).isApprox(identity(5), 1e-12));
}

TEST(Decompositions, CholeskyIsLowerTriangularOrNothing) {
  const Matrix a = positive(4);
  const Matrix lower = cholesky(a).value();
  EXPECT_TRUE(lower.isLowerTriangular(0));
  EXPECT_TRUE(product_transposed(lower, lower).isApprox(a, 1e-12));
  EXPECT_TRUE(product(inverse_of_square(lower), a).isApprox(identity(4), 1e-12));
  EXPECT_FALSE(cholesky(a - 100 * identity(4)));
}

TEST(Decompositions, SumsOfProductsTouchTheLowerTriangleAlone) {
  const Matrix x = example(3, 6);
  const Matrix full = 2 * product_transposed(x, x);
  Matrix outer = Matrix::Zero(3, 3);
  add_outer_products(x, 2, outer);
  Matrix inner = Matrix::Zero(6, 6);
  add_inner_products(x, inner);
  for (Index j = 0; j < 3; ++j) {
    for (Index i = 0; i < 3; ++i) EXPECT_NEAR(outer(i, j), i < j ? 0 : full(i, j), 1e-12);
  }
  EXPECT_NEAR(inner(5, 2), transposed_product(x, x)(5, 2), 1e-12);
  EXPECT_EQ(inner(2, 5), 0);
}

TEST(Decompositions, SolversSolve) {
  const Matrix a = positive(5);
  const Matrix b = example(5, 3);
  Matrix lower = a;
  lower.triangularView<Eigen::StrictlyUpper>().setConstant(std::nan(""));
  EXPECT_TRUE(product(a, SymmetricSolver(lower).solve(b)).isApprox(b, 1e-10));
  const Vector x = SymmetricSolver(a).solve(Vector(b.col(1)));
  EXPECT_TRUE((a * x).isApprox(b.col(1), 1e-10));
  const Matrix square = example(5, 5) + 3 * identity(5);
  EXPECT_TRUE(product(square, solve_by_lu(square, b)).isApprox(b, 1e-10));
  EXPECT_TRUE(product(square, inverse_by_lu(square).matrix).isApprox(identity(5), 1e-10));
  const Vector scales = Vector::LinSpaced(4, -2, -0.5);
  EXPECT_NEAR(inverse_by_lu(scales.asDiagonal()).log_determinant,
              scales.cwiseAbs().array().log().sum(), 1e-12);
}

TEST(Decompositions, BasesAreOrthonormalAndSpanTheColumns) {
  const Matrix x = example(6, 3);
  const Matrix basis = orthonormal_basis(x);
  ASSERT_EQ(basis.cols(), 3);
  EXPECT_TRUE(transposed_product(basis, basis).isApprox(identity(3), 1e-12));
  EXPECT_TRUE(product(basis, transposed_product(basis, x)).isApprox(x, 1e-12));
  EXPECT_EQ(orthonormal_basis(x.transpose()).cols(), 3);

  Matrix twice(6, 6);
  twice << x, 2 * x;
  const Matrix by_rank = basis_by_rank(twice);
  ASSERT_EQ(by_rank.cols(), 3);
  EXPECT_TRUE(product(by_rank, transposed_product(by_rank, x)).isApprox(x, 1e-12));
  EXPECT_EQ(basis_by_rank(Matrix::Zero(4, 2)).cols(), 0);

  Matrix nearly = basis + 1e-3 * x;
  make_orthonormal(nearly);
  EXPECT_TRUE(transposed_product(nearly, nearly).isApprox(identity(3), 1e-12));
}

}  // namespace
}  // namespace gadwall
