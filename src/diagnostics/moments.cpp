// Two-pass moments.
#include "diagnostics/moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gadwall {

double mean_of(ConstVectorRef values) {
  const auto size = static_cast<double>(values.size());
  const double rough = values.sum() / size;
  if (!std::isfinite(rough)) return rough;
  return rough + (values.array() - rough).sum() / size;
}

double variance_of(ConstVectorRef values) {
  return variance_of(values, mean_of(values));
}

double variance_of(ConstVectorRef values, double mean) {
  if (values.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  return (values.array() - mean).square().sum() / static_cast<double>(values.size() - 1);
}

CentralMoments central_moments(ConstVectorRef values, double mean) {
  constexpr Index kPiece = 1024;  // stays in the first cache
  Eigen::Array<double, Eigen::Dynamic, 1, 0, kPiece, 1> distances;
  CentralMoments sums;
  for (Index from = 0; from < values.size(); from += kPiece) {
    distances = values.segment(from, std::min(kPiece, values.size() - from)).array() - mean;
    // Sums of expressions: that of an array begins where its memory is aligned, for AVX-512 to more
    // than the stack is, and so would differ in the last digit from call to call.
    sums.second += distances.square().sum();
    sums.fourth += distances.square().square().sum();
  }
  const auto size = static_cast<double>(values.size());
  return {sums.second / size, sums.fourth / size};
}

bool are_finite(ConstVectorRef values) {
  return (values.array() * 0.0).sum() == 0;
}

bool is_constant(const Matrix& x) {
  constexpr double least = std::numeric_limits<double>::epsilon();
  for (const double value : all_values(x)) {
    if (!(std::abs(value - x(0)) < least)) return false;
  }
  return x.maxCoeff() - x.minCoeff() < least;
}

}  // namespace gadwall
