// A factor as JSON, for the files of --save-tuning.
#pragma once

#include <nlohmann/json.hpp>

#include "gadwall/factor.hpp"

namespace gadwall::session {

/// Adds the keys metric and dim, and one key per array: L (the rows of the triangle, or the
/// diagonal), or scales, directions and eigenvalues.
void add_factor(const Factor& factor, nlohmann::json& json);

/// UsageError that names the array where the numbers are not those of a factor; an exception of
/// nlohmann::json where the text is of another kind.
Factor factor_from(const nlohmann::json& json);

}  // namespace gadwall::session
