#include "targets/logistic.hpp"

#include <fmt/format.h>

#include <algorithm>
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
                   std::vector<std::string> names, std::vector<NamedArray> scaling)
    : rows_(checked(design, labels), labels),
      prior_precision_(1 / (prior_sd * prior_sd)),
      names_(std::move(names)),
      data_{std::move(scaling), {{"y", {labels.size()}, {labels.begin(), labels.end()}}}} {
  if (!(prior_sd > 0)) throw UsageError(fmt::format("prior sd is {}, must be positive", prior_sd));
  data_.constant.push_back({"prior_sd", {}, {prior_sd}});
}

std::vector<std::string> Logistic::names() const {
  return names_.empty() ? Target::names() : names_;
}

void Logistic::evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const {
  add_up_likelihood(rows_, x, logp, grad);
  logp -= prior_precision_ / 2 * x.colwise().squaredNorm().transpose();
  if (grad.size() != 0) grad -= prior_precision_ * x;
}

/// With q = 1 / (1 + e^m) and X signed: H v = -X^T (q (1 - q) * X v) - v / prior_sd^2. In panels of
/// rows that stay in the cache, so small that Eigen keeps its copies of them on the stack.
bool Logistic::hessian_times(ConstMatrixRef x, ConstMatrixRef v, MatrixRef out) const {
  thread_local Matrix weight, along;
  const Index panel = std::clamp<Index>(4096 / rows_.columns, 8, 96);
  out = -prior_precision_ * v;
  for (Index i = 0; i < rows_.rows; i += panel) {
    const Index count = std::min(panel, rows_.rows - i);
    const auto design = rows_.padded.block(i, 0, count, rows_.columns);
    weight.resize(panel, x.cols());
    along.resize(panel, x.cols());
    auto w = weight.topRows(count);
    auto a = along.topRows(count);
    w.noalias() = design * x;
    w.array() = (-w.array().abs()).exp();
    w.array() /= (1 + w.array()).square();
    a.noalias() = design * v;
    a.array() *= w.array();
    out.noalias() -= design.transpose() * a;
  }
  return true;
}

}  // namespace gadwall
