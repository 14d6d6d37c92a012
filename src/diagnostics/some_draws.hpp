// Fewer draws, where a look at some of them is enough.
#pragma once

#include "gadwall/draws.hpp"

namespace gadwall {

/// Every so many draws of a parameter, some 16,000 of all chains: enough to see a correlation, or a
/// rank. One chain after the other, in order.
Vector some_draws(const Draws& draws, Index parameter);

}  // namespace gadwall
