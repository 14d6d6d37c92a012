#include "gadwall/check_gradient.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "gadwall/error.hpp"

namespace gadwall {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

double log_density(const Target& target, const Vector& x) {
  Vector logp(1);
  Matrix none;
  target.evaluate(x, logp, none);
  return logp[0];
}

}  // namespace

/// The error of (f(x + h) - f(x - h)) / 2h is h^2 f''' / 6 + eps |f| / h: h is near eps^(1/3).
GradientCheck check_gradient(const Target& target, ConstVectorRef x) {
  const Index n = target.dim();
  if (x.size() != n) {
    throw UsageError(fmt::format("the point has {} coordinates, expected {}", x.size(), n));
  }
  Vector logp(1);
  Matrix gradient(n, 1);
  target.evaluate(x, logp, gradient);
  if (!std::isfinite(logp[0])) {
    throw UsageError(
        fmt::format("the log density is {} at the point where its gradient is to be "
                    "checked, expected a finite number",
                    logp[0]));
  }
  GradientCheck worst{.coordinate = 0, .given = gradient(0, 0), .measured = 0, .error = -1};
  Vector at = x;
  for (Index i = 0; i < n; ++i) {
    const double h = std::cbrt(kEpsilon) * (1 + std::abs(x[i]));
    at[i] = x[i] + h;
    const double above = log_density(target, at);
    at[i] = x[i] - h;
    const double below = log_density(target, at);
    at[i] = x[i];
    if (!std::isfinite(above) || !std::isfinite(below)) continue;  // at the edge of the support
    const double given = gradient(i, 0);
    const double measured = (above - below) / (2 * h);
    const double rounding = 1e5 * kEpsilon * (std::abs(above) + std::abs(below)) / h;
    const double off = std::abs(given - measured) / (1 + std::abs(given) + rounding);
    const double error = std::isnan(off) ? std::numeric_limits<double>::infinity() : off;
    if (error > worst.error) worst = {i, given, measured, error};
  }
  worst.error = std::max(worst.error, 0.0);
  return worst;
}

std::string to_text(const GradientCheck& check, const Target& target) {
  return fmt::format("the gradient of {} is {:.6g}, by differences of the log density {:.6g}",
                     target.names()[static_cast<std::size_t>(check.coordinate)], check.given,
                     check.measured);
}

}  // namespace gadwall
