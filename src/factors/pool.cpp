#include "factors/pool.hpp"

#include <Eigen/Cholesky>
#include <cmath>

namespace gadwall {
namespace {

Factor pooled_factor(std::span<const Tuning* const> tunings) {
  const Factor& first = tunings.front()->factor();
  const auto count = static_cast<double>(tunings.size());
  if (first.kind() == Metric::unit) return first;
  if (first.kind() == Metric::diag) {
    Vector variances = Vector::Zero(first.dim());
    for (const Tuning* one : tunings) variances += one->factor().covariance_diagonal() / count;
    return Factor::diagonal(variances.cwiseSqrt());
  }
  Matrix covariance = Matrix::Zero(first.dim(), first.dim());
  for (const Tuning* one : tunings) covariance += one->factor().covariance() / count;
  return Factor::dense(covariance.llt().matrixL());
}

}  // namespace

Tuning pooled_tuning(std::span<const Tuning* const> tunings) {
  double log_step = 0;
  for (const Tuning* one : tunings) {
    log_step += std::log(one->step) / static_cast<double>(tunings.size());
  }
  return Tuning(pooled_factor(tunings), std::exp(log_step));
}

}  // namespace gadwall
