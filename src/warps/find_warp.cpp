#include "warps/find_warp.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <set>

#include "adapters/score_metric.hpp"
#include "math/decompositions.hpp"
#include "math/products.hpp"
#include "warps/recentring.hpp"
#include "warps/rewarp.hpp"
#include "warps/words.hpp"

namespace gadwall {
namespace {

constexpr Index kPointsForDense = 3;      // per dimension, for a dense metric
constexpr Index kMostWholeMembers = 200;  // beyond, layers of all coordinates take too long
constexpr double kQuickSlack = 1.25;      // of what a quick fit must reach
constexpr double kWorseByAll = 1.5;       // a fit to all points over one to half of them
constexpr double kSimpler = 0.8;          // members that follow, unless all are better by this
constexpr double kNoWorse = 1.1;          // more members of a hierarchy, unless they are worse

struct Halves {
  explicit Halves(const std::vector<bool>& is_fitted) {
    for (std::size_t c = 0; c < is_fitted.size(); ++c) {
      (is_fitted[c] ? fitted : judged).push_back(static_cast<Index>(c));
    }
  }

  std::vector<Index> fitted, judged;
};

Divergence divergence_judged(const ScoredPoints& points, const Halves& halves) {
  return fisher_divergence(points.at(halves.fitted), points.at(halves.judged));
}

/// The same layers in two sets of coordinates: fitted to one half, which the other judges, and
/// fitted to all points, which will be used.
struct Progress {
  ScoredPoints of_half, of_all;
  Divergence divergence;
  std::vector<WarpLayer> layers;  // fitted to all
};

/// One more layer, fitted to one half alone; nothing where it cannot be.
std::optional<Progress> extended_by_half(const Progress& now, const LayerPlan& plan, bool is_clear,
                                         const Halves& halves, BendFit how) {
  const std::optional<WarpLayer> half =
      fit_layer(now.of_half.at(halves.fitted), plan, is_clear, how);
  if (!half) return std::nullopt;
  Progress next;
  next.of_half = warped(Warp({*half}), now.of_half);
  next.divergence = divergence_judged(next.of_half, halves);
  return next;
}

/// One more layer as planned; nothing where it cannot be fitted or does not pay. Most do not, and
/// not by far: a quick fit says so.
std::optional<Progress> extended(const Progress& now, const LayerPlan& plan, bool is_clear,
                                 bool is_seen, const Halves& halves, const WarpSearch& search) {
  std::vector<Index> concerned = plan.seen_in.empty() ? plan.members : plan.seen_in;
  concerned.push_back(plan.driver);
  const double before = now.divergence.of(concerned);
  if (!(before > (is_seen ? search.least_plain : search.least_unseen))) return std::nullopt;
  const double gain = is_seen ? search.gain : search.unseen_gain;
  const auto pays = [&](const Divergence& after, double slack) {
    return after.all < slack * now.divergence.all && after.of(concerned) < slack * gain * before;
  };
  const std::optional<Progress> quick =
      extended_by_half(now, plan, is_clear, halves, BendFit::quick);
  if (!quick || !pays(quick->divergence, kQuickSlack)) return std::nullopt;
  std::optional<Progress> next = extended_by_half(now, plan, is_clear, halves, BendFit::exact);
  if (!next || !pays(next->divergence, 1)) return std::nullopt;
  const std::optional<WarpLayer> all = fit_layer(now.of_all, plan, is_clear);
  if (!all) return std::nullopt;
  next->of_all = warped(Warp({*all}), now.of_all);
  const double of_all = divergence_judged(next->of_all, halves).all;
  if (!(of_all < kWorseByAll * next->divergence.all + search.least_plain)) return std::nullopt;
  next->layers = now.layers;
  next->layers.push_back(*all);
  return next;
}

bool has_driver(const Progress& now, Index driver) {
  return std::ranges::any_of(now.layers, [&](const WarpLayer& l) { return l.driver == driver; });
}

/// The same layer with members of its hierarchy that hardly show the neck.
std::optional<Progress> with_all_members(const Progress& now, Progress best, const LayerPlan& plan,
                                         const Halves& halves, const WarpSearch& search) {
  if (now.of_all.x.rows() > kMostWholeMembers) return best;
  const std::optional<LayerPlan> grown = grown_layer(now.of_all, plan);
  if (!grown) return best;
  std::optional<Progress> next = extended(now, *grown, true, true, halves, search);
  const double enough = kNoWorse * best.divergence.all + 0.1 * search.least_plain;
  return next && next->divergence.all < enough ? next : best;
}

/// The first, unless the second is better by far.
std::optional<Progress> simpler(std::optional<Progress> first, std::optional<Progress> second) {
  const bool is_better =
      second && (!first || second->divergence.all < kSimpler * first->divergence.all);
  return is_better ? second : first;
}

bool is_straight(const std::optional<Progress>& progress, const WarpSearch& search) {
  return progress && progress->divergence.all < search.least_plain;
}

/// Of members that follow the driver and of all others, the first unless the second is better: it
/// is in the way of further drivers.
std::optional<Progress> better_plan(const Progress& now, const std::optional<LayerPlan>& some,
                                    const std::optional<LayerPlan>& whole, bool is_clear,
                                    const Halves& halves, const WarpSearch& search) {
  std::optional<Progress> best;
  if (some) best = extended(now, *some, is_clear, true, halves, search);
  if (best && is_clear) best = with_all_members(now, *std::move(best), *some, halves, search);
  if (is_straight(best, search) || !whole) return best;
  return simpler(std::move(best),
                 extended(now, *whole, is_clear, some.has_value(), halves, search));
}

/// What a driver may move: members that follow it, or all others.
struct DriverPlans {
  std::optional<LayerPlan> some, whole;
};

DriverPlans plans_for(const ScoredPoints& points, const DriverScreen& screen, Index driver,
                      const WarpSearch& search) {
  DriverPlans plans;
  plans.some = plan_layer(points, driver, screen.members(driver));
  if (points.x.rows() <= (plans.some ? kMostWholeMembers : search.few_dimensions))
    plans.whole = plan_whole_layer(points, driver);
  return plans;
}

std::optional<Progress> best_of_plans(const Progress& now, const DriverPlans& plans,
                                      const Halves& halves, const WarpSearch& search) {
  std::optional<Progress> best = better_plan(now, plans.some, plans.whole, true, halves, search);
  return best ? best : better_plan(now, plans.some, plans.whole, false, halves, search);
}

/// Members that the driver multiplies are made what it makes of them, and the hierarchy that this
/// leaves is a layer of its own where that pays. Both are judged by the coordinates before.
std::optional<Progress> best_recentred(const Progress& now, const DriverPlans& plans,
                                       const Halves& halves, const WarpSearch& search) {
  const std::optional<LayerPlan>& any = plans.some ? plans.some : plans.whole;
  if (!any) return std::nullopt;
  const std::optional<LayerPlan> plan = recentring_plan(now.of_all, *any);
  if (!plan) return std::nullopt;
  std::optional<Progress> best = extended(now, *plan, false, true, halves, search);
  const WarpLayer layer = recentring_layer(now.of_all, *plan);
  const Warp warp({layer});
  Progress moved{warped(warp, now.of_half), warped(warp, now.of_all), now.divergence, now.layers};
  moved.layers.push_back(layer);
  const DriverPlans then =
      plans_for(moved.of_all, DriverScreen(moved.of_all), plan->driver, search);
  return simpler(std::move(best), best_of_plans(moved, then, halves, search));
}

std::optional<Progress> best_with_driver(const Progress& now, const DriverScreen& screen,
                                         Index driver, const Halves& halves,
                                         const WarpSearch& search) {
  const DriverPlans plans = plans_for(now.of_all, screen, driver, search);
  std::optional<Progress> best = best_of_plans(now, plans, halves, search);
  if (is_straight(best, search)) return best;
  return simpler(std::move(best), best_recentred(now, plans, halves, search));
}

std::vector<Index> likely_drivers(const Progress& now, const DriverScreen& screen,
                                  const WarpSearch& search) {
  const Index n = now.of_all.x.rows();
  std::vector<Index> drivers(static_cast<std::size_t>(n));
  std::iota(drivers.begin(), drivers.end(), Index{0});
  std::erase_if(drivers, [&](Index k) { return has_driver(now, k); });
  if (n <= search.few_dimensions) return drivers;
  std::ranges::stable_sort(drivers, std::greater{}, [&](Index k) { return screen.strength(k); });
  drivers.resize(std::min(drivers.size(), static_cast<std::size_t>(search.drivers_tried)));
  std::erase_if(drivers, [&](Index k) { return screen.members(k).empty(); });
  return drivers;
}

std::optional<Progress> next_layer(const Progress& now, const Halves& halves,
                                   const WarpSearch& search) {
  const DriverScreen screen(now.of_all);
  std::optional<Progress> best;
  for (const Index driver : likely_drivers(now, screen, search)) {
    std::optional<Progress> found = best_with_driver(now, screen, driver, halves, search);
    if (found && (!best || found->divergence.all < best->divergence.all)) best = std::move(found);
  }
  return best;
}

}  // namespace

Index moved_coordinates(const Warp& warp) {
  constexpr double kMoved = 0.01;
  std::set<Index> moved;
  for (const WarpLayer& layer : warp.layers()) {
    const Vector shares = driven_shares(layer);
    for (std::size_t j = 0; j < layer.members.size(); ++j) {
      if (shares[static_cast<Index>(j)] > kMoved) moved.insert(layer.members[j]);
    }
  }
  return static_cast<Index>(moved.size());
}

ScoredPoints warped(const Warp& warp, const ScoredPoints& points) {
  ScoredPoints out = points;
  Vector unused = Vector::Zero(points.x.cols());
  rewarp(nullptr, &warp, out.x, unused, out.scores);
  return out;
}

Divergence fisher_divergence(const ScoredPoints& fitted, const ScoredPoints& judged) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const Index n = fitted.x.rows();
  const Divergence unknown{kInfinite, Vector::Constant(n, kInfinite)};
  const bool dense = fitted.x.cols() >= kPointsForDense * n;
  const std::optional<Factor> found =
      score_metric(dense ? Metric::dense : Metric::diag, fitted.x, fitted.scores, Vector::Ones(n));
  if (!found || !found->is_finite()) return unknown;
  const Matrix root = found->matrix();
  const Vector centre =
      fitted.x.rowwise().mean() + root * (root.transpose() * fitted.scores.rowwise().mean());
  const Matrix whitened = transposed_product(root, judged.scores) +
                          solve_by_lu(root, judged.x.colwise() - centre);  // R^-1 e
  if (!whitened.allFinite()) return unknown;
  const auto count = static_cast<double>(whitened.cols());
  return {
      whitened.squaredNorm() / (count * static_cast<double>(n)),
      product(root, whitened).rowwise().squaredNorm().cwiseQuotient(found->covariance_diagonal()) /
          count};
}

double divergence_of_halves(const ScoredPoints& points, const std::vector<bool>& is_fitted) {
  return divergence_judged(points, Halves(is_fitted)).all;
}

std::optional<FoundWarp> find_warp(const ScoredPoints& points, const std::vector<bool>& is_fitted,
                                   const WarpSearch& search) {
  const Halves halves(is_fitted);
  if (halves.fitted.empty() || halves.judged.empty()) return std::nullopt;
  Progress now{points, points, divergence_judged(points, halves), {}};
  if (!std::isfinite(now.divergence.all)) return std::nullopt;
  while (static_cast<Index>(now.layers.size()) < search.most_layers) {
    std::optional<Progress> next = next_layer(now, halves, search);
    if (!next) break;
    now = *std::move(next);
  }
  if (now.layers.empty()) return std::nullopt;
  return FoundWarp{Warp(now.layers), now.divergence.all};
}

}  // namespace gadwall
