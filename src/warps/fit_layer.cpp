#include "warps/fit_layer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "math/decompositions.hpp"
#include "math/products.hpp"
#include "warps/clear_structure.hpp"
#include "warps/fit_bend.hpp"
#include "warps/recentring.hpp"

namespace gadwall {
namespace {

constexpr double kLeastSquare = 0.02;  // of a rank correlation that counts
constexpr std::size_t kLeastMembers = 3;
constexpr double kSnap = 0.12;             // exponents this near to a usual one are that
constexpr double kUnpinned = 3;            // what is missed when pinned, over what is missed else
constexpr double kMissedByNumbers = 1e-6;  // where both are small
constexpr double kFree = 1e-6;             // c below it: the driver leaves the direction alone

std::vector<Index> all_others(Index driver, Index n) {
  std::vector<Index> others(static_cast<std::size_t>(n));
  std::iota(others.begin(), others.end(), Index{0});
  std::erase(others, driver);
  return others;
}

/// Enough of them to know an exponent by.
ScoredPoints for_search(const ScoredPoints& points) {
  constexpr Index kFewest = 500, kPerDimension = 6;
  return points.thinned(std::max(kFewest, kPerDimension * points.x.rows()));
}

/// Ranks, centred and of norm 1.
Vector normal_ranks(const Vector& values) {
  const std::vector<Index> order = ascending_order(values);
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

/// Among the usual ones first, then around the best; its sign is that of the slope.
double best_exponent(const ScoreRegression& regression) {
  constexpr double kGolden = 0.618033988749895;
  constexpr double kWider = 1.6;
  constexpr int kRounds = 6;
  double best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (const double size : {2.0, 1.0, 0.5, 2.6}) {
    const double b = std::copysign(size, regression.slope());
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
  for (int i = 0; i < kRounds; ++i) {
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

/// Those whose scores E explains, though much of them may come from the data.
std::vector<Index> followers(const ScoreRegression& regression, const LayerPlan& plan) {
  std::vector<Index> all(static_cast<std::size_t>(regression.dim()));
  std::iota(all.begin(), all.end(), Index{0});
  const Vector plain = regression.solve(0, false, all).missed;
  const Vector gain = plain - regression.solve(plan.exponent, false, all).missed;
  Vector of_likely = gain(plan.members);
  const auto middle = of_likely.begin() + of_likely.size() / 2;
  std::nth_element(of_likely.begin(), middle, of_likely.end());
  std::vector<Index> found;
  for (const Index j : all) {
    if (j != plan.driver && gain[j] > 0.05 * *middle && gain[j] > 0.08 * plain[j])
      found.push_back(j);
  }
  return found;
}

/// a_jk is the coefficient of coordinate j in the score of k, with an error like what is left of
/// that score: of a_jk and a_kj the one counts more of which less is left. Scores of means, in
/// which there is nothing of the data, have hardly an error.
Matrix symmetric(const Matrix& a, const Vector& left) {
  const Matrix weighted = left.asDiagonal() * a;  // weights 1 / left, times both
  const Matrix weights = left.replicate(1, left.size());
  return (weighted + weighted.transpose()).cwiseQuotient(weights + weights.transpose());
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

/// Lambda1 with the structure of a hierarchy, if it is near to one. Standardised, as both are.
std::optional<Matrix> clear_driven(const Matrix& still, const Matrix& driven,
                                   const Vector& scales) {
  const Vector share = driven.diagonal().cwiseQuotient((still + driven).diagonal());
  const Vector inverse = scales.cwiseInverse();
  const std::optional<Matrix> clear =
      with_clear_structure(inverse.asDiagonal() * driven * inverse.asDiagonal(), share);
  if (!clear) return std::nullopt;
  return scales.asDiagonal() * *clear * scales.asDiagonal();
}

/// Of the members, standardised; nothing where they are no numbers.
struct Precisions {
  Matrix still, driven;
  Vector pull, driven_pull;
};

std::optional<Precisions> precisions_of(const ScoreRegression& regression, const LayerPlan& plan,
                                        bool is_clear) {
  const ScoreRegression::Solution found =
      regression.solve(plan.exponent, plan.is_pinned, plan.members);
  Precisions p{-symmetric(found.still(plan.members, Eigen::all), found.left),
               -symmetric(found.driven, found.left), found.constant, found.driven_constant};
  if (!p.still.allFinite() || !p.driven.allFinite()) return std::nullopt;
  if (!is_clear) return p;
  const std::optional<Matrix> clear =
      clear_driven(p.still, p.driven, regression.scales()(plan.members));
  if (!clear) return std::nullopt;
  p.driven = *clear;
  return p;
}

bool is_best_pinned(const ScoreRegression& regression, double exponent) {
  if (!regression.can_be_pinned()) return false;
  const double other = regression.missed(exponent, false);
  return regression.missed(exponent, true) < kUnpinned * other + kMissedByNumbers;
}

/// The marginal of the driver made normal, once its members have moved.
Bend bend_of(const WarpLayer& layer, const ScoredPoints& points, BendFit how) {
  const Warp unbent({layer});
  WarpTrail trail;
  unbent.from_model(points.x, trail);
  Matrix scores = points.scores;
  unbent.pull_scores(trail, scores);
  return fit_bend(points.x.row(layer.driver).transpose(), scores.row(layer.driver).transpose(),
                  how);
}

}  // namespace

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
  const ScoredPoints some = for_search(points);
  const ScoreRegression regression(some, driver, likely_members);
  if (!regression.has_enough_points()) return std::nullopt;
  LayerPlan plan{driver, likely_members, best_exponent(regression), false};
  if (!regression.is_explained_by(plan.exponent)) return std::nullopt;
  plan.members = followers(regression, plan);
  if (plan.members.size() < kLeastMembers) return std::nullopt;
  plan.is_pinned = is_best_pinned(ScoreRegression(some, driver, plan.members), plan.exponent);
  return plan;
}

std::optional<LayerPlan> plan_whole_layer(const ScoredPoints& points, Index driver) {
  std::vector<Index> others = all_others(driver, points.x.rows());
  const ScoreRegression regression(for_search(points), driver, others);
  if (others.size() < kLeastMembers || !regression.has_enough_points()) return std::nullopt;
  const double exponent = best_exponent(regression);
  if (!regression.is_explained_by(exponent)) return std::nullopt;
  return LayerPlan{driver, std::move(others), exponent, is_best_pinned(regression, exponent)};
}

std::optional<LayerPlan> grown_layer(const ScoredPoints& points, const LayerPlan& plan) {
  LayerPlan whole = plan;
  whole.members = all_others(plan.driver, points.x.rows());
  const ScoreRegression regression(points, whole.driver, whole.members);
  if (!regression.has_enough_points()) return std::nullopt;
  const std::optional<Precisions> found = precisions_of(regression, whole, true);
  if (!found) return std::nullopt;
  LayerPlan grown = plan;
  grown.seen_in = plan.members;
  for (std::size_t j = 0; j < whole.members.size(); ++j) {
    const auto at = static_cast<Index>(j);
    if (found->driven(at, at) > 0) grown.members.push_back(whole.members[j]);
  }
  std::ranges::sort(grown.members);
  grown.members.erase(std::unique(grown.members.begin(), grown.members.end()), grown.members.end());
  if (grown.members.size() == plan.members.size()) return std::nullopt;
  grown.is_pinned =
      is_best_pinned(ScoreRegression(points, plan.driver, grown.members), plan.exponent);
  return grown;
}

std::optional<WarpLayer> fit_layer(const ScoredPoints& points, const LayerPlan& plan, bool is_clear,
                                   BendFit how) {
  if (plan.is_recentring) {
    WarpLayer layer = recentring_layer(points, plan);
    layer.bend = bend_of(layer, points, how);
    return layer;
  }
  const ScoreRegression regression(points, plan.driver, plan.members);
  if (!regression.has_enough_points()) return std::nullopt;
  const std::optional<Precisions> found = precisions_of(regression, plan, is_clear);
  if (!found) return std::nullopt;
  const Vector scales = regression.scales()(plan.members);
  WarpLayer layer;
  layer.driver = plan.driver;
  layer.members = plan.members;
  layer.exponent = plan.exponent;
  layer.centre = regression.centre();
  diagonalise(found->still, found->driven, layer);
  layer.pull = layer.directions.transpose() * found->pull;
  layer.driven_pull = layer.directions.transpose() * found->driven_pull;
  // From standardised coordinates to those of the points: u = mean + diag(scales) z.
  layer.directions = scales.asDiagonal() * layer.directions;
  if (!layer.directions.allFinite() || !layer.complete()) return std::nullopt;
  const Vector shift = layer.inverse * regression.mean()(plan.members);
  layer.pull.array() += (1 - layer.centring.array()) * shift.array();
  if (!plan.is_pinned) layer.driven_pull.array() += layer.centring.array() * shift.array();
  layer.driven_pull = (layer.centring.array() > kFree).select(layer.driven_pull, 0);
  layer.bend = bend_of(layer, points, how);
  return layer;
}

}  // namespace gadwall
