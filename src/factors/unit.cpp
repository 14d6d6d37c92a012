// A = I.
#include "factors/products.hpp"
#include "gadwall/error.hpp"
#include "gadwall/factor_forms.hpp"

namespace gadwall {

UnitFactor UnitFactor::from_diagonal(const Vector& diagonal) {
  if ((diagonal.array() != 1).any()) {
    throw UsageError("a unit factor has scale 1, expected another form for other scales");
  }
  return UnitFactor(diagonal.size());
}

std::optional<UnitFactor> UnitFactor::from_covariance(const Matrix& covariance) {
  return UnitFactor(covariance.rows());
}

UnitFactor UnitFactor::from_parts(Index n, const std::vector<NamedArray>&) {
  return UnitFactor(n);
}

void UnitFactor::both_times(ConstMatrixRef g, double half, MatrixRef whitened, MatrixRef move,
                            MatrixRef moved) const {
  both_times_in_turn(*this, g, half, whitened, move, moved);
}

Matrix UnitFactor::covariance_of(const std::vector<Index>& coordinates) const {
  const auto size = static_cast<Index>(coordinates.size());
  return Matrix::Identity(size, size);
}

DiagonalFactor UnitFactor::scaled(double c) const {
  return DiagonalFactor(Vector::Constant(dim_, c));
}

}  // namespace gadwall
