#include "warps/score_regression.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "adapters/score_metric.hpp"
#include "math/decompositions.hpp"
#include "math/products.hpp"

namespace gadwall {
namespace {

constexpr double kPointsPerFeature = 2;
constexpr double kRidge = 1e-9;
constexpr double kLargestPower = 60;   // of e, in the points
constexpr double kMostMissed = 0.5;    // of what the scores' linear regression misses
constexpr double kFarthestMean = 300;  // in scales, of members that are pinned

double log_slope(const Vector& where, const Vector& level) {
  const Eigen::ArrayXd spread = where.array() - where.mean();
  return (spread * level.array()).sum() / spread.square().sum();
}

/// Column by column, a^T b.
Vector products(const Matrix& a, const Matrix& b) {
  return a.cwiseProduct(b).colwise().sum().transpose();
}

}  // namespace

std::vector<Index> ascending_order(const Vector& values) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, {}, [&](Index i) { return values[i]; });
  return order;
}

ScoredPoints ScoredPoints::at(const std::vector<Index>& columns) const {
  return {x(Eigen::all, columns), scores(Eigen::all, columns)};
}

ScoredPoints ScoredPoints::thinned(Index most) const {
  if (x.cols() <= most) return *this;
  std::vector<Index> columns;
  for (Index i = 0; i < most; ++i) columns.push_back(i * x.cols() / most);
  return at(columns);
}

ScoreRegression::ScoreRegression(const ScoredPoints& points, Index driver,
                                 const std::vector<Index>& members)
    : members_(members), d_(points.x.row(driver).transpose()), centre_(d_.mean()) {
  scales_ = score_scales(points.x, points.scores, Vector::Ones(points.x.rows()));
  mean_ = points.x.rowwise().mean();
  z_ = scales_.cwiseInverse().asDiagonal() * (points.x.colwise() - mean_);
  scores_ = scales_.asDiagonal() * points.scores;
  roots_ = balancing_weights().cwiseSqrt();
  scores_ = scores_ * roots_.asDiagonal();
  reach_ = (d_.array() - centre_).abs().maxCoeff();
}

