// Divergent transitions: how many, and where.
#pragma once

#include "gadwall/summary.hpp"

namespace gadwall {

/// Names the neck: the change of variables that was to take it away, and the parameter that is low,
/// or high, wherever transitions diverge.
void check_divergences(const Draws& draws, Verdict& verdict);

}  // namespace gadwall
