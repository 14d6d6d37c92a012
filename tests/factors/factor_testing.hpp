// A factor of every form, beside the dense matrix that it stands for.
#pragma once

#include <Eigen/QR>
#include <vector>

#include "adapters/lesson_testing.hpp"
#include "gadwall/factor.hpp"

namespace gadwall::testing {

/// n x r with orthonormal columns.
inline Matrix some_directions(Index n, Index r, std::uint64_t seed) {
  const Matrix square = Eigen::HouseholderQR<Matrix>(some_numbers(n, n, seed)).householderQ();
  return square.leftCols(r);
}

inline LowRankFactor some_low_rank(Index n, Index r, std::uint64_t seed) {
  const Vector scales = some_numbers(n, 1, seed).array().exp();
  const Vector eigenvalues = (2 * some_numbers(r, 1, seed + 1).array()).exp();
  return {scales, some_directions(n, r, seed + 2), eigenvalues};
}

/// As the contract has it, with full matrices.
inline Matrix dense_matrix(const LowRankFactor& factor) {
  const Index n = factor.dim(), r = factor.rank();
  const Matrix& u = factor.directions();
  const Matrix roots = factor.eigenvalues().cwiseSqrt().asDiagonal();
  return Matrix(factor.scales().asDiagonal()) *
         (Matrix::Identity(n, n) + u * (roots - Matrix::Identity(r, r)) * u.transpose());
}

struct FormCase {
  Factor factor;
  Matrix matrix;
};

inline std::vector<FormCase> every_form(Index n) {
  const Matrix lower = some_factor(n, 4);
  const Vector entries = lower.diagonal();
  const LowRankFactor two = some_low_rank(n, 2, 21);
  const LowRankFactor none = some_low_rank(n, 0, 31);
  const LowRankFactor all = some_low_rank(n, n, 41);
  return {{Factor::unit(n), Matrix::Identity(n, n)},
          {Factor::diagonal(entries), entries.asDiagonal()},
          {Factor::dense(lower), lower},
          {two, dense_matrix(two)},
          {none, dense_matrix(none)},
          {all, dense_matrix(all)}};
}

}  // namespace gadwall::testing
