// Tools for the tests of targets: evaluations, and derivatives by extrapolated differences.
#pragma once

#include <cmath>
#include <limits>
#include <string>

#include "gadwall/noise.hpp"
#include "gadwall/target.hpp"

namespace gadwall::testing {

inline Matrix normal_matrix(Index rows, Index cols, std::uint64_t seed) {
  Matrix out(rows, cols);
  fill_normal(LaneNoise{seed, 0, 0}, Purpose::start, out);
  return out;
}

/// Every third column normal, the others the same number in all rows but every 25th and 31st; the
/// bias last.
inline Matrix mostly_usual(Index rows, Index columns) {
  Matrix design = normal_matrix(rows, columns, 1);
  const Matrix usual = normal_matrix(1, columns, 2);
  for (Index j = 0; j < columns; ++j) {
    if (j % 3 == 0) continue;
    for (Index i = 0; i < rows; ++i) {
      if ((i + j) % 25 != 0 && (i + 2 * j) % 31 != 0) design(i, j) = usual(0, j);
    }
  }
  design.rightCols(1).setOnes();
  return design;
}

/// Whole numbers, mostly the usual one of the column but for a run of neighbours in each row, as in
/// pictures; standardised, so that they are whole no more. The bias last.
inline Matrix runs_of_counts(Index rows, Index columns) {
  Matrix design(rows, columns);
  for (Index j = 0; j < columns; ++j) {
    const double usual = static_cast<double>(j % 3) - 1, step = 1 / (3.7 + static_cast<double>(j));
    for (Index i = 0; i < rows; ++i) {
      const Index into_run = (j + 7 * i) % columns;
      const auto count = static_cast<double>(into_run < columns / 6 ? (i + j) % 256 : 0);
      design(i, j) = usual / 3 + step * count;
    }
  }
  design.rightCols(1).setOnes();
  return design;
}

struct Evaluation {
  Evaluation(const Target& target, const Matrix& x) : logp(x.cols()), grad(x.rows(), x.cols()) {
    target.evaluate(x, logp, grad);
  }
  Vector logp;
  Matrix grad;
};

inline double log_density(const Target& target, const Vector& x) {
  Vector logp(1);
  Matrix none;
  target.evaluate(x, logp, none);
  return logp[0];
}

constexpr double kDifference = 5e-4;

/// (f(x + h v) - f(x - h v)) / 2 h, extrapolated from h and 2 h: error O(h^4) + O(eps / h).
template <class F>
auto derivative(const F& f, const Vector& x, const Vector& direction, double h) {
  const auto central = [&](double s) {
    return ((f(x + s * direction) - f(x - s * direction)) / (2 * s)).eval();
  };
  return ((4 * central(h) - central(2 * h)) / 3).eval();
}

inline Vector differenced_gradient(const Target& target, const Vector& x) {
  const auto density = [&](const Vector& at) {
    return Vector::Constant(1, log_density(target, at)).eval();
  };
  Vector result(x.size());
  for (Index i = 0; i < x.size(); ++i) {
    result[i] = derivative(density, x, Vector::Unit(x.size(), i), kDifference)[0];
  }
  return result;
}

inline Vector differenced_product(const Target& target, const Vector& x, const Vector& v) {
  const auto gradient = [&](const Vector& at) { return Evaluation(target, at).grad.col(0).eval(); };
  return derivative(gradient, x, v, kDifference);
}

/// |a - b| relative to |b|, as vectors.
inline double relative_error(const Vector& a, const Vector& b) {
  return (a - b).norm() / (b.norm() + std::numeric_limits<double>::min());
}

/// Relative difference of two results that differ only in the order of their sums.
constexpr double kRounding = 1e-12;

}  // namespace gadwall::testing
