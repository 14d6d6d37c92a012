#include "meetings/persistence.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace gadwall {
namespace {

constexpr double kLargest = 0.999;  // of |cos t|: noise must not make a matrix singular

/// Degree 1: x, v.
Eigen::Matrix2d turn_of_values(double c, double s) {
  return Eigen::Matrix2d{{c, s}, {-s, c}};
}

/// Degree 2, orthonormal: (x^2 - 1)/sqrt 2, x v, (v^2 - 1)/sqrt 2.
Eigen::Matrix3d turn_of_squares(double c, double s) {
  const double cross = std::sqrt(2.0) * c * s;
  return Eigen::Matrix3d{
      {c * c, cross, s * s}, {-cross, c * c - s * s, cross}, {s * s, -cross, c * c}};
}

/// turn: of an accepted step; P acts on the coefficients of x^(d - j) v^j, of which j = 1 changes
/// its sign with v, and shrinks by the share to the power j.
template <class Turn>
double draws(const Turn& turn, double acceptance, double share) {
  Turn back = Turn::Identity(), refresh = Turn::Identity();
  back(1, 1) = -1;
  for (Eigen::Index j = 1; j < turn.rows(); ++j) refresh(j, j) = refresh(j - 1, j - 1) * share;
  const Turn p = (acceptance * turn + (1 - acceptance) * back) * refresh;
  const Turn sum = (Turn::Identity() - p).inverse();
  return 1 / (2 * sum(0, 0) - 1);
}

}  // namespace

double draws_per_step(const StepCorrelation& seen, double persistence) {
  const double accepted =
      (seen.correlation - (1 - seen.acceptance)) / std::max(seen.acceptance, 1e-3);
  const double cosine = seen.degree == 1 ? accepted : std::sqrt(std::max(accepted, 0.0));
  const double c = std::clamp(cosine, -kLargest, kLargest);
  const double s = std::sqrt(1 - c * c);
  return seen.degree == 1 ? draws(turn_of_values(c, s), seen.acceptance, persistence)
                          : draws(turn_of_squares(c, s), seen.acceptance, persistence);
}

}  // namespace gadwall
