#include "kernels/phase.hpp"

#include <algorithm>

namespace gadwall {
namespace {

constexpr double kLargestAngle = 3;
constexpr double kTwoStageKick = 0.1932;  // McLachlan's: the smallest error of all such schemes

void kick(const Vector& lengths, Phase& z) {
  z.v.noalias() += z.whitened * lengths.asDiagonal();
}

void drift(Evaluator& density, const Factor& L, const Vector& lengths, Phase& z) {
  thread_local Matrix move;
  move.resize(z.x.rows(), z.x.cols());
  L.times(z.v, move);
  z.x.noalias() += move * lengths.asDiagonal();
  density.gradient(z.x, z.logp, z.grad);
  L.transpose_times(z.grad, z.whitened);
}

}  // namespace

void Phase::resize(Index n, Index lanes) {
  for (Matrix* part : {&x, &v, &grad, &whitened}) part->resize(n, lanes);
  logp.resize(lanes);
}

double Phase::energy(Index lane) const {
  return v.col(lane).squaredNorm() / 2 - logp[lane];
}

void integrate(Integrator integrator, Evaluator& density, const Factor& L, const Vector& steps,
               Phase& z) {
  thread_local Vector outer, inner, middle;
  switch (integrator) {
    case Integrator::leapfrog:
      outer = steps / 2;
      inner = steps;
      break;
    case Integrator::shear:
      inner = steps.cwiseMax(-kLargestAngle).cwiseMin(kLargestAngle);
      outer = (inner / 2).array().tan();
      inner = inner.array().sin();
      break;
    case Integrator::two_stage:
      outer = kTwoStageKick * steps;
      inner = steps / 2;
      middle = (1 - 2 * kTwoStageKick) * steps;
      break;
  }
  kick(outer, z);
  drift(density, L, inner, z);
  if (integrator == Integrator::two_stage) {
    kick(middle, z);
    drift(density, L, inner, z);
  }
  kick(outer, z);
}

int gradients_per_step(Integrator integrator) {
  return integrator == Integrator::two_stage ? 2 : 1;
}

}  // namespace gadwall
