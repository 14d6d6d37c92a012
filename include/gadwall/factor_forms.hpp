// The forms in which a factor A is kept. Kernels and files see them through Factor alone; a learner
// of one form asks for it: factor.as<LowerFactor>().
//
// Every form has the same members. K columns go at once, outputs must not overlap inputs, and no
// product takes memory after the first call of a thread:
//
//   times                out = A v
//   transpose_times      out = A^T g
//   both_times           whitened = A^T g, move += half whitened, moved = A move
//   log_determinant      log |A|
//   matrix, matrix_diagonal
//   covariance           A A^T; covariance_of: of these coordinates; covariance_diagonal
//   scaled               c A
//   is_finite            every number of it
//   parts                the numbers as named arrays, which from_parts takes back
//   from_diagonal        A = diag(d)
//   from_covariance      n x n, or n x 1: the variances of independent coordinates. Nothing where
//                        the covariance is not finite or not positive definite
//   from_parts           UsageError that names the array where the numbers are not those of a
//   factor
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gadwall/named_array.hpp"
#include "gadwall/types.hpp"

namespace gadwall {

enum class Metric { unit, diag, dense, low_rank };

class DiagonalFactor;

/// A = I.
class UnitFactor {
 public:
  static constexpr Metric form = Metric::unit;
  static constexpr const char* name = "unit";
  static constexpr bool is_correlated = false;

  explicit UnitFactor(Index n) : dim_(n) {}
  static UnitFactor from_diagonal(const Vector& diagonal);  // UsageError unless all are 1
  static std::optional<UnitFactor> from_covariance(const Matrix& covariance);
  static UnitFactor from_parts(Index n, const std::vector<NamedArray>& parts);
  static std::vector<std::string> part_names() { return {}; }

  Index dim() const { return dim_; }
  void times(ConstMatrixRef v, MatrixRef out) const { out = v; }
  void transpose_times(ConstMatrixRef g, MatrixRef out) const { out = g; }
  void both_times(ConstMatrixRef g, double half, MatrixRef whitened, MatrixRef move,
                  MatrixRef moved) const;
  double log_determinant() const { return 0; }
  Matrix matrix() const { return Matrix::Identity(dim_, dim_); }
  Vector matrix_diagonal() const { return Vector::Ones(dim_); }
  Matrix covariance() const { return matrix(); }
  Matrix covariance_of(const std::vector<Index>& coordinates) const;
  Vector covariance_diagonal() const { return matrix_diagonal(); }
  DiagonalFactor scaled(double c) const;  // c I is no identity
  bool is_finite() const { return true; }
  std::vector<NamedArray> parts() const { return {}; }

 private:
  Index dim_;
};

/// A = diag(entries), entries positive.
class DiagonalFactor {
 public:
  static constexpr Metric form = Metric::diag;
  static constexpr const char* name = "diag";
  static constexpr bool is_correlated = false;

  explicit DiagonalFactor(Vector entries) : entries_(std::move(entries)) {}
  static DiagonalFactor from_diagonal(const Vector& diagonal) { return DiagonalFactor(diagonal); }
  static std::optional<DiagonalFactor> from_covariance(const Matrix& covariance);
  static DiagonalFactor from_parts(Index n, const std::vector<NamedArray>& parts);
  static std::vector<std::string> part_names() { return {"factor"}; }

  Index dim() const { return entries_.size(); }
  void times(ConstMatrixRef v, MatrixRef out) const;
  void transpose_times(ConstMatrixRef g, MatrixRef out) const { times(g, out); }
  void both_times(ConstMatrixRef g, double half, MatrixRef whitened, MatrixRef move,
                  MatrixRef moved) const;
  double log_determinant() const { return entries_.array().log().sum(); }
  Matrix matrix() const { return entries_.asDiagonal(); }
  Vector matrix_diagonal() const { return entries_; }
  Matrix covariance() const { return covariance_diagonal().asDiagonal(); }
  Matrix covariance_of(const std::vector<Index>& coordinates) const;
  Vector covariance_diagonal() const { return entries_.array().square(); }
  DiagonalFactor scaled(double c) const { return DiagonalFactor(c * entries_); }
  bool is_finite() const { return entries_.allFinite(); }
  std::vector<NamedArray> parts() const;

