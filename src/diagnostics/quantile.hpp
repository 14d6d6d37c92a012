// Quantiles by linear interpolation between order statistics (R's type 7).
#pragma once

#include <vector>

#include "gadwall/types.hpp"

namespace gadwall {

/// Throws a UsageError unless p is in [0, 1].
void require_probability(double p);

/// The p-quantile of values in ascending order, not empty, none NaN.
double quantile_of_sorted(const std::vector<double>& sorted, double p);

/// The median as R's median() rounds it: the midpoint of the two central values. It may differ in
/// the last digit from the 0.5-quantile, and folding about it makes ties that matter. NaN where
/// a value is NaN.
double median_of(const Matrix& x);

double median_of_sorted(const std::vector<double>& sorted);

}  // namespace gadwall
