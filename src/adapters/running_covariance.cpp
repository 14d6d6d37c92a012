#include "adapters/running_covariance.hpp"

namespace gadwall {

RunningCovariance::RunningCovariance(Metric metric, Index n)
    : dense_(metric == Metric::dense), mean_(Vector::Zero(n)), delta_(n) {
  squares_.setZero(n, dense_ ? n : 1);
}

void RunningCovariance::add(ConstVectorRef x) {
  count_ += 1;
  delta_ = x - mean_;
  mean_ += delta_ / count_;
  const double weight = (count_ - 1) / count_;  // (x - new mean) = weight * (x - old mean)
  if (dense_) {
    squares_.selfadjointView<Eigen::Lower>().rankUpdate(delta_, weight);
  } else {
    squares_.col(0) += weight * delta_.cwiseAbs2();
  }
}

Matrix RunningCovariance::shrunk() const {
  const double scale = count_ / (count_ + 5) / (count_ - 1);
  const double floor = 1e-3 * 5 / (count_ + 5);
  if (!dense_) return (scale * squares_).array() + floor;
  Matrix covariance = scale * squares_.selfadjointView<Eigen::Lower>().toDenseMatrix();
  covariance.diagonal().array() += floor;
  return covariance;
}

void RunningCovariance::archive(Archive& a) {
  a("count", count_);
  a("mean", mean_);
  a("squares", squares_);
}

}  // namespace gadwall
