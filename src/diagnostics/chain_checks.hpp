// What only the draws themselves show: chains that are not chains of their own, and funnels.
#pragma once

#include "gadwall/summary.hpp"

namespace gadwall {

/// Chains with the same draws, and chains that move together: files given twice, runs of one seed.
void check_copies(const Draws& draws, Verdict& verdict);

/// Where something is wrong already: the parameter that mixes worst, if others get their scale from
/// it.
void check_funnel(const Draws& draws, const Summary& summary, Verdict& verdict);

}  // namespace gadwall
