#include "targets/logistic.hpp"

#include <fmt/format.h>

#include <utility>

#include "gadwall/error.hpp"

namespace gadwall {
namespace {

const Matrix& checked(const Matrix& design, const Vector& labels) {
  if (design.rows() != labels.size()) {
    throw UsageError(fmt::format("design has {} rows and there are {} labels, expected as many",
                                 design.rows(), labels.size()));
  }
  for (const double label : labels) {
    if (label != 0 && label != 1) {
      throw UsageError(fmt::format("a label is {}, expected 0 or 1", label));
    }
  }
  return design;
}

}  // namespace

Logistic::Logistic(const Matrix& design, const Vector& labels, double prior_sd,
                   std::vector<std::string> names)
    : rows_(checked(design, labels), labels),
      prior_precision_(1 / (prior_sd * prior_sd)),
      names_(std::move(names)) {
  if (!(prior_sd > 0)) throw UsageError(fmt::format("prior sd is {}, must be positive", prior_sd));
}

std::vector<std::string> Logistic::names() const {
  return names_.empty() ? Target::names() : names_;
}

void Logistic::evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const {
  add_up_likelihood(rows_, x, logp, grad);
  logp -= prior_precision_ / 2 * x.colwise().squaredNorm().transpose();
  if (grad.size() != 0) grad -= prior_precision_ * x;
}

/// With q = 1 / (1 + e^m) and X signed: H v = -X^T (q (1 - q) * X v) - v / prior_sd^2
bool Logistic::hessian_times(ConstMatrixRef x, ConstMatrixRef v, MatrixRef out) const {
  thread_local Matrix weight, along;
  const auto design = rows_.padded.topLeftCorner(rows_.rows, rows_.columns);
  weight.noalias() = design * x;
  weight.array() = (-weight.array().abs()).exp();
  weight.array() /= (1 + weight.array()).square();
  along.noalias() = design * v;
  along.array() *= weight.array();
  out.noalias() = -design.transpose() * along;
  out -= prior_precision_ * v;
  return true;
}

}  // namespace gadwall
