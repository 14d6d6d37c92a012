#include "targets/banana.hpp"

#include <fmt/format.h>

#include "gadwall/error.hpp"

namespace gadwall {
namespace {

constexpr double kFirstVariance = 100;  // of x1

}  // namespace

Banana::Banana(Index dim, double curvature) : dim_(dim), curvature_(curvature) {
  if (dim < 2) throw UsageError(fmt::format("banana has dimension {}, needs at least 2", dim));
}

/// With m = x2 - b (x1^2 - v): log pi = -x1^2 / (2 v) - m^2 / 2 - |rest|^2 / 2.
void Banana::evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const {
  for (Index k = 0; k < x.cols(); ++k) {
    const double a = x(0, k);
    const double m = x(1, k) - curvature_ * (a * a - kFirstVariance);
    const auto rest = x.col(k).tail(dim_ - 2);
    logp[k] = -a * a / (2 * kFirstVariance) - m * m / 2 - rest.squaredNorm() / 2;
    if (grad.size() == 0) continue;
    grad(0, k) = -a / kFirstVariance + 2 * curvature_ * a * m;
    grad(1, k) = -m;
    grad.col(k).tail(dim_ - 2) = -rest;
  }
}

bool Banana::hessian_times(ConstMatrixRef x, ConstMatrixRef v, MatrixRef out) const {
  for (Index k = 0; k < x.cols(); ++k) {
    const double a = x(0, k);
    const double m = x(1, k) - curvature_ * (a * a - kFirstVariance);
    const double slope = 2 * curvature_ * a;
    out(0, k) =
        (-1 / kFirstVariance + 2 * curvature_ * m - slope * slope) * v(0, k) + slope * v(1, k);
    out(1, k) = slope * v(0, k) - v(1, k);
    out.col(k).tail(dim_ - 2) = -v.col(k).tail(dim_ - 2);
  }
  return true;
}

}  // namespace gadwall
