// What the forms of a factor share.
#pragma once

#include "gadwall/factor_forms.hpp"

namespace gadwall {

/// The products of a Langevin proposal one after the other.
template <class F>
void both_times_in_turn(const F& factor, ConstMatrixRef g, double half, MatrixRef whitened,
                        MatrixRef move, MatrixRef moved) {
  factor.transpose_times(g, whitened);
  move += half * whitened;
  factor.times(move, moved);
}

/// Of an n x n or n x 1 covariance.
inline Vector variances_of(const Matrix& covariance) {
  return covariance.cols() == 1 ? Vector(covariance.col(0)) : Vector(covariance.diagonal());
}

/// Directions whose eigenvalue is 1 say nothing and are left out.
LowRankFactor from_spectrum(Vector scales, const Matrix& directions, const Vector& eigenvalues);

}  // namespace gadwall
