// Eigen's decompositions behind plain functions. Their templates take the compiler most of a
// minute: so they are instantiated in decompositions.cpp alone.
#pragma once

#include <memory>
#include <optional>

#include "gadwall/types.hpp"

namespace gadwall {

/// A = V diag(values) V^T, the values in ascending order.
struct Spectrum {
  bool found = false;
  Vector values;
  Matrix vectors;

  Matrix square_root() const;          // V diag(values)^(1/2) V^T
  Matrix inverse_square_root() const;  // V diag(values)^(-1/2) V^T
};
Spectrum spectrum_of(const Matrix& symmetric);

/// Lower triangular L with L L^T = covariance; nothing where that is not positive definite.
std::optional<Matrix> cholesky(const Matrix& covariance);

/// (L L^T)^-1
Matrix inverse_of_square(const Matrix& lower);

/// lower += weight X X^T, its lower triangle alone; X is n x any.
void add_outer_products(const Matrix& x, double weight, Matrix& lower);

/// lower += X^T X, its lower triangle alone; X is any x n.
void add_inner_products(const Matrix& x, Matrix& lower);

/// Solves A x = b for symmetric A, of which the lower triangle is read, by L D L^T.
class SymmetricSolver {
 public:
  SymmetricSolver() = default;
  explicit SymmetricSolver(const Matrix& a);

  Vector solve(const Vector& b) const;
  Matrix solve(const Matrix& b) const;

 private:
  struct Factorised;
  std::shared_ptr<const Factorised> factorised_;
};

/// A^-1 b, by LU with partial pivoting.
Matrix solve_by_lu(const Matrix& a, const Matrix& b);

struct Inverse {
  Matrix matrix;
  double log_determinant;  // of |det A|
};
Inverse inverse_by_lu(const Matrix& a);

/// As many orthonormal columns as x has, at most n: each prefix spans what that of x spans.
Matrix orthonormal_basis(const Matrix& x);

/// Orthonormal columns that span those of x, as many as its rank.
Matrix basis_by_rank(const Matrix& x);

/// x <- x U^-1 with U^T U = x^T x, for columns that are nearly orthonormal.
void make_orthonormal(Matrix& x);

}  // namespace gadwall
