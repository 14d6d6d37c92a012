#include "adapters/running_covariance.hpp"

namespace gadwall {

RunningCovariance::RunningCovariance(Metric metric, Index n)
    : dense_(is_correlated(metric)), mean_(Vector::Zero(n)), delta_(n) {
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

Matrix RunningCovariance::covariance() const {
  if (!dense_) return squares_ / (count_ - 1);
  return squares_.selfadjointView<Eigen::Lower>().toDenseMatrix() / (count_ - 1);
}

Matrix RunningCovariance::shrunk() const {
  const double floor = 1e-3 * 5 / (count_ + 5);
  Matrix covariance = count_ / (count_ + 5) * this->covariance();
  if (!dense_) return covariance.array() + floor;
  covariance.diagonal().array() += floor;
  return covariance;
}

void RunningCovariance::archive(Archive& a) {
  a("count", count_);
  a("mean", mean_);
  a("squares", squares_);
}

}  // namespace gadwall
