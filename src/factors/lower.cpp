// A = L, lower triangular.
#include "factors/parts.hpp"
#include "factors/products.hpp"
#include "gadwall/factor_forms.hpp"
#include "math/decompositions.hpp"
#include "math/products.hpp"
#include "math/triangular.hpp"

namespace gadwall {

std::optional<LowerFactor> LowerFactor::from_covariance(const Matrix& covariance) {
  if (!covariance.allFinite()) return {};
  if (covariance.cols() != covariance.rows()) {
    const Vector variances = variances_of(covariance);
    if (!(variances.array() > 0).all()) return {};
    return from_diagonal(variances.cwiseSqrt());
  }
  const std::optional<Matrix> root = cholesky(covariance);
  if (!root) return {};
  return LowerFactor(*root);
}

LowerFactor LowerFactor::from_parts(Index n, const std::vector<NamedArray>& parts) {
  const Matrix lower = PartsReader(parts).matrix("factor", n, n);
  if (!lower.isLowerTriangular(0)) refuse_part("factor", "is not lower triangular");
  if (!(lower.diagonal().array() > 0).all()) {
    refuse_part("factor", "has a diagonal that is not positive");
  }
  return LowerFactor(lower);
}

std::vector<NamedArray> LowerFactor::parts() const {
  return {part_from("factor", lower_)};
}

void LowerFactor::times(ConstMatrixRef v, MatrixRef out) const {
  if (v.cols() == 1) {
    lower_times(lower_, v.data(), out.data());
  } else {
    lower_times(lower_, v, out);
  }
}

void LowerFactor::transpose_times(ConstMatrixRef g, MatrixRef out) const {
  if (g.cols() == 1) {
    lower_transpose_times(lower_, g.data(), out.data());
  } else {
    lower_transpose_times(lower_, g, out);
  }
}

void LowerFactor::both_times(ConstMatrixRef g, double half, MatrixRef whitened, MatrixRef move,
                             MatrixRef moved) const {
  if (g.cols() == 1) {
    lower_both_times(lower_, g.data(), half, {whitened.data(), move.data(), moved.data()});
  } else {
    both_times_in_turn(*this, g, half, whitened, move, moved);
  }
}

Matrix LowerFactor::covariance_of(const std::vector<Index>& coordinates) const {
  const Matrix rows = lower_(coordinates, Eigen::all);
  return product_transposed(rows, rows);
}

}  // namespace gadwall
