// A banana: x1 ~ N(0, 10^2), x2 | x1 ~ N(curvature (x1^2 - 100), 1), further coordinates N(0, 1)
// (Haario, Saksman & Tamminen 2001). Its moments are known exactly: mean zero, sd of x1 10,
// variance of x2 = 1 + 2 curvature^2 10^4.
#pragma once

#include "gadwall/target.hpp"

namespace gadwall {

class Banana final : public Target {
 public:
  explicit Banana(Index dim = 2, double curvature = 0.03);

  Index dim() const override { return dim_; }
  void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const override;
  bool hessian_times(ConstMatrixRef x, ConstMatrixRef v, MatrixRef out) const override;

 private:
  Index dim_;
  double curvature_;
};

}  // namespace gadwall
