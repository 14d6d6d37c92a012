// Bayesian logistic regression: y_i ~ Bernoulli(1 / (1 + e^-z_i)), z = X w, w_j ~ N(0, prior_sd^2).
#pragma once

#include <string>
#include <vector>

#include "gadwall/target.hpp"
#include "targets/logistic/logistic_lanes.hpp"

namespace gadwall {

class Logistic final : public Target {
 public:
  /// design: N x n; labels: N entries, 0 or 1.
  /// scaling: what was done to the features of a table, for the draws file.
  Logistic(const Matrix& design, const Vector& labels, double prior_sd,
           std::vector<std::string> names = {}, std::vector<NamedArray> scaling = {});

  Index dim() const override { return rows_.columns; }
  std::vector<std::string> names() const override;
  void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const override;
  bool hessian_times(ConstMatrixRef x, ConstMatrixRef v, MatrixRef out) const override;
  TargetData data() const override { return data_; }

 private:
  // Row i is s_i X_i with s_i = +1 (y = 1) or -1 (y = 0): then log p(y_i | z_i) = -log(1 + e^-m_i)
  // with the margin m = rows w, for both classes alike.
  SignedRows rows_;
  double prior_precision_;
  std::vector<std::string> names_;
  TargetData data_;
};

}  // namespace gadwall
