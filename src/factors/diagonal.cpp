// A = diag(entries).
#include "factors/parts.hpp"
#include "factors/products.hpp"
#include "gadwall/factor_forms.hpp"

namespace gadwall {

std::optional<DiagonalFactor> DiagonalFactor::from_covariance(const Matrix& covariance) {
  const Vector variances = variances_of(covariance);
  if (!variances.allFinite() || !(variances.array() > 0).all()) return {};
  return DiagonalFactor(variances.cwiseSqrt());
}

DiagonalFactor DiagonalFactor::from_parts(Index n, const std::vector<NamedArray>& parts) {
  return DiagonalFactor(PartsReader(parts).positive("factor", n));
}

std::vector<NamedArray> DiagonalFactor::parts() const {
  return {part_from("factor", entries_)};
}

void DiagonalFactor::times(ConstMatrixRef v, MatrixRef out) const {
  out.noalias() = entries_.asDiagonal() * v;
}

void DiagonalFactor::both_times(ConstMatrixRef g, double half, MatrixRef whitened, MatrixRef move,
                                MatrixRef moved) const {
  both_times_in_turn(*this, g, half, whitened, move, moved);
}

Matrix DiagonalFactor::covariance_of(const std::vector<Index>& coordinates) const {
  return Vector(entries_(coordinates).array().square()).asDiagonal();
}

}  // namespace gadwall
