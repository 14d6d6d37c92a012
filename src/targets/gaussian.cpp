#include "targets/gaussian.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gadwall/error.hpp"
#include "math/decompositions.hpp"
#include "math/stack_product.hpp"

namespace gadwall {
namespace {

void check_covariance(const Vector& mean, const Matrix& covariance) {
  const Index n = mean.size();
  if (covariance.rows() != n || covariance.cols() != n) {
    throw UsageError(
        fmt::format("covariance is {} x {}, expected {} x {} as the mean has {} entries",
                    covariance.rows(), covariance.cols(), n, n, n));
  }
  if (!covariance.allFinite() || !mean.allFinite()) {
    throw UsageError("mean or covariance has an entry that is not finite");
  }
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < j; ++i) {
      const double a = covariance(i, j);
      const double b = covariance(j, i);
      if (std::abs(a - b) > 1e-8 * std::max(std::abs(a), std::abs(b))) {
        throw UsageError(
            fmt::format("covariance is not symmetric: entry ({0}, {1}) is {2}, ({1}, {0}) is {3}",
                        i + 1, j + 1, a, b));
      }
    }
  }
}

}  // namespace

Gaussian::Gaussian(Vector mean, const Matrix& covariance)
    : mean_(std::move(mean)), covariance_(covariance) {
  check_covariance(mean_, covariance_);
  const std::optional<Matrix> factor = cholesky(covariance_);
  if (!factor) {
    throw UsageError("covariance is not positive definite: its Cholesky factorisation fails");
  }
  if (covariance_.isDiagonal(0)) {
    precision_diagonal_ = covariance_.diagonal().cwiseInverse();
  } else {
    precision_ = inverse_of_square(*factor);
  }
}

void Gaussian::precision_times(ConstMatrixRef v, MatrixRef out) const {
  if (precision_diagonal_.size() > 0) {
    out.noalias() = precision_diagonal_.asDiagonal() * v;
  } else if (v.cols() == 1) {
    out.col(0).noalias() = precision_ * v.col(0);
  } else {
    out.setZero();
    add_product(precision_, v, out);
  }
}

void Gaussian::evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const {
  thread_local Matrix centred, scaled;
  centred = x.colwise() - mean_;
  scaled.resize(x.rows(), x.cols());
  precision_times(centred, scaled);
  for (Index k = 0; k < x.cols(); ++k) logp[k] = -centred.col(k).dot(scaled.col(k)) / 2;
  if (grad.size() > 0) grad = -scaled;
}

bool Gaussian::hessian_times(ConstMatrixRef, ConstMatrixRef v, MatrixRef out) const {
  precision_times(v, out);
  out = -out;
  return true;
}

TargetData Gaussian::data() const {
  constexpr Index kMost = 500;  // a covariance of more would outweigh the draws
  const Index n = dim();
  TargetData data;
  data.constant.push_back({"mean", {n}, {mean_.begin(), mean_.end()}});
  if (n > kMost) return data;
  const double* first = covariance_.data();
  data.constant.push_back({"covariance", {n, n}, {first, first + covariance_.size()}});
  return data;
}

std::shared_ptr<const Gaussian> gaussian2d() {
  return std::make_shared<Gaussian>(Vector::Zero(2), Matrix{{1, 0.99}, {0.99, 1}});
}

std::shared_ptr<const Gaussian> gp51() {
  constexpr Index n = 51;
  Matrix covariance(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const double distance = 4.0 / (n - 1) * static_cast<double>(i - j);
      covariance(i, j) = std::exp(-distance * distance / (2 * 0.16)) + (i == j ? 0.01 : 0.0);
    }
  }
  return std::make_shared<Gaussian>(Vector::Zero(n), covariance);
}

std::shared_ptr<const Gaussian> neal100() {
  const Vector sds = Vector::LinSpaced(100, 0.01, 1);
  return std::make_shared<Gaussian>(Vector::Zero(100), Matrix(sds.cwiseAbs2().asDiagonal()));
}

}  // namespace gadwall
