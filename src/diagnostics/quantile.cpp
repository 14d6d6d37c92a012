// Quantiles by linear interpolation between order statistics (R's type 7).
#include "diagnostics/quantile.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "gadwall/diagnostics.hpp"
#include "gadwall/error.hpp"

namespace gadwall {
namespace {

constexpr std::size_t kStride = 1024;  // entries

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

OrderedValues::OrderedValues(const SortedEntries& sorted, Vector others)
    : sorted_(sorted), others_(std::move(others)) {
  std::sort(others_.begin(), others_.end());
  before_.reserve(sorted.size() / kStride + 1);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i % kStride == 0) before_.push_back(sorted_size_);
    sorted_size_ += sorted[i].count;
  }
}

double OrderedValues::of_sorted(std::size_t k) const {
  const auto stride = std::upper_bound(before_.begin(), before_.end(), k) - before_.begin() - 1;
  auto at = static_cast<std::size_t>(stride) * kStride;
  std::size_t end = before_[static_cast<std::size_t>(stride)] + sorted_[at].count;
  while (end <= k) end += sorted_[++at].count;
  return sorted_[at].value;
}

// Of the others j are among the k smallest: the least j for which the next of them is not below the
// greatest of the k - j sorted ones.
double OrderedValues::operator[](std::size_t k) const {
  const auto count = static_cast<std::size_t>(others_.size());
  const auto other = [&](std::size_t j) { return others_[static_cast<Index>(j)]; };
  std::size_t low = k < sorted_size_ ? 0 : k - sorted_size_, high = std::min(k, count);
  while (low < high) {
    const std::size_t j = low + (high - low) / 2;
    if (other(j) >= of_sorted(k - j - 1)) {
      high = j;
    } else {
      low = j + 1;
    }
  }
  if (low == count) return of_sorted(k - low);
  return k - low < sorted_size_ ? std::min(of_sorted(k - low), other(low)) : other(low);
}

double quantile_of(const OrderedValues& values, double p) {
  const Place place = place_of(p, values.size());
  return interpolate(values[place.low], values[place.high], place.weight);
}

double median_of(const OrderedValues& values) {
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : std::midpoint(values[half - 1], values[half]);
}

}  // namespace gadwall
