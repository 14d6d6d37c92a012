// Monte Carlo standard errors of the mean, the standard deviation and quantiles.
#include "diagnostics/mcse.hpp"

#include <algorithm>
#include <cmath>
#include <unsupported/Eigen/SpecialFunctions>
#include <vector>

#include "diagnostics/ess.hpp"
#include "diagnostics/moments.hpp"
#include "diagnostics/split.hpp"
#include "gadwall/diagnostics.hpp"

namespace gadwall {
namespace {

// Phi(-1) and Phi(1) with the digits that posterior has.
constexpr double one_sd_below = 0.1586553;
constexpr double one_sd_above = 0.8413447;

// The smallest k in 1..size for which a non-decreasing condition on k / size holds, else size.
template <class Condition>
Index first_fraction(Index size, Condition holds) {
  Index low = 1;
  Index high = size;
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    if (holds(static_cast<double>(middle) / static_cast<double>(size))) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// The k-th smallest, k = 1, 2, ...
double order_statistic(std::vector<double>& values, Index k) {
  const auto place = values.begin() + (k - 1);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

}  // namespace

double mcse_sd_of_moments(const CentralMoments& moments, double ess) {
  const double variance_of_squares = moments.fourth - moments.second * moments.second;
  return std::sqrt(variance_of_squares / ess / moments.second / 4);
}

double mcse_mean(const Matrix& x) {
  return std::sqrt(variance_of(all_values(x))) / std::sqrt(ess_mean(x));
}

double mcse_sd(const Matrix& x) {
  const double mean = mean_of(all_values(x));
  return mcse_sd_of_moments(central_moments(all_values(x), mean), ess_square(x));
}

double mcse_quantile(const Matrix& x, double p) {
  const double ess = ess_quantile(x, p);
  if (std::isnan(ess)) return ess;
  const auto cdf = [&](double fraction) {
    return Eigen::numext::betainc(ess * p + 1, ess * (1 - p) + 1, fraction);
  };
  // floor and ceiling of size times a quantile of the beta distribution, found without inverting
  // its distribution function: k <= size * q exactly where cdf(k / size) <= P.
  const Index size = x.size();
  const Index below = first_fraction(size, [&](double f) { return cdf(f) > one_sd_below; }) - 1;
  const Index above = first_fraction(size, [&](double f) { return cdf(f) >= one_sd_above; });
  std::vector<double> values(x.data(), x.data() + size);
  return (order_statistic(values, above) - order_statistic(values, std::max<Index>(below, 1))) / 2;
}

}  // namespace gadwall
