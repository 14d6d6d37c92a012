#include "adapters/balanced_covariance.hpp"

#include <algorithm>
#include <cmath>

#include "math/decompositions.hpp"
#include "math/products.hpp"

namespace gadwall {
namespace {

/// A # B^-1 = A^(1/2) (A^(1/2) B A^(1/2))^(-1/2) A^(1/2), both positive definite.
Matrix geometric_mean_with_inverse(const Matrix& a, const Matrix& b) {
  const Matrix root = spectrum_of(a).square_root();
  const Matrix inner = spectrum_of(product(product(root, b), root)).inverse_square_root();
  return product(product(root, inner), root);
}

double shrinkage(Index n, double points) {
  const auto dimension = static_cast<double>(n);
  return 0.001 + 0.05 * dimension / (dimension + points / 5) + 5 / (5 + points);
}

}  // namespace

Matrix balanced_covariance(const RunningCovariance& draws, const RunningCovariance& scores,
                           const Vector& variances) {
  const Matrix of_draws = draws.covariance();
  const Matrix of_scores = scores.covariance();
  const bool dense = of_draws.cols() == of_draws.rows();
  Vector variance = variances;
  for (Index i = 0; i < variance.size(); ++i) {
    const Index j = dense ? i : 0;
    const double ratio = std::sqrt(of_draws(i, j) / of_scores(i, j));
    if (std::isfinite(ratio) && ratio > 0) variance[i] = ratio;
  }
  if (!dense) return variance;
  const Vector scale = variance.cwiseSqrt();
  const Vector inverse_scale = scale.cwiseInverse();
  const double gamma = std::min(1.0, shrinkage(variance.size(), draws.count()));
  const auto shrunk = [gamma](Matrix whitened) {
    whitened *= 1 - gamma;
    whitened.diagonal().array() += gamma;
    return whitened;
  };
  const auto up = scale.asDiagonal();
  const auto down = inverse_scale.asDiagonal();
  return up *
         geometric_mean_with_inverse(shrunk(down * of_draws * down), shrunk(up * of_scores * up)) *
         up;
}

}  // namespace gadwall
