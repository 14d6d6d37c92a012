// A factor, and a warp, as JSON, for the files of --save-tuning.
#pragma once

#include <nlohmann/json.hpp>

#include "gadwall/factor.hpp"
#include "gadwall/warp.hpp"

namespace gadwall::session {

/// Adds the keys metric and dim, and one key per array: L (the rows of the triangle, or the
/// diagonal), or scales, directions and eigenvalues.
void add_factor(const Factor& factor, nlohmann::json& json);

/// UsageError that names the array where the numbers are not those of a factor; an exception of
/// nlohmann::json where the text is of another kind.
Factor factor_from(const nlohmann::json& json);

/// Adds the key warp: a list of layers, each with one key per array (WarpLayer::part_names).
void add_warp(const Warp& warp, nlohmann::json& json);

/// Errors as those of factor_from; n: the dimension.
Warp warp_from(const nlohmann::json& json, Index n);

}  // namespace gadwall::session
