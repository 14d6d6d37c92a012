#include <algorithm>
#include <cmath>

#include "gadwall/warp.hpp"

namespace gadwall {
namespace {

double softplus(double t) {
  return std::max(t, 0.0) + std::log1p(std::exp(-std::abs(t)));
}

double share_above(double t) {
  return t >= 0 ? 1 / (1 + std::exp(-t)) : std::exp(t) / (1 + std::exp(t));
}

}  // namespace

Bend::Value Bend::at(double t) const {
  const double up = softplus(t), down = softplus(-t);
  const double p = share_above(t), q = share_above(-t);  // derivatives of up and, negative, of down
  const double d =
      offset - left * down + right * up - left_square * down * down + right_square * up * up;
  const double slope =
      left * q + right * p + 2 * left_square * down * q + 2 * right_square * up * p;
  const double curvature = p * q * (right - left) - 2 * left_square * q * (q + down * p) +
                           2 * right_square * p * (p + up * q);
  return {d, slope, curvature / slope};
}

/// Newton's iteration within a bracket: the bend is monotone.
double Bend::inverse(double d) const {
  double low = -1, high = 1;
  while (at(low).d > d && low > -1e150) low *= 2;
  while (at(high).d < d && high < 1e150) high *= 2;
  double t = 0.5 * (low + high);
  for (int i = 0; i < 200; ++i) {
    const Value value = at(t);
    (value.d > d ? high : low) = t;
    double next = t - (value.d - d) / value.slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - t) <= 1e-15 * std::max(1.0, std::abs(t))) return next;
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
