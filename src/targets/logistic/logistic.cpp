#include "targets/logistic/logistic.hpp"

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
                   std::vector<std::string> names, LogisticTable table)
    : rows_(checked(design, labels), labels),
      prior_precision_(1 / (prior_sd * prior_sd)),
      names_(std::move(names)),
      table_(std::move(table)),
      data_{table_.scaling, {{"y", {labels.size()}, {labels.begin(), labels.end()}}}} {
  if (!(prior_sd > 0)) throw UsageError(fmt::format("prior sd is {}, must be positive", prior_sd));
  data_.constant.push_back({"prior_sd", {}, {prior_sd}});
  if (!names_.empty()) data_.values = {"beta", "feature"};
}

std::vector<std::string> Logistic::names() const {
  return names_.empty() ? Target::names() : names_;
}

void Logistic::output(ConstVectorRef x, const NoiseKey& key, VectorRef values) const {
  Target::output(x, key, values);
  const Index features = table_.unit.size();
  if (features == 0) return;
  values.head(features).array() /= table_.unit.array();
  if (features < dim()) values[features] -= values.head(features).dot(table_.mean);
}

Vector Logistic::coordinates(const std::vector<std::string>& value_names,
                             ConstVectorRef values) const {
  Vector x = Target::coordinates(value_names, values);
  const Index features = table_.unit.size();
  if (features == 0) return x;
  if (features < dim()) x[features] += x.head(features).dot(table_.mean);
  x.head(features).array() *= table_.unit.array();
  return x;
}

void Logistic::evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const {
  add_up_likelihood(rows_, x, logp, grad);
  logp -= prior_precision_ / 2 * x.colwise().squaredNorm().transpose();
  if (grad.size() != 0) grad -= prior_precision_ * x;
}

/// With q = 1 / (1 + e^m) and X signed: H v = -X^T (q (1 - q) * X v) - v / prior_sd^2. In panels of
/// rows that stay in the cache, so small that Eigen keeps its copies of them on the stack.
bool Logistic::hessian_times(ConstMatrixRef x, ConstMatrixRef v, MatrixRef out) const {
  thread_local Matrix xv, rare_xv, margins, sum, rare_sum;
  const Index lanes = x.cols(), width = rows_.width, rare = rows_.rare.count();
  const Index panel = std::clamp<Index>(4096 / width, 8, 96);
  xv.resize(width, 2 * lanes);  // x and v side by side
  rare_xv.resize(rare, 2 * lanes);
  margins.resize(panel, 2 * lanes);
  rows_.split(x, xv.leftCols(lanes), rare_xv.leftCols(lanes));
  rows_.split(v, xv.rightCols(lanes), rare_xv.rightCols(lanes));
  sum.setZero(width, lanes);
  rare_sum.setZero(rare, lanes);
  for (Index i = 0; i < rows_.rows; i += panel) {
    const Index count = std::min(panel, rows_.rows - i);
    const auto design = rows_.padded.block(i, 0, count, width);
    const auto entries = rows_.rare.of_rows(i, count);
    auto m = margins.topRows(count);
    m.leftCols(lanes).noalias() = design * xv.leftCols(lanes);
    m.rightCols(lanes).noalias() = design * xv.rightCols(lanes);
    for (const RareEntry& e : entries) m.row(e.row - i) += e.excess * rare_xv.row(e.column);
    auto t = m.leftCols(lanes).array();
    auto a = m.rightCols(lanes);
    t = (-t.abs()).exp();
    a.array() *= t / (1 + t).square();
    sum.noalias() += design.transpose() * a;
    for (const RareEntry& e : entries) rare_sum.row(e.column) += e.excess * a.row(e.row - i);
  }
  rows_.join(sum, rare_sum, out);
  out = -out - prior_precision_ * v;
  return true;
}

}  // namespace gadwall
