#include "targets/logistic.hpp"

#include <fmt/format.h>

#include <utility>

#include "gadwall/error.hpp"

namespace gadwall {

Logistic::Logistic(const Matrix& design, const Vector& labels, double prior_sd,
                   std::vector<std::string> names)
    : signed_design_((2 * labels.array() - 1).matrix().asDiagonal() * design),
      prior_precision_(1 / (prior_sd * prior_sd)),
      names_(std::move(names)) {
  if (!(prior_sd > 0)) throw UsageError(fmt::format("prior sd is {}, must be positive", prior_sd));
}

std::vector<std::string> Logistic::names() const {
  return names_.empty() ? Target::names() : names_;
}

/// With q = 1 / (1 + e^m): log likelihood = -sum log(1 + e^-m), gradient = X^T q (X signed).
/// e^-|m| never overflows: log(1 + e^-m) = max(-m, 0) + log(1 + e^-|m|).
void Logistic::evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const {
  thread_local Matrix margin, tail;
  margin.noalias() = signed_design_ * x;
  tail = (-margin.array().abs()).exp();
  for (Index k = 0; k < x.cols(); ++k) {
    logp[k] = -((-margin.col(k)).cwiseMax(0).array() + tail.col(k).array().log1p()).sum() -
              prior_precision_ * x.col(k).squaredNorm() / 2;
  }
  if (grad.size() == 0) return;
  margin.array() = (margin.array() > 0).select(tail.array(), 1.0) / (1 + tail.array());
  grad.noalias() = signed_design_.transpose() * margin;
  grad -= prior_precision_ * x;
}

/// H v = -X^T (q (1 - q) * X v) - v / prior_sd^2
bool Logistic::hessian_times(ConstMatrixRef x, ConstMatrixRef v, MatrixRef out) const {
  thread_local Matrix weight, along;
  weight.noalias() = signed_design_ * x;
  weight.array() = (-weight.array().abs()).exp();
  weight.array() /= (1 + weight.array()).square();
  along.noalias() = signed_design_ * v;
  along.array() *= weight.array();
  out.noalias() = -signed_design_.transpose() * along;
  out -= prior_precision_ * v;
  return true;
}

}  // namespace gadwall
