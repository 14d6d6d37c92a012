// The effective sample size of a set of chains, shared by every ESS and MCSE.
#pragma once

#include "gadwall/types.hpp"

namespace gadwall {

/// Of the n x m values as they stand, one (half) chain per column. NaN for n < 3, constant or
/// non-finite values.
double ess_of_chains(Matrix chains);

/// Of the indicators value <= limit.
double ess_of_indicator(const Matrix& chains, double limit);

/// (x - mean)^2 for the mean of all entries.
Matrix squared_deviations(const Matrix& x);

}  // namespace gadwall
