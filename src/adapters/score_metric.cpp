#include "adapters/score_metric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gadwall/factor_forms.hpp"
#include "math/decompositions.hpp"
#include "math/products.hpp"

namespace gadwall {
namespace {

constexpr double kRounding = std::numeric_limits<double>::epsilon();

Matrix centred(const Matrix& points) {
  return points.colwise() - points.rowwise().mean();
}

/// Sample covariance of centred points, shrunk to the identity.
Matrix shrunk_covariance(const Matrix& points, double shrinkage) {
  const auto count = static_cast<double>(points.cols());
  Matrix covariance = Matrix::Zero(points.rows(), points.rows());
  add_outer_products(points, (1 - shrinkage) / (count - 1), covariance);
  covariance.diagonal().array() += shrinkage;
  return covariance.selfadjointView<Eigen::Lower>();
}

/// C_x # C_g^-1 = R (R^T C_g R)^(-1/2) R^T with C_x = R R^T. Empty where there is no root.
Matrix geometric_mean(const Matrix& of_draws, const Matrix& of_scores) {
  const std::optional<Matrix> root = cholesky(of_draws);
  if (!root) return {};
  const Spectrum inner = spectrum_of(product(transposed_product(*root, of_scores), *root));
  if (!inner.found || !(inner.values[0] > 0)) return {};
  return product_transposed(product(*root, inner.inverse_square_root()), *root);
}

/// Orthonormal: the `most` widest directions of the points, n x at most N. Through the N x N matrix
/// of inner products where there are fewer points than dimensions.
Matrix widest_directions(const Matrix& points, Index most) {
  const Index n = points.rows();
  const Index rank = std::min({most, n, points.cols()});
  if (points.cols() >= n) {
    return spectrum_of(product_transposed(points, points)).vectors.rightCols(rank);
  }
  const Spectrum inner = spectrum_of(transposed_product(points, points));
  // Eigenvalues of exactly dependent points are noise about 0, and so would be their directions.
  const double least = kRounding * static_cast<double>(n) * inner.values.tail(1)[0];
  const Index found = std::min(rank, (inner.values.array() > least).count());
  return product(points, inner.vectors.rightCols(found)) *
         inner.values.tail(found).cwiseSqrt().cwiseInverse().asDiagonal();
}

/// The places of the eigenvalues that are kept, in their order.
std::vector<Index> farthest_from_one(const Vector& values, const ScoreMetricOptions& o) {
  const auto distance = [&](Index i) { return std::abs(std::log(values[i])); };
  std::vector<Index> kept;
  for (Index i = 0; i < values.size(); ++i) {
    if (distance(i) > std::log(o.keep_beyond)) kept.push_back(i);
  }
  if (static_cast<Index>(kept.size()) <= o.most_kept) return kept;
  std::ranges::stable_sort(kept, std::ranges::greater(), distance);
  kept.resize(static_cast<std::size_t>(o.most_kept));
  std::ranges::sort(kept);
  return kept;
}

/// Orthonormal: the subspace in which a low rank metric looks for its directions.
Matrix searched_subspace(const Matrix& x, const Matrix& g, const ScoreMetricOptions& o) {
  // Both covariances need more points than the subspace has dimensions, or each is singular in
  // directions of its own and the mean of the two is noise.
  const Index rank_each = std::max<Index>(1, std::min(o.most_rank, x.cols() / 4));
  if (o.refine) return basis_by_rank(widest_directions(x + g, 2 * rank_each));
  const Matrix of_draws = widest_directions(x, rank_each);
  const Matrix of_scores = widest_directions(g, rank_each);
  Matrix both(x.rows(), of_draws.cols() + of_scores.cols());
  both << of_draws, of_scores;
  return basis_by_rank(both);
}

std::optional<Factor> low_rank_metric(const Matrix& x, const Matrix& g, const Vector& scales,
                                      const ScoreMetricOptions& o) {
  const Matrix basis = searched_subspace(x, g, o);
  const bool are_exact = o.refine && (x + g).isZero(0);  // the scales: nothing is left
  if (are_exact && !x.isZero(0)) return Factor::low_rank(scales, Matrix(x.rows(), 0), Vector(0));
  if (basis.cols() == 0) return std::nullopt;  // all points are the same
  const Matrix mean = geometric_mean(shrunk_covariance(transposed_product(basis, x), o.shrinkage),
                                     shrunk_covariance(transposed_product(basis, g), o.shrinkage));
  if (mean.size() == 0) return std::nullopt;
  const Spectrum found = spectrum_of(mean);
  const std::vector<Index> kept = farthest_from_one(found.values, o);
  const Matrix directions = product(basis, found.vectors(Eigen::all, kept));
  return Factor::low_rank(scales, directions, found.values(kept));
}

/// By what the scales would have to be multiplied if the directions of the metric were right: those
/// of (I + U (sqrt(lambda) - I) U^T)^-1 x and of its inverse times g.
Vector scales_left_by(const LowRankFactor& metric, const Matrix& x, const Matrix& g) {
  const Matrix& U = metric.directions();
  const Vector length = metric.eigenvalues().cwiseSqrt();
  const auto stretched = [&](const Matrix& points, const Vector& by) -> Matrix {
    const Matrix along = (by.array() - 1).matrix().asDiagonal() * transposed_product(U, points);
    return points + product(U, along);
  };
  return score_scales(stretched(x, length.cwiseInverse()), stretched(g, length),
                      Vector::Ones(x.rows()));
}

}  // namespace

Metric form_for(Index n, Index points) {
  constexpr Index kSmallestLowRank = 50;
  if (n <= kLargestDense && points >= kDensePoints * n) return Metric::dense;
  return n >= kSmallestLowRank ? Metric::low_rank : Metric::diag;
}

Vector score_scales(const Matrix& x, const Matrix& scores, const Vector& before) {
  Vector scales = before;
  const Vector of_x = centred(x).rowwise().squaredNorm();
  const Vector of_scores = centred(scores).rowwise().squaredNorm();
  for (Index j = 0; j < scales.size(); ++j) {
    const double scale = std::sqrt(std::sqrt(of_x[j] / of_scores[j]));
    if (std::isfinite(scale) && scale > 0) scales[j] = scale;
  }
  return scales;
}

std::optional<Factor> score_metric(Metric form, const Matrix& x, const Matrix& scores,
                                   const Vector& before, const ScoreMetricOptions& options) {
  Vector scales = score_scales(x, scores, before);
  if (!is_correlated(form)) return Factor::diagonal(scales);
  Matrix draws = scales.cwiseInverse().asDiagonal() * centred(x);
  Matrix whitened = scales.asDiagonal() * centred(scores);
  if (!draws.allFinite() || !whitened.allFinite()) return std::nullopt;
  if (form == Metric::low_rank) {
    std::optional<Factor> found = low_rank_metric(draws, whitened, scales, options);
    for (Index round = 0; options.refine && found && round < options.rounds; ++round) {
      const Vector factors = scales_left_by(found->as<LowRankFactor>(), draws, whitened);
      scales.array() *= factors.array();
      draws.array().colwise() /= factors.array();
      whitened.array().colwise() *= factors.array();
      std::optional<Factor> next = low_rank_metric(draws, whitened, scales, options);
      if (!next) break;
      found = std::move(next);
    }
    return found;
  }
  const Matrix mean = geometric_mean(shrunk_covariance(draws, options.shrinkage),
                                     shrunk_covariance(whitened, options.shrinkage));
  if (mean.size() == 0) return std::nullopt;
  return Factor::from_covariance(form, scales.asDiagonal() * mean * scales.asDiagonal());
}

double score_linearity(const Matrix& x_first, const Matrix& scores_first, const Matrix& x_second,
                       const Matrix& scores_second, const Vector& scales) {
  constexpr double kSmallRidge = 1e-6;
  const Vector centre = x_first.rowwise().mean();
  const Vector level = scores_first.rowwise().mean();
  const auto whiten_x = [&](const Matrix& x) -> Matrix {
    return scales.cwiseInverse().asDiagonal() * (x.colwise() - centre);
  };
  const auto whiten_g = [&](const Matrix& g) -> Matrix {
    return scales.asDiagonal() * (g.colwise() - level);
  };
  const Matrix x = whiten_x(x_first);
  Matrix gram = product_transposed(x, x);
  gram.diagonal().array() += kSmallRidge * static_cast<double>(x.cols());
  const Matrix slope =  // n x n
      SymmetricSolver(gram).solve(product_transposed(x, whiten_g(scores_first)));
  const Matrix truth = whiten_g(scores_second);
  const double missed = (truth - transposed_product(slope, whiten_x(x_second))).squaredNorm();
  return 1 - missed / truth.squaredNorm();
}

}  // namespace gadwall
