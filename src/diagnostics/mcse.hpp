// The Monte Carlo standard error of a standard deviation, given the ESS.
#pragma once

#include "diagnostics/moments.hpp"

namespace gadwall {

/// Of draws with these moments; ess: that of their squares.
double mcse_sd_of_moments(const CentralMoments& moments, double ess);

}  // namespace gadwall
