// Means and spreads that keep their digits when the mean is large against the spread.
#pragma once

#include "gadwall/types.hpp"

namespace gadwall {

using ConstValues = Eigen::Map<const Vector>;

/// The entries of a matrix as one vector, column after column.
inline ConstValues all_values(const Matrix& x) {
  return {x.data(), x.size()};
}

/// The sum is corrected by the sum of the residuals, so the mean of equal values is that value.
double mean_of(ConstVectorRef values);

/// sum (x - mean)^2 / (size - 1); NaN for fewer than two values
double variance_of(ConstVectorRef values);
double variance_of(ConstVectorRef values, double mean);

struct CentralMoments {
  double second = 0;
  double fourth = 0;
};

/// Means of (x - mean)^2 and (x - mean)^4.
CentralMoments central_moments(ConstVectorRef values, double mean);

/// Eigen's allFinite() stops at the first that is not, and so goes one by one.
bool are_finite(ConstVectorRef values);

/// posterior's test of a constant: the range is below the machine epsilon, in absolute terms.
bool is_constant(const Matrix& x);

}  // namespace gadwall
