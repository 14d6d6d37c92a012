// Whether a change of variables makes a target nearer to a Gaussian, and which.
//
// Layers are added one after the other, each by the driver that brings most. Each is fitted twice:
// to half of the points, so that the other half can judge it, and to all of them, which is what is
// used.
#pragma once

#include "warps/fit_layer.hpp"

namespace gadwall {

struct WarpSearch {
  Index most_layers = 4;
  Index drivers_tried = 3;    // for a layer, those that the screen likes best
  Index few_dimensions = 16;  // in which every coordinate is tried
  double least_plain = 0.03;  // a divergence, below which nothing is to be gained
  double gain = 0.5;          // the divergence of driver and members after a layer over that before
  double least_unseen = 0.1;  // the same two for a driver that the screen has not seen
  double unseen_gain = 0.33;
};

/// The Fisher divergence from the Gaussian with the metric Sigma = R R^T and the centre mu that
/// fitted points have, 0 where the target is that Gaussian: with e = Sigma g + x - mu,
struct Divergence {
  double all;            // mean of |R^-1 e|^2 / n
  Vector of_coordinate;  // mean of e_j^2 / Sigma_jj, n

  double of(const std::vector<Index>& coordinates) const {
    return of_coordinate(coordinates).mean();
  }
};

Divergence fisher_divergence(const ScoredPoints& fitted, const ScoredPoints& judged);

/// Of the columns that are not fitted.
double divergence_of_halves(const ScoredPoints& points, const std::vector<bool>& is_fitted);

struct FoundWarp {
  Warp warp;          // fitted to all points
  double divergence;  // of the same layers, fitted to one half and judged by the other
};

/// points: in the model's coordinates. is_fitted: the half that judgement leaves out. Nothing where
/// no layer pays.
std::optional<FoundWarp> find_warp(const ScoredPoints& points, const std::vector<bool>& is_fitted,
                                   const WarpSearch& search = {});

/// How many members of its layers their drivers move.
Index moved_coordinates(const Warp& warp);

/// Points in the coordinates of the warp.
ScoredPoints warped(const Warp& warp, const ScoredPoints& points);

}  // namespace gadwall
