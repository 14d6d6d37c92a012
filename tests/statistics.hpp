// Judges a sample by the distribution it should have.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "gadwall/types.hpp"

namespace gadwall::testing {

inline double normal_cdf(double z) {
  return std::erfc(-z / std::numbers::sqrt2) / 2;
}

/// sqrt(N) times the largest distance between the sample's distribution function and the given one.
template <class Cdf>
double kolmogorov_smirnov(std::vector<double> sample, const Cdf& cdf) {
  std::ranges::sort(sample);
  const auto count = static_cast<double>(sample.size());
  double distance = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double wanted = cdf(sample[i]);
    distance = std::max({distance, wanted - static_cast<double>(i) / count,
                         static_cast<double>(i + 1) / count - wanted});
  }
  return std::sqrt(count) * distance;
}

/// A correct sample goes beyond t with probability 2 e^(-2 t^2) (Kolmogorov's limit law): here
/// 1e-4.
constexpr double kKolmogorovLimit = 2.225;

}  // namespace gadwall::testing
