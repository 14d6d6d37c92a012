#include <algorithm>
#include <cmath>
#include <limits>

#include "gadwall/warp.hpp"

namespace gadwall {

/// With s(t) = log(1 + e^t): s' = p, (s(-t))' = -q, p' = p q.
Bend::Value Bend::at(double t) const {
  const double small = std::exp(-std::abs(t));
  const double rest = std::log1p(small);
  const double up = std::max(t, 0.0) + rest, down = std::max(-t, 0.0) + rest;
  const double large_share = 1 / (1 + small), small_share = small / (1 + small);
  const double p = t >= 0 ? large_share : small_share;
  const double q = t >= 0 ? small_share : large_share;
  const double d =
      offset - left * down + right * up - left_square * down * down + right_square * up * up;
  const double slope =
      left * q + right * p + 2 * left_square * down * q + 2 * right_square * up * p;
  const double curvature = p * q * (right - left) - 2 * left_square * q * (q + down * p) +
                           2 * right_square * p * (p + up * q);
  return {d, slope, curvature / slope};
}

/// Newton's iteration, with what is known of the two sides as its bounds: the bend is monotone.
double Bend::inverse(double d) const {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  double low = -kNone, high = kNone, t = 0;
  for (int i = 0; i < 200; ++i) {
    const Value value = at(t);
    (value.d > d ? high : low) = t;
    double next = t - (value.d - d) / value.slope;
    if (std::abs(next - t) <= 1e-15 * std::max(1.0, std::abs(t))) return next;
    if (!(next > low && next < high)) {
      if (!std::isfinite(low + high)) return std::numeric_limits<double>::quiet_NaN();
      next = (low + high) / 2;
    }
    t = next;
  }
  return t;
}

void Bend::archive(Archive& a) {
  a("offset", offset);
  a("left", left);
  a("right", right);
  a("left square", left_square);
  a("right square", right_square);
}

}  // namespace gadwall
