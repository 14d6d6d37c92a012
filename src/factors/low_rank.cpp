// A = diag(s) (I + U (sqrt(lambda) - I) U^T).
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "factors/parts.hpp"
#include "factors/products.hpp"
#include "gadwall/factor_forms.hpp"
#include "math/decompositions.hpp"
#include "math/products.hpp"
#include "math/scratch.hpp"
#include "math/stack_product.hpp"

namespace gadwall {
namespace {

constexpr double kOrthonormal = 1e-6;  // of U^T U - I: files may hold rounded numbers

void check_orthonormal(const Matrix& directions) {
  const Index r = directions.cols();
  if (r == 0) return;
  const Matrix excess = transposed_product(directions, directions) - Matrix::Identity(r, r);
  const double worst = excess.cwiseAbs().maxCoeff();
  if (worst > kOrthonormal) {
    refuse_part("directions",
                fmt::format("is not orthonormal: U^T U differs from I by {:.2g}", worst));
  }
}

constexpr double kSilent = 1e-12;  // of lambda - 1: rounding

}  // namespace

LowRankFactor from_spectrum(Vector scales, const Matrix& directions, const Vector& eigenvalues) {
  std::vector<Index> kept;
  for (Index j = 0; j < eigenvalues.size(); ++j) {
    if (std::abs(eigenvalues[j] - 1) > kSilent) kept.push_back(j);
  }
  return {std::move(scales), directions(Eigen::all, kept), eigenvalues(kept)};
}

LowRankFactor::LowRankFactor(Vector scales, Matrix directions, Vector eigenvalues)
    : scales_(std::move(scales)),
      directions_(std::move(directions)),
      eigenvalues_(std::move(eigenvalues)),
      excess_(eigenvalues_.array().sqrt() - 1) {}

LowRankFactor LowRankFactor::from_diagonal(const Vector& diagonal) {
  return {diagonal, Matrix(diagonal.size(), 0), Vector()};
}

std::optional<LowRankFactor> LowRankFactor::from_covariance(const Matrix& covariance) {
  const Vector variances = variances_of(covariance);
  if (!covariance.allFinite() || !(variances.array() > 0).all()) return {};
  const Vector scales = variances.cwiseSqrt();
  if (covariance.cols() != covariance.rows()) return from_diagonal(scales);
  const auto whitening = scales.cwiseInverse().asDiagonal();
  const Spectrum spectrum = spectrum_of(whitening * covariance * whitening);
  if (!spectrum.found || !(spectrum.values.minCoeff() > 0)) return {};
  return from_spectrum(scales, spectrum.vectors, spectrum.values);
}

LowRankFactor LowRankFactor::from_parts(Index n, const std::vector<NamedArray>& parts) {
  const PartsReader reader(parts);
  Vector scales = reader.positive("scales", n);
  // Without directions, which some formats cannot write, there are none.
  if (!reader.has("directions") && !reader.has("eigenvalues")) return from_diagonal(scales);
  const Index rank = reader.columns("directions");
  if (rank > n)
    refuse_part("directions", fmt::format("has {} columns, expected at most {}", rank, n));
  Matrix directions = reader.matrix("directions", n, rank);
  Vector eigenvalues = reader.positive("eigenvalues", rank);
  check_orthonormal(directions);
  return {std::move(scales), std::move(directions), std::move(eigenvalues)};
}

std::vector<NamedArray> LowRankFactor::parts() const {
  return {part_from("scales", scales_), part_from("directions", directions_),
          part_from("eigenvalues", eigenvalues_)};
}

/// x <- (I + U (sqrt(lambda) - I) U^T) x
void LowRankFactor::stretch(MatrixRef x) const {
  thread_local Vector memory;
  const Index r = rank();
  if (r == 0) return;
  Eigen::Map<Matrix> along(scratch(memory, r * x.cols()), r, x.cols());
  if (x.cols() == 1) {
    along.col(0).noalias() = directions_.transpose() * x.col(0);
    along.col(0).array() *= excess_.array();
    x.col(0).noalias() += directions_ * along.col(0);
  } else {
    transpose_product(directions_, x, along);
    along.array().colwise() *= excess_.array();
    add_product(directions_, along, x);
  }
}

void LowRankFactor::times(ConstMatrixRef v, MatrixRef out) const {
  out = v;
  stretch(out);
  out.array().colwise() *= scales_.array();
}

void LowRankFactor::transpose_times(ConstMatrixRef g, MatrixRef out) const {
  out.noalias() = scales_.asDiagonal() * g;
  stretch(out);
}

void LowRankFactor::both_times(ConstMatrixRef g, double half, MatrixRef whitened, MatrixRef move,
                               MatrixRef moved) const {
  both_times_in_turn(*this, g, half, whitened, move, moved);
}

double LowRankFactor::log_determinant() const {
  return scales_.array().log().sum() + eigenvalues_.array().log().sum() / 2;
}

Matrix LowRankFactor::matrix() const {
  Matrix inner = product_transposed(directions_ * excess_.asDiagonal(), directions_);
  inner.diagonal().array() += 1;
  return scales_.asDiagonal() * inner;
}

Vector LowRankFactor::matrix_diagonal() const {
  return scales_.array() * (1 + (directions_.cwiseAbs2() * excess_).array());
}

Matrix LowRankFactor::covariance() const {
  const Matrix scaled = scales_.asDiagonal() * directions_;
  Matrix sum =
      product_transposed(scaled * (eigenvalues_.array() - 1).matrix().asDiagonal(), scaled);
  sum.diagonal() += scales_.cwiseAbs2();
  return sum;
}

Matrix LowRankFactor::covariance_of(const std::vector<Index>& coordinates) const {
  return LowRankFactor(scales_(coordinates), directions_(coordinates, Eigen::all), eigenvalues_)
      .covariance();
}

Vector LowRankFactor::covariance_diagonal() const {
  const Vector excess = eigenvalues_.array() - 1;
  return scales_.array().square() * (1 + (directions_.cwiseAbs2() * excess).array());
}

bool LowRankFactor::is_finite() const {
  return scales_.allFinite() && directions_.allFinite() && eigenvalues_.allFinite();
}

}  // namespace gadwall
