// A hierarchy that is written non-centred, u = mu + e^d z, though the data say much of u.
//
// What is known of u is then known of z only together with d, and z has a curved ridge with it.
// Layers of a centred hierarchy do not describe that. So the members z that the driver multiplies
// are first replaced by e^d z, which is a layer with p = e^(2 (d - centre)); what is left is the
// centred hierarchy, whose own layer finds how much of it is better non-centred.
#pragma once

#include <optional>

#include "warps/fit_layer.hpp"

namespace gadwall {

/// From the plan of a layer with this driver: those of its members that it multiplies, as their
/// precision says, which grows with d. Nothing where fewer than three do.
std::optional<LayerPlan> recentring_plan(const ScoredPoints& points, const LayerPlan& plan);

/// Without its bend.
WarpLayer recentring_layer(const ScoredPoints& points, const LayerPlan& plan);

bool is_recentring(const WarpLayer& layer);

}  // namespace gadwall
