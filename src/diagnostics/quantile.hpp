// Quantiles by linear interpolation between order statistics (R's type 7).
#pragma once

#include <vector>

#include "diagnostics/ranks.hpp"
#include "gadwall/types.hpp"

namespace gadwall {

/// Throws a UsageError unless p is in [0, 1].
void require_probability(double p);

/// The median as R's median() rounds it: the midpoint of the two central values. It may differ in
/// the last digit from the 0.5-quantile, and folding about it makes ties that matter. NaN where
/// a value is NaN.
double median_of(const Matrix& x);

/// The values of all draws in order, without a copy of them: those that sorted entries stand for,
/// and a few others. None is NaN.
class OrderedValues {
 public:
  OrderedValues(const SortedEntries& sorted, Vector others);

  /// The k-th smallest, k = 0, 1, ...
  double operator[](std::size_t k) const;

  std::size_t size() const { return sorted_size_ + static_cast<std::size_t>(others_.size()); }

 private:
  double of_sorted(std::size_t k) const;

  const SortedEntries& sorted_;
  Vector others_;                    // ascending
  std::vector<std::size_t> before_;  // values before every so many entries
  std::size_t sorted_size_ = 0;
};

double quantile_of(const OrderedValues& values, double p);
double median_of(const OrderedValues& values);

}  // namespace gadwall
