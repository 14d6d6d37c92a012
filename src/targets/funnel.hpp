// Neal's funnel (2003): v ~ N(0, 3^2), x_i | v ~ N(0, e^v), i = 1 ... n - 1. The standard test of
// a sampler with one step size for all of space: the neck is narrow, the mouth wide.
#pragma once

#include "gadwall/target.hpp"

namespace gadwall {

class Funnel final : public Target {
 public:
  explicit Funnel(Index dim = 10);

  Index dim() const override { return dim_; }
  std::vector<std::string> names() const override;
  void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const override;
  bool hessian_times(ConstMatrixRef x, ConstMatrixRef v, MatrixRef out) const override;

 private:
  Index dim_;
};

}  // namespace gadwall
