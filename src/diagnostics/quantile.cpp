// Quantiles by linear interpolation between order statistics (R's type 7).
#include "diagnostics/quantile.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gadwall/diagnostics.hpp"
#include "gadwall/error.hpp"

namespace gadwall {
namespace {

// Rounds a product to double by itself. A fused multiply-add keeps more digits, and a quantile that
// should be one of the draws may then fall just below it, which changes the indicator x <= q.
double rounded_product(double a, double b) {
  const volatile double product = a * b;
  return product;
}

// Where the p-quantile of size values lies: weight of the way from order statistic low to high.
struct Place {
  std::size_t low;
  std::size_t high;
  double weight;
};

Place place_of(double p, std::size_t size) {
  // One-based, as R has it: the rounding of the sum decides whether the place is a whole number.
  const double index = 1.0 + rounded_product(static_cast<double>(size - 1), p);
  const double low = std::floor(index);
  return {static_cast<std::size_t>(low) - 1, static_cast<std::size_t>(std::ceil(index)) - 1,
          index - low};
}

double interpolate(double low, double high, double weight) {
  if (weight == 0 || low == high) return low;
  return rounded_product(1 - weight, low) + rounded_product(weight, high);
}

}  // namespace

void require_probability(double p) {
  if (!(p >= 0 && p <= 1)) {
    throw UsageError(fmt::format("quantile: the probability is {}; it must lie in [0, 1]", p));
  }
}

double quantile_of_sorted(const std::vector<double>& sorted, double p) {
  const Place place = place_of(p, sorted.size());
  return interpolate(sorted[place.low], sorted[place.high], place.weight);
}

double quantile(const Matrix& x, double p) {
  require_probability(p);
  if (x.size() == 0 || x.hasNaN()) return std::numeric_limits<double>::quiet_NaN();
  const Place place = place_of(p, static_cast<std::size_t>(x.size()));
  std::vector<double> values(x.data(), x.data() + x.size());
  const auto low = values.begin() + static_cast<std::ptrdiff_t>(place.low);
  std::nth_element(values.begin(), low, values.end());
  const double high = place.high == place.low ? *low : *std::min_element(low + 1, values.end());
  return interpolate(*low, high, place.weight);
}

double median_of(const Matrix& x) {
  if (x.size() == 0 || x.hasNaN()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> values(x.data(), x.data() + x.size());
  const auto upper = values.begin() + x.size() / 2;
  std::nth_element(values.begin(), upper, values.end());
  if (x.size() % 2 == 1) return *upper;
  return std::midpoint(*std::max_element(values.begin(), upper), *upper);
}

double median_of_sorted(const std::vector<double>& sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : std::midpoint(sorted[half - 1], sorted[half]);
}

}  // namespace gadwall
