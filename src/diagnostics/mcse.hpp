// The Monte Carlo standard error of a standard deviation, given the ESS.
#pragma once

#include "gadwall/types.hpp"

namespace gadwall {

/// squares: (x - mean)^2 of all draws; ess: that of the squares.
double mcse_sd_of_squares(const Matrix& squares, double ess);

}  // namespace gadwall
