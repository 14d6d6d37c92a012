#pragma once

#include "gadwall/warp.hpp"

namespace gadwall {

/// quick: eight to fifteen times as fast, and as good but for rounding errors. These decide between
/// bends that are equally good, so that draws, which must not move, need the exact one.
enum class BendFit { quick, exact };

/// The bend under which the driver is nearest to N(0, 1): with d = bend(t) its score becomes
/// g bend'(t) + (log bend')'(t), which for N(0, 1) is -t; the mean square of the difference is made
/// small. d, scores: of the driver once its members no longer depend on it, N.
Bend fit_bend(const Vector& d, const Vector& scores, BendFit how = BendFit::exact);

}  // namespace gadwall
