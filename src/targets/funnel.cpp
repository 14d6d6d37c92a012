#include "targets/funnel.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gadwall/error.hpp"

namespace gadwall {
namespace {

constexpr double kNeckVariance = 9;  // of v

}  // namespace

Funnel::Funnel(Index dim) : dim_(dim) {
  if (dim < 2) throw UsageError(fmt::format("funnel has dimension {}, needs at least 2", dim));
}

std::vector<std::string> Funnel::names() const {
  std::vector<std::string> result{"v"};
  for (Index i = 1; i < dim_; ++i) result.push_back(fmt::format("x.{}", i));
  return result;
}

/// log pi = -v^2 / 18 - (n - 1) v / 2 - e^-v |x|^2 / 2
void Funnel::evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const {
  const auto rest_dim = static_cast<double>(dim_ - 1);
  for (Index k = 0; k < x.cols(); ++k) {
    const double v = x(0, k);
    const double precision = std::exp(-v);
    const auto rest = x.col(k).tail(dim_ - 1);
    const double half_square = precision * rest.squaredNorm() / 2;
    logp[k] = -v * v / (2 * kNeckVariance) - rest_dim * v / 2 - half_square;
    if (grad.size() == 0) continue;
    grad(0, k) = -v / kNeckVariance - rest_dim / 2 + half_square;
    grad.col(k).tail(dim_ - 1) = -precision * rest;
  }
}

bool Funnel::hessian_times(ConstMatrixRef x, ConstMatrixRef v, MatrixRef out) const {
  for (Index k = 0; k < x.cols(); ++k) {
    const double precision = std::exp(-x(0, k));
    const auto rest = x.col(k).tail(dim_ - 1);
    const auto v_rest = v.col(k).tail(dim_ - 1);
    out(0, k) = (-1 / kNeckVariance - precision * rest.squaredNorm() / 2) * v(0, k) +
                precision * rest.dot(v_rest);
    out.col(k).tail(dim_ - 1) = precision * (rest * v(0, k) - v_rest);
  }
  return true;
}

}  // namespace gadwall
