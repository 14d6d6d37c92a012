// A warp in words, for people.
#pragma once

#include <string>
#include <vector>

#include "gadwall/warp.hpp"

namespace gadwall {

/// "tau is the scale of theta[1..8]; sampled non-centred", one such sentence per driver; "none".
std::string warp_words(const Warp* warp, const std::vector<std::string>& names);

}  // namespace gadwall
