#include "gadwall/tuning.hpp"

#include <utility>

#include "gadwall/error.hpp"
#include "gadwall/options.hpp"
#include "math/triangular.hpp"

namespace gadwall {

Factor Factor::unit(Index n) {
  return Factor(Metric::unit, n);
}

Factor Factor::diagonal(Vector entries) {
  Factor factor(Metric::diag, entries.size());
  factor.diagonal_ = std::move(entries);
  return factor;
}

Factor Factor::dense(Matrix lower) {
  Factor factor(Metric::dense, lower.rows());
  factor.lower_ = lower.triangularView<Eigen::Lower>();
  return factor;
}

void Factor::times(ConstMatrixRef v, MatrixRef out) const {
  if (kind_ == Metric::unit) {
    out = v;
  } else if (kind_ == Metric::diag) {
    out.noalias() = diagonal_.asDiagonal() * v;
  } else if (v.cols() == 1) {
    lower_times(lower_, v.data(), out.data());
  } else {
    lower_times(lower_, v, out);
  }
}

void Factor::transpose_times(ConstMatrixRef g, MatrixRef out) const {
  if (kind_ == Metric::unit) {
    out = g;
  } else if (kind_ == Metric::diag) {
    out.noalias() = diagonal_.asDiagonal() * g;
  } else if (g.cols() == 1) {
    lower_transpose_times(lower_, g.data(), out.data());
  } else {
    lower_transpose_times(lower_, g, out);
  }
}

void Factor::both_times(ConstMatrixRef g, double half, MatrixRef whitened, MatrixRef move,
                        MatrixRef moved) const {
  if (kind_ == Metric::dense && g.cols() == 1) {
    lower_both_times(lower_, g.data(), half, {whitened.data(), move.data(), moved.data()});
  } else {
    transpose_times(g, whitened);
    move += half * whitened;
    times(move, moved);
  }
}

Vector Factor::diagonal() const {
  if (kind_ == Metric::unit) return Vector::Ones(dim_);
  return kind_ == Metric::diag ? diagonal_ : Vector(lower_.diagonal());
}

double Factor::log_determinant() const {
  if (kind_ == Metric::unit) return 0;
  return kind_ == Metric::diag ? diagonal_.array().log().sum()
                               : lower_.diagonal().array().log().sum();
}

Matrix Factor::matrix() const {
  return kind_ == Metric::dense ? lower_ : Matrix(diagonal().asDiagonal());
}

Matrix Factor::covariance() const {
  const Matrix lower = matrix();
  return lower * lower.transpose();
}

Vector Factor::covariance_diagonal() const {
  return kind_ == Metric::dense ? Vector(lower_.rowwise().squaredNorm())
                                : Vector(diagonal().array().square());
}

void Factor::archive(Archive& a) {
  std::string form = to_string(kind_);
  a("form", form);
  kind_ = metric_from_string(form);
  a("dim", dim_);
  if (kind_ == Metric::diag) a("diagonal", diagonal_);
  if (kind_ == Metric::dense) a("lower", lower_);
  if ((kind_ == Metric::diag && diagonal_.size() != dim_) ||
      (kind_ == Metric::dense && (lower_.rows() != dim_ || lower_.cols() != dim_))) {
    throw RunError("the factor L of the checkpoint has another size");
  }
}

}  // namespace gadwall