  Vector& entries() { return entries_; }
  const Vector& entries() const { return entries_; }

 private:
  Vector entries_;
};

/// A = L, lower triangular with positive diagonal; the upper triangle of the matrix is zero.
class LowerFactor {
 public:
  static constexpr Metric form = Metric::dense;
  static constexpr const char* name = "dense";
  static constexpr bool is_correlated = true;

  /// Takes the lower triangle alone.
  explicit LowerFactor(const Matrix& lower) : lower_(lower.triangularView<Eigen::Lower>()) {}
  static LowerFactor from_diagonal(const Vector& d) { return LowerFactor(d.asDiagonal()); }
  static std::optional<LowerFactor> from_covariance(const Matrix& covariance);
  static LowerFactor from_parts(Index n, const std::vector<NamedArray>& parts);
  static std::vector<std::string> part_names() { return {"factor"}; }

  Index dim() const { return lower_.rows(); }
  void times(ConstMatrixRef v, MatrixRef out) const;
  void transpose_times(ConstMatrixRef g, MatrixRef out) const;
  void both_times(ConstMatrixRef g, double half, MatrixRef whitened, MatrixRef move,
                  MatrixRef moved) const;
  double log_determinant() const { return lower_.diagonal().array().log().sum(); }
  Matrix matrix() const { return lower_; }
  Vector matrix_diagonal() const { return lower_.diagonal(); }
  Matrix covariance() const { return lower_ * lower_.transpose(); }
  Matrix covariance_of(const std::vector<Index>& coordinates) const;
  Vector covariance_diagonal() const { return lower_.rowwise().squaredNorm(); }
  LowerFactor scaled(double c) const { return LowerFactor(c * lower_); }
  bool is_finite() const { return lower_.allFinite(); }
  std::vector<NamedArray> parts() const;

  Matrix& lower() { return lower_; }
  const Matrix& lower() const { return lower_; }

 private:
  Matrix lower_;
};

/// A = diag(s) (I + U (sqrt(lambda) - I) U^T), so that A A^T = diag(s) (I + U (lambda - I) U^T)
/// diag(s): s n positive scales, U n x r with orthonormal columns, lambda r positive eigenvalues;
/// r may be 0. Products cost O(n r).
class LowRankFactor {
 public:
  static constexpr Metric form = Metric::low_rank;
  static constexpr const char* name = "lowrank";
  static constexpr bool is_correlated = true;

  LowRankFactor(Vector scales, Matrix directions, Vector eigenvalues);
  static LowRankFactor from_diagonal(const Vector& diagonal);
  /// Exact, with as many directions as that takes.
  static std::optional<LowRankFactor> from_covariance(const Matrix& covariance);
  static LowRankFactor from_parts(Index n, const std::vector<NamedArray>& parts);
  static std::vector<std::string> part_names() { return {"scales", "directions", "eigenvalues"}; }

  Index dim() const { return scales_.size(); }
  void times(ConstMatrixRef v, MatrixRef out) const;
  void transpose_times(ConstMatrixRef g, MatrixRef out) const;
  void both_times(ConstMatrixRef g, double half, MatrixRef whitened, MatrixRef move,
                  MatrixRef moved) const;
  double log_determinant() const;
  Matrix matrix() const;
  Vector matrix_diagonal() const;
  Matrix covariance() const;
  Matrix covariance_of(const std::vector<Index>& coordinates) const;
  Vector covariance_diagonal() const;
  LowRankFactor scaled(double c) const { return {c * scales_, directions_, eigenvalues_}; }
  bool is_finite() const;
  std::vector<NamedArray> parts() const;

  Index rank() const { return eigenvalues_.size(); }
  const Vector& scales() const { return scales_; }
  const Matrix& directions() const { return directions_; }
  const Vector& eigenvalues() const { return eigenvalues_; }

 private:
  void stretch(MatrixRef x) const;

  Vector scales_;
  Matrix directions_;
  Vector eigenvalues_;
  Vector excess_;  // sqrt(lambda) - 1
};

}  // namespace gadwall
