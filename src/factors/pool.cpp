#include "factors/pool.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "factors/products.hpp"
#include "gadwall/error.hpp"
#include "math/decompositions.hpp"
#include "math/products.hpp"

namespace gadwall {
namespace {

template <class F>
using Members = std::vector<const F*>;

template <class F>
double count_of(const Members<F>& members) {
  return static_cast<double>(members.size());
}

UnitFactor mean_factor(const Members<UnitFactor>& members) {
  return *members.front();
}

DiagonalFactor mean_factor(const Members<DiagonalFactor>& members) {
  Vector variances = Vector::Zero(members.front()->dim());
  for (const auto* one : members) variances += one->covariance_diagonal() / count_of(members);
  return DiagonalFactor(variances.cwiseSqrt());
}

LowerFactor mean_factor(const Members<LowerFactor>& members) {
  const Index n = members.front()->dim();
  Matrix covariance = Matrix::Zero(n, n);
  for (const auto* one : members) covariance += one->covariance() / count_of(members);
  const std::optional<Matrix> root = cholesky(covariance);
  if (!root) throw RunError("the mean of the learnt covariances is not positive definite");
  return LowerFactor(*root);
}

/// With s^2 the mean of the s_b^2 and W_b = diag(s_b / s) U_b, the mean is exactly diag(s) (I + R)
/// diag(s), R the mean of W_b (lambda_b - I) W_b^T: its eigenvectors lie in the span Q of all W_b,
/// where it is R' = Q^T R Q, small. O(n m^2) with m the sum of the ranks.
LowRankFactor mean_factor(const Members<LowRankFactor>& members) {
  const Index n = members.front()->dim();
  Vector variances = Vector::Zero(n);
  Index total = 0;
  for (const auto* one : members) {
    variances += one->scales().cwiseAbs2() / count_of(members);
    total += one->rank();
  }
  const Vector scales = variances.cwiseSqrt();
  if (total == 0) return LowRankFactor::from_diagonal(scales);
  Matrix directions(n, total);
  Vector weights(total);
  Index at = 0;
  for (const auto* one : members) {
    const Vector ratio = one->scales().cwiseQuotient(scales);
    directions.middleCols(at, one->rank()) = ratio.asDiagonal() * one->directions();
    weights.segment(at, one->rank()) = (one->eigenvalues().array() - 1) / count_of(members);
    at += one->rank();
  }
  const Matrix basis = orthonormal_basis(directions);
  const Matrix inside = transposed_product(basis, directions);
  const Spectrum spectrum = spectrum_of(product_transposed(inside * weights.asDiagonal(), inside));
  return from_spectrum(scales, product(basis, spectrum.vectors), spectrum.values.array() + 1);
}

}  // namespace

Factor pooled(std::span<const Factor> factors) {
  if (factors.empty()) throw UsageError("there is no factor to pool");
  const auto mean = [&]<class F>(const F& first) -> Factor {
    Members<F> members;
    for (const Factor& factor : factors) {
      members.push_back(&factor.as<F>());
      if (members.back()->dim() != first.dim()) {
        throw UsageError("factors of different dimensions cannot be pooled");
      }
    }
    return mean_factor(members);
  };
  return factors.front().visit(mean);
}

Tuning pooled_tuning(std::span<const Tuning* const> tunings) {
  std::vector<Factor> factors;
  double log_step = 0;
  for (const Tuning* one : tunings) {
    factors.push_back(one->factor());
    log_step += std::log(one->step) / static_cast<double>(tunings.size());
  }
  Tuning tuning(pooled(factors), std::exp(log_step));
  tuning.warp = tunings.front()->warp;  // L is that of these coordinates
  return tuning;
}

}  // namespace gadwall
