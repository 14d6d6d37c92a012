#include "warps/recentring.hpp"

#include <cmath>

namespace gadwall {
namespace {

constexpr double kExponent = 2;      // of what d = log of a scale makes of a precision
constexpr double kMultiplied = 0.2;  // the share of it that has to grow with d
constexpr std::size_t kLeastMembers = 3;

}  // namespace

std::optional<LayerPlan> recentring_plan(const ScoredPoints& points, const LayerPlan& plan) {
  if (!(plan.exponent > 0)) return std::nullopt;
  const ScoreRegression regression(points, plan.driver, plan.members);
  if (!regression.has_enough_points()) return std::nullopt;
  const ScoreRegression::Solution found = regression.solve(plan.exponent, false, plan.members);
  LayerPlan recentring{.driver = plan.driver,
                       .members = {},
                       .exponent = kExponent,
                       .is_pinned = false,
                       .is_recentring = true};
  for (std::size_t j = 0; j < plan.members.size(); ++j) {
    const auto at = static_cast<Index>(j);
    const double driven = -found.driven(at, at);
    const double all = driven - found.still(plan.members[j], at);
    if (driven > kMultiplied * std::abs(all)) recentring.members.push_back(plan.members[j]);
  }
  if (recentring.members.size() < kLeastMembers) return std::nullopt;
  return recentring;
}

/// z = y / sqrt(e^(2 (d - centre))).
WarpLayer recentring_layer(const ScoredPoints& points, const LayerPlan& plan) {
  const auto m = static_cast<Index>(plan.members.size());
  WarpLayer layer;
  layer.driver = plan.driver;
  layer.members = plan.members;
  layer.exponent = plan.exponent;
  layer.centre = points.x.row(plan.driver).mean();
  layer.centring = Vector::Ones(m);
  layer.pull = layer.driven_pull = Vector::Zero(m);
  layer.directions = Matrix::Identity(m, m);
  layer.complete();
  return layer;
}

bool is_recentring(const WarpLayer& layer) {
  return layer.exponent == kExponent && (layer.centring.array() == 1).all() &&
         layer.pull.isZero(0) && layer.driven_pull.isZero(0) && layer.directions.isIdentity(0);
}

}  // namespace gadwall
