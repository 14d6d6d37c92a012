// Gaussian targets: N(mean, Sigma) with Sigma given, and the paper's three.
#pragma once

#include <memory>

#include "gadwall/target.hpp"

namespace gadwall {

/// log pi(x) = -|Ls^-1 (x - mean)|^2 / 2 with Sigma = Ls Ls^T. A diagonal Sigma costs O(n) a point.
class Gaussian final : public Target {
 public:
  /// Throws UsageError where the covariance is not symmetric positive definite.
  Gaussian(Vector mean, const Matrix& covariance);

  Index dim() const override { return mean_.size(); }
  void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const override;
  bool hessian_times(ConstMatrixRef x, ConstMatrixRef v, MatrixRef out) const override;

  TargetData data() const override;

  const Vector& mean() const { return mean_; }
  const Matrix& covariance() const { return covariance_; }

 private:
  void precision_times(ConstMatrixRef v, MatrixRef out) const;

  Vector mean_;
  Matrix covariance_;
  Vector precision_diagonal_;  // of a diagonal covariance; else empty
  Matrix precision_;
};

/// Covariance [1 .99; .99 1]: the paper's 2-d illustration.
std::shared_ptr<const Gaussian> gaussian2d();

/// Squared exponential kernel on a 51-point grid of [0, 4], lengthscale^2 0.16, noise 0.01.
std::shared_ptr<const Gaussian> gp51();

/// Independent, with standard deviations 0.01, 0.02, ..., 1 (Neal 2010).
std::shared_ptr<const Gaussian> neal100();

}  // namespace gadwall
