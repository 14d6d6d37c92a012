// What an adapter learns and a kernel uses: a step size and a factor L of the proposal covariance.
#pragma once

#include <cstdint>
#include <utility>

#include "gadwall/archive.hpp"
#include "gadwall/types.hpp"

namespace gadwall {

enum class Metric { unit, diag, dense };

/// L, n x n lower triangular with positive diagonal, kept in the cheapest form that holds it:
/// nothing (the identity), its diagonal, or the matrix (upper triangle zero).
class Factor {
 public:
  static Factor unit(Index n);
  static Factor diagonal(Vector entries);
  static Factor dense(Matrix lower);

  Metric kind() const { return kind_; }
  Index dim() const { return dim_; }

  /// out = L v, for the K columns of v. out must not overlap v.
  void times(ConstMatrixRef v, MatrixRef out) const;

  /// out = L^T g, for the K columns of g. out must not overlap g.
  void transpose_times(ConstMatrixRef g, MatrixRef out) const;

  /// whitened = L^T g, move += half whitened, moved = L move: both products of a Langevin proposal,
  /// for one lane in a single visit to L.
  void both_times(ConstMatrixRef g, double half, MatrixRef whitened, MatrixRef move,
                  MatrixRef moved) const;

  double log_determinant() const;
  Vector diagonal() const;
  Matrix matrix() const;

  /// L L^T: the covariance of a proposal, or the inverse mass of a Hamiltonian kernel.
  Matrix covariance() const;
  Vector covariance_diagonal() const;

  /// The stored numbers, for adapters. Only the one that kind() names is meaningful.
  Vector& diagonal_entries() { return diagonal_; }
  Matrix& lower() { return lower_; }
  const Matrix& lower() const { return lower_; }

  /// RunError where what is restored has another form or size.
  void archive(Archive& a);

 private:
  Factor(Metric kind, Index dim) : kind_(kind), dim_(dim) {}

  Metric kind_;
  Index dim_;
  Vector diagonal_;
  Matrix lower_;
};

/// Proposals move by step * L * (something standard normal); Hamiltonian kernels use the inverse
/// mass matrix L L^T and leapfrog steps of length `step`. One type therefore fits every kernel.
class Tuning {
 public:
  explicit Tuning(Factor factor, double initial_step = 1)
      : step(initial_step), factor_(std::move(factor)) {}

  double step;

  const Factor& factor() const { return factor_; }

  /// The only way to change L: products such as L^T g that were kept with a state carry the
  /// version of the L they were made with, and are made anew when it is no longer this one.
  Factor& change_factor() {
    ++version_;
    return factor_;
  }
  std::uint64_t version() const { return version_; }

  void archive(Archive& a) {
    a("step", step);
    a("factor", factor_);
    a("version", version_);
  }

 private:
  Factor factor_;
  std::uint64_t version_ = 1;
};

}  // namespace gadwall
