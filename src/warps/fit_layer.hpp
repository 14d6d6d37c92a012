// One layer of a warp from points and their scores (gradients of log pi).
//
// Where the rest is Gaussian given a driver d, with precision Lambda0 + E Lambda1, E = e^(b (d -
// centre)), the scores of its members u are linear in the rest with coefficients that move with E,
//
//   g_u = a0 + A0 x + E (a1 + A1 u),     Lambda0 = -A0, Lambda1 = -A1 among the members,
//
// a regression whose residual says whether b and the members are right.
#pragma once

#include <optional>
#include <vector>

#include "gadwall/warp.hpp"
#include "warps/fit_bend.hpp"
#include "warps/score_regression.hpp"

namespace gadwall {

/// How strongly each coordinate k drives the size of the scores of others: with T_jk the rank
/// correlation of |g_j| and x_k, the sum of T_jk^2 over the members, those j with T_jk^2 > .02.
struct DriverScreen {
  explicit DriverScreen(const ScoredPoints& points);

  std::vector<Index> members(Index driver) const;
  double strength(Index driver) const;

  Matrix squares;  // T^2, n x n
};

struct LayerPlan {
  Index driver;
  std::vector<Index> members;
  double exponent;
  bool is_pinned;                   // see score_regression.hpp
  std::vector<Index> seen_in = {};  // members that judge the layer; empty: all
  bool is_recentring = false;       // see recentring.hpp
};

/// The exponent with which the scores of the members fit best, and the members that follow it.
/// Nothing where there are too few points, or fewer than three members.
std::optional<LayerPlan> plan_layer(const ScoredPoints& points, Index driver,
                                    const std::vector<Index>& likely_members);

/// All others are members, the exponent is the one that suits them.
std::optional<LayerPlan> plan_whole_layer(const ScoredPoints& points, Index driver);

/// The plan with all members that a hierarchy with this driver has. A group of which the data say
/// much shows little of the neck, but its mean's score has its effect like any other's. Nothing
/// where there are too few points, no structure of a hierarchy, or no more members than before.
std::optional<LayerPlan> grown_layer(const ScoredPoints& points, const LayerPlan& plan);

/// Both precisions, the means and the bend. is_clear: with the exact structure of a hierarchy
/// (clear_structure.hpp). Nothing where there are too few points, or no such structure.
std::optional<WarpLayer> fit_layer(const ScoredPoints& points, const LayerPlan& plan, bool is_clear,
                                   BendFit how = BendFit::exact);

}  // namespace gadwall
