#include "warps/fit_layer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "adapters/score_metric.hpp"
#include "math/decompositions.hpp"
#include "math/products.hpp"
#include "warps/fit_bend.hpp"

namespace gadwall {
namespace {

constexpr double kLeastSquare = 0.02;  // of a rank correlation that counts
constexpr std::size_t kLeastMembers = 3;
constexpr double kPointsPerFeature = 2;
constexpr double kRidge = 1e-7;
constexpr double kLargestPower = 60;  // of e, in the points
constexpr double kMostMissed = 0.5;   // of what the scores' linear regression misses
constexpr double kSnap = 0.12;        // exponents this near to a usual one are that

/// Ranks, centred and of norm 1.
Vector normal_ranks(const Vector& values) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, {}, [&](Index i) { return values[i]; });
  Vector ranks(values.size());
  for (std::size_t r = 0; r < order.size(); ++r) ranks[order[r]] = static_cast<double>(r);
  ranks.array() -= ranks.mean();
  return ranks.normalized();
}

Matrix normal_ranks_of_rows(const Matrix& rows) {
  Matrix ranks(rows.rows(), rows.cols());
  for (Index j = 0; j < rows.rows(); ++j) ranks.row(j) = normal_ranks(rows.row(j));
  return ranks;
}

/// So that wide and narrow parts count alike: e^(-slope (d - centre)) with the slope of the log of
/// the mean squared score in d, over tenths of the points; none beyond 30 times the median.
Vector narrowness_weights(const Matrix& scores, const Vector& d, double centre) {
  constexpr Index kTenths = 10;
  const Vector sizes = scores.rowwise().squaredNorm().cwiseMax(1e-300).cwiseInverse();
  const Vector squares = (sizes.asDiagonal() * scores.cwiseAbs2()).colwise().sum().transpose();
  std::vector<Index> order(static_cast<std::size_t>(d.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, {}, [&](Index i) { return d[i]; });
  Vector where(kTenths), level(kTenths);
  for (Index t = 0; t < kTenths; ++t) {
    const Index from = t * d.size() / kTenths;
    const Index to = (t + 1) * d.size() / kTenths;
    const std::vector<Index> part(order.begin() + from, order.begin() + to);
    where[t] = d(part).mean() - centre;
    level[t] = std::log(squares(part).mean() + 1e-300);
  }
  const Eigen::ArrayXd spread = where.array() - where.mean();
  const double slope = (spread * level.array()).sum() / spread.square().sum();
  Vector weights = (-slope * (d.array() - centre)).exp();
  std::vector<double> sorted(weights.begin(), weights.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  weights = weights.cwiseMin(30 * *middle);
  return weights / weights.mean();
}

/// Scores regressed on [1, z, E, E z_S], z the standardised coordinates.
class ScoreRegression {
 public:
  ScoreRegression(const ScoredPoints& points, Index driver, const std::vector<Index>& members)
      : members_(members), d_(points.x.row(driver).transpose()), centre_(d_.mean()) {
    const Index n = points.x.rows();
    scales_ = score_scales(points.x, points.scores, Vector::Ones(n));
    mean_ = points.x.rowwise().mean();
    z_ = scales_.cwiseInverse().asDiagonal() * (points.x.colwise() - mean_);
    scores_ = scales_.asDiagonal() * points.scores;
    roots_ = narrowness_weights(scores_(members, Eigen::all), d_, centre_).cwiseSqrt();
    scores_ = scores_ * roots_.asDiagonal();
    reach_ = (d_.array() - centre_).abs().maxCoeff();
  }

  bool has_enough_points() const {
    const Index features = z_.rows() + static_cast<Index>(members_.size()) + 2;
    return static_cast<double>(z_.cols()) >= kPointsPerFeature * static_cast<double>(features);
  }

  struct Solution {
    Matrix coefficients;  // features x scores
    Vector missed;        // share of each score that is not explained
  };

  /// Exponent 0: without the features of E.
  Solution solve(double exponent, const std::vector<Index>& of) const {
    const Matrix features = design(exponent);
    const Vector sizes =
        features.rowwise().norm().cwiseMax(1e-150) / std::sqrt(static_cast<double>(z_.cols()));
    const Matrix scaled = sizes.cwiseInverse().asDiagonal() * features;
    Matrix gram = Matrix::Zero(scaled.rows(), scaled.rows());
    add_outer_products(scaled, 1, gram);
    gram.diagonal().array() += kRidge * static_cast<double>(z_.cols());
    const Matrix scores = scores_(of, Eigen::all);
    const Matrix found = SymmetricSolver(gram).solve(product_transposed(scaled, scores));
    const Matrix residuals = scores - found.transpose() * scaled;
    return {sizes.cwiseInverse().asDiagonal() * found,
            residuals.rowwise().squaredNorm().cwiseQuotient(
                scores.rowwise().squaredNorm().cwiseMax(1e-300))};
  }

  /// Whether the exponent explains enough of what no linear function does.
  bool is_explained_by(double exponent) const {
    return exponent != 0 && missed(exponent) < kMostMissed * missed(0);
  }

  double missed(double exponent) const {
    if (std::abs(exponent) * reach_ > kLargestPower) return std::numeric_limits<double>::infinity();
    return solve(exponent, members_).missed.mean();
  }

  const Vector& scales() const { return scales_; }
  const Vector& mean() const { return mean_; }
  double centre() const { return centre_; }
  Index dim() const { return z_.rows(); }

 private:
  Matrix design(double exponent) const {
    const Index n = z_.rows();
    const auto m = static_cast<Index>(members_.size());
    Matrix features(exponent == 0 ? n + 1 : n + m + 2, z_.cols());
    features.row(0).setOnes();
    features.middleRows(1, n) = z_;
    if (exponent != 0) {
      const Vector e = (exponent * (d_.array() - centre_)).exp();
      features.row(n + 1) = e.transpose();
      features.bottomRows(m) = z_(members_, Eigen::all) * e.asDiagonal();
    }
    return features * roots_.asDiagonal();
  }

  std::vector<Index> members_;
  Vector d_;
  double centre_;
  Vector scales_, mean_;
  Matrix z_, scores_;  // scores: weighted
  Vector roots_;       // of the weights
  double reach_;
};

/// Among the usual ones first, then around the best.
double best_exponent(const ScoreRegression& regression) {
  constexpr double kGolden = 0.618033988749895;
  constexpr double kWider = 1.6;
  double best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (const double b : {-2.6, -2.0, -1.0, -0.5, 0.5, 1.0, 2.0, 2.6}) {
    const double missed = regression.missed(b);
    if (missed < least) {
      least = missed;
      best = b;
    }
  }
  if (best == 0) return 0;
  double low = std::min(best / kWider, best * kWider),
         high = std::max(best / kWider, best * kWider);
  double left = high - kGolden * (high - low), right = low + kGolden * (high - low);
  double at_left = regression.missed(left), at_right = regression.missed(right);
  for (int i = 0; i < 10; ++i) {
    if (at_left < at_right) {
      high = std::exchange(right, left);
      at_right = at_left;
      left = high - kGolden * (high - low);
      at_left = regression.missed(left);
    } else {
      low = std::exchange(left, right);
      at_left = at_right;
      right = low + kGolden * (high - low);
      at_right = regression.missed(right);
    }
  }
  const double found = (low + high) / 2;
  for (const double usual : {0.5, 1.0, 2.0}) {
    if (std::abs(std::abs(found) / usual - 1) < kSnap) return std::copysign(usual, found);
  }
  return found;
}

/// Those whose scores E explains as well as it does those of the likely members.
std::vector<Index> followers(const ScoreRegression& regression, const LayerPlan& plan) {
  std::vector<Index> all(static_cast<std::size_t>(regression.dim()));
  std::iota(all.begin(), all.end(), Index{0});
  const Vector plain = regression.solve(0, all).missed;
  const Vector gain = plain - regression.solve(plan.exponent, all).missed;
  Vector of_likely = gain(plan.members);
  const auto middle = of_likely.begin() + of_likely.size() / 2;
  std::nth_element(of_likely.begin(), middle, of_likely.end());
  std::vector<Index> found;
  for (const Index j : all) {
    if (j != plan.driver && gain[j] > 0.3 * *middle && gain[j] > 0.25 * plain[j])
      found.push_back(j);
  }
  return found;
}

Matrix symmetric(const Matrix& a) {
  return (a + a.transpose()) / 2;
}

/// V with V^T (Lambda0 + Lambda1) V = I and V^T Lambda1 V = diag(c); c.
void diagonalise(const Matrix& still, const Matrix& driven, WarpLayer& layer) {
  const Spectrum total = spectrum_of(still + driven);
  Vector values = total.values;
  const double middle = values[values.size() / 2];
  values = values.cwiseMax(std::max(1e-4, 1e-3 * middle));
  const Matrix root = product_transposed(
      total.vectors * values.cwiseSqrt().cwiseInverse().asDiagonal(), total.vectors);
  const Spectrum inner = spectrum_of(product(product(root, driven), root));
  layer.directions = product(root, inner.vectors);
  layer.centring = inner.values.cwiseMax(0).cwiseMin(1);
}

}  // namespace

ScoredPoints ScoredPoints::at(const std::vector<Index>& columns) const {
  return {x(Eigen::all, columns), scores(Eigen::all, columns)};
}

DriverScreen::DriverScreen(const ScoredPoints& points) {
  squares = product_transposed(normal_ranks_of_rows(points.scores.cwiseAbs()),
                               normal_ranks_of_rows(points.x))
                .cwiseAbs2();
  squares.diagonal().setZero();
}

std::vector<Index> DriverScreen::members(Index driver) const {
  std::vector<Index> found;
  for (Index j = 0; j < squares.rows(); ++j) {
    if (squares(j, driver) > kLeastSquare) found.push_back(j);
  }
  return found;
}

double DriverScreen::strength(Index driver) const {
  const auto column = squares.col(driver).array();
  return (column > kLeastSquare).select(column, 0).sum();
}

std::optional<LayerPlan> plan_layer(const ScoredPoints& points, Index driver,
                                    const std::vector<Index>& likely_members) {
  if (likely_members.size() < kLeastMembers) return std::nullopt;
  const ScoreRegression regression(points, driver, likely_members);
  if (!regression.has_enough_points()) return std::nullopt;
  LayerPlan plan{driver, likely_members, best_exponent(regression)};
  if (!regression.is_explained_by(plan.exponent)) return std::nullopt;
  plan.members = followers(regression, plan);
  if (plan.members.size() < kLeastMembers) return std::nullopt;
  return plan;
}

std::optional<LayerPlan> plan_whole_layer(const ScoredPoints& points, Index driver) {
  std::vector<Index> others;
  for (Index j = 0; j < points.x.rows(); ++j) {
    if (j != driver) others.push_back(j);
  }
  const ScoreRegression regression(points, driver, others);
  if (others.size() < kLeastMembers || !regression.has_enough_points()) return std::nullopt;
  const double exponent = best_exponent(regression);
  if (!regression.is_explained_by(exponent)) return std::nullopt;
  return LayerPlan{driver, std::move(others), exponent};
}

std::optional<WarpLayer> fit_layer(const ScoredPoints& points, const LayerPlan& plan) {
  const ScoreRegression regression(points, plan.driver, plan.members);
  if (!regression.has_enough_points()) return std::nullopt;
  const auto m = static_cast<Index>(plan.members.size());
  const Matrix found = regression.solve(plan.exponent, plan.members).coefficients;
  if (!found.allFinite()) return std::nullopt;
  WarpLayer layer;
  layer.driver = plan.driver;
  layer.members = plan.members;
  layer.exponent = plan.exponent;
  layer.centre = regression.centre();
  std::vector<Index> rows = plan.members;
  for (Index& row : rows) ++row;
  diagonalise(-symmetric(found(rows, Eigen::all)), -symmetric(found.bottomRows(m)), layer);
  layer.pull = layer.directions.transpose() * found.row(0).transpose();
  layer.driven_pull = layer.directions.transpose() * found.row(regression.dim() + 1).transpose();
  // From standardised coordinates to those of the points: u = mean + diag(scales) z.
  layer.directions = regression.scales()(plan.members).asDiagonal() * layer.directions;
  if (!layer.directions.allFinite() || !layer.complete()) return std::nullopt;
  const Vector shift = layer.inverse * regression.mean()(plan.members);
  layer.pull.array() += (1 - layer.centring.array()) * shift.array();
  layer.driven_pull.array() += layer.centring.array() * shift.array();
  const Warp unbent({layer});
  WarpTrail trail;
  unbent.from_model(points.x, trail);
  Matrix scores = points.scores;
  unbent.pull_scores(trail, scores);
  layer.bend = fit_bend(points.x.row(plan.driver).transpose(), scores.row(plan.driver).transpose());
  return layer;
}

}  // namespace gadwall
