// Bayesian logistic regression: y_i ~ Bernoulli(1 / (1 + e^-z_i)), z = X w, w_j ~ N(0, prior_sd^2).
#pragma once

#include <string>
#include <vector>

#include "gadwall/target.hpp"
#include "targets/logistic/logistic_lanes.hpp"

namespace gadwall {

/// What was done to a table before it became a design.
struct LogisticTable {
  std::string statement = {};            // for people
  std::vector<NamedArray> scaling = {};  // for the draws file
  // Of the kept values: weight j divided by unit_j and, where the last column is a bias, that less
  // sum_j mean_j weight_j / unit_j. Empty: the weights as they are.
  Vector unit = {};  // one per feature
  Vector mean = {};
};

class Logistic final : public Target {
 public:
  /// design: N x n; labels: N entries, 0 or 1.
  Logistic(const Matrix& design, const Vector& labels, double prior_sd,
           std::vector<std::string> names = {}, LogisticTable table = {});

  Index dim() const override { return rows_.columns; }
  std::vector<std::string> names() const override;
  void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const override;
  bool hessian_times(ConstMatrixRef x, ConstMatrixRef v, MatrixRef out) const override;
  TargetData data() const override { return data_; }
  std::string statement() const override { return table_.statement; }
  void output(ConstVectorRef x, const NoiseKey& key, VectorRef values) const override;
  Vector coordinates(const std::vector<std::string>& value_names,
                     ConstVectorRef values) const override;

 private:
  // Row i is s_i X_i with s_i = +1 (y = 1) or -1 (y = 0): then log p(y_i | z_i) = -log(1 + e^-m_i)
  // with the margin m = rows w, for both classes alike.
  SignedRows rows_;
  double prior_precision_;
  std::vector<std::string> names_;
  LogisticTable table_;
  TargetData data_;
};

}  // namespace gadwall
