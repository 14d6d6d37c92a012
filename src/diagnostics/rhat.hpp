// The potential scale reduction factor of a set of chains.
#pragma once

#include "diagnostics/ranks.hpp"
#include "gadwall/types.hpp"

namespace gadwall {

/// sqrt(((n - 1) W + B) / (n W)) of the n x m values as they stand, one (half) chain per column:
/// W the mean of the variances, B = n var(means). NaN for n < 2, constant or non-finite values.
double rhat_of_chains(const Matrix& chains);

/// The larger of R-hat of the scores and of the scores of |value - median|; NaN where one is.
/// sorted holds the entries of the matrix that scores were made of.
double rhat_of_ranks(const Matrix& scores, const SortedEntries& sorted, double median);

}  // namespace gadwall