/// e^(-slope (d - centre)) with the slope over tenths of the points; none beyond 30 times the
/// median.
Vector ScoreRegression::balancing_weights() {
  constexpr Index kTenths = 10;
  const Matrix scores = scores_(members_, Eigen::all);
  const Vector sizes = scores.rowwise().squaredNorm().cwiseMax(1e-300).cwiseInverse();
  const Vector squares = (sizes.asDiagonal() * scores.cwiseAbs2()).colwise().sum().transpose();
  const std::vector<Index> order = ascending_order(d_);
  Vector where(kTenths), level(kTenths);
  for (Index t = 0; t < kTenths; ++t) {
    const Index from = t * d_.size() / kTenths;
    const Index to = (t + 1) * d_.size() / kTenths;
    const std::vector<Index> part(order.begin() + from, order.begin() + to);
    where[t] = d_(part).mean() - centre_;
    level[t] = std::log(squares(part).mean() + 1e-300);
  }
  slope_ = log_slope(where, level);
  Vector weights = (-slope_ * (d_.array() - centre_)).exp();
  std::vector<double> sorted(weights.begin(), weights.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  weights = weights.cwiseMin(30 * *middle);
  return weights / weights.mean();
}

bool ScoreRegression::has_enough_points() const {
  const Index features = z_.rows() + static_cast<Index>(members_.size()) + 3;
  return static_cast<double>(z_.cols()) >= kPointsPerFeature * static_cast<double>(features);
}

bool ScoreRegression::can_be_pinned() const {
  return mean_.cwiseQuotient(scales_)(members_).cwiseAbs().maxCoeff() < kFarthestMean;
}

/// Features x N, weighted: 1, z, then those of E.
Matrix ScoreRegression::design(double exponent, bool is_pinned) const {
  const Index n = z_.rows();
  const auto m = static_cast<Index>(members_.size());
  Matrix features(exponent == 0 ? n + 1 : is_pinned ? n + 1 + m : n + 2 + m, z_.cols());
  features.row(0).setOnes();
  features.middleRows(1, n) = z_;
  if (exponent != 0) {
    const Vector e = (exponent * (d_.array() - centre_)).exp();
    if (!is_pinned) features.row(n + 1) = e.transpose();
    Matrix own = z_(members_, Eigen::all);
    if (is_pinned) own.colwise() += mean_.cwiseQuotient(scales_)(members_);
    features.bottomRows(m) = own * e.asDiagonal();
  }
  return features * roots_.asDiagonal();
}

/// z_j^2 concerns one score alone: both are regressed on the rest, then their remainders on each
/// other.
ScoreRegression::Solution ScoreRegression::solve(double exponent, bool is_pinned,
                                                 const std::vector<Index>& of) const {
  const Index n = z_.rows();
  const auto m = static_cast<Index>(members_.size());
  const auto k = static_cast<Index>(of.size());
  const Matrix features = design(exponent, is_pinned);
  const Vector sizes =
      features.rowwise().norm().cwiseMax(1e-150) / std::sqrt(static_cast<double>(z_.cols()));
  const Matrix scaled = sizes.cwiseInverse().asDiagonal() * features;
  Matrix gram = Matrix::Zero(scaled.rows(), scaled.rows());
  add_outer_products(scaled, 1, gram);
  gram.diagonal().array() += kRidge * static_cast<double>(z_.cols());
  Matrix wanted(z_.cols(), 2 * k);
  wanted.leftCols(k) = scores_(of, Eigen::all).transpose();
  wanted.rightCols(k) = roots_.asDiagonal() * Matrix(z_(of, Eigen::all).cwiseAbs2()).transpose();
  const Matrix moments = product(scaled, wanted);
  const Matrix found = SymmetricSolver(gram).solve(moments);
  const Matrix scores = wanted.leftCols(k), bent = wanted.rightCols(k);
  const Matrix of_scores = found.leftCols(k), of_bent = found.rightCols(k);
  const Vector total = products(scores, scores).cwiseMax(1e-300);
  const Vector left = total - products(moments.leftCols(k), of_scores);
  const Vector bent_total = products(bent, bent);
  const Vector bent_left = bent_total - products(moments.rightCols(k), of_bent);
  const Vector both_left = products(scores, bent) - products(moments.leftCols(k), of_bent);
  const Vector share =
      (bent_left.array() > 1e-9 * bent_total.array()).select(both_left.cwiseQuotient(bent_left), 0);
  const Matrix coefficients =
      sizes.cwiseInverse().asDiagonal() * (of_scores - of_bent * share.asDiagonal());
  Solution solution;
  solution.constant = coefficients.row(0).transpose();
  solution.still = coefficients.middleRows(1, n);
  solution.driven = exponent == 0 ? Matrix::Zero(m, k) : Matrix(coefficients.bottomRows(m));
  solution.driven_constant =
      exponent == 0 || is_pinned ? Vector::Zero(k) : Vector(coefficients.row(n + 1).transpose());
  // Had they nothing to do with each other, features would explain their share of the points.
  const double points_left = std::max(1.0, static_cast<double>(z_.cols() - features.rows() - 1)) /
                             static_cast<double>(z_.cols());
  solution.left = (left - share.cwiseProduct(both_left)).cwiseMax(1e-13 * total);
  solution.missed = solution.left.cwiseQuotient(points_left * total).cwiseMax(1e-13);
  return solution;
}

double ScoreRegression::missed(double exponent, bool is_pinned) const {
  if (std::abs(exponent) * reach_ > kLargestPower) return std::numeric_limits<double>::infinity();
  return solve(exponent, is_pinned, members_).missed.mean();
}

bool ScoreRegression::is_explained_by(double exponent) const {
  return exponent != 0 && missed(exponent) < kMostMissed * missed(0);
}

}  // namespace gadwall
