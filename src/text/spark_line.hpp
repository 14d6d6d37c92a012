// A trace in a few characters.
#pragma once

#include <string>

#include "gadwall/types.hpp"

namespace gadwall {

/// The chains one after another, each in equal pieces (16 in all, at least one per chain). The
/// height of a piece is its mean, from half an sd below the mean of all draws to half an sd above:
/// ▄ throughout where chains have mixed, steps where they are apart, a slope where they drift. Dots
/// where the draws are constant or not finite.
std::string spark_line(const Matrix& x);

}  // namespace gadwall
