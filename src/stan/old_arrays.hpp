// Today's array types in the words of Stan 2.21, the one that Debian packages.
#pragma once

#include <string>

namespace gadwall::stan {

/// Declarations `array[N] vector[K] x, y` become `vector[K] x[N], y[N]`, the types of arguments and
/// results of functions `array[,] real` become `real[,]`. Comments and strings stay, and so does
/// the number of every line.
std::string with_old_arrays(const std::string& program);

}  // namespace gadwall::stan
