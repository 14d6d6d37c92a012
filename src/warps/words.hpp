// A warp in words, for people.
#pragma once

#include <string>
#include <vector>

#include "gadwall/warp.hpp"

namespace gadwall {

/// "tau is the scale of theta[1..8]; sampled non-centred", one such sentence per driver; "none".
std::string warp_words(const Warp* warp, const std::vector<std::string>& names);

/// How centred each member is: the share of its precision that the driver moves, at its centre; m.
Vector driven_shares(const WarpLayer& layer);

}  // namespace gadwall
