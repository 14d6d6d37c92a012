#include "adapters/trajectory_entropy.hpp"

#include <algorithm>
#include <cmath>

namespace gadwall {
namespace {

constexpr double kLongestRatio = 0.99;  // of a term of the series to the one before

Matrix random_signs(const LaneNoise& noise, Index n, Index lanes) {
  Matrix signs(n, lanes);
  for (Index k = 0; k < lanes; ++k) {
    UniformStream uniform(noise.lane(k), Purpose::probe);
    for (Index i = 0; i < n; ++i) signs(i, k) = uniform.next() < 0.5 ? -1 : 1;
  }
  return signs;
}

void shorten(const Matrix& before, Matrix& term) {
  for (Index k = 0; k < term.cols(); ++k) {
    const double most = kLongestRatio * before.col(k).norm();
    const double length = term.col(k).norm();
    if (length > most) term.col(k) *= most / length;
  }
}

}  // namespace

void add_trajectory_entropy(const TrajectoryEntropy& entropy, const Lesson& lesson,
                            const Tuning& tuning, SpeedGradient& gradient) {
  const Matrix& middle = lesson.transition.impulses.middle;
  const Index n = middle.rows();
  const Index lanes = middle.cols();
  const auto l = static_cast<double>(entropy.leapfrogs);
  const double c = tuning.step * tuning.step * (l * l - 1) / 6;
  const Factor& L = tuning.factor();
  const Matrix signs = random_signs(lesson.noise, n, lanes);
  Matrix term = signs, sum = signs, along(n, lanes), bent(n, lanes);
  for (Index i = 0; i < entropy.terms; ++i) {
    L.times(term, along);
    lesson.density.hessian_times(middle, along, bent);
    Matrix next(n, lanes);
    L.transpose_times(bent, next);
    next *= -c;
    shorten(term, next);
    term = next;
    sum += term;
  }
  L.times(sum, along);
  lesson.density.hessian_times(middle, along, bent);
  const double weight = 2 * c * entropy.weight / static_cast<double>(lanes);
  for (Index k = 0; k < lanes; ++k) {
    if (!std::isfinite(lesson.transition.log_ratio[k])) continue;
    gradient.append(weight * bent.col(k), signs.col(k));
  }
}

}  // namespace gadwall
