#include "kernels/langevin.hpp"

#include <cmath>

namespace gadwall {
namespace {

/// out.curvature = H(y) (step L d); lanes with a bad proposal get zero.
void report_curvature(Evaluator& density, const Tuning& tuning, const Matrix& d, Transition& out) {
  thread_local Matrix direction;
  direction.resize(d.rows(), d.cols());
  tuning.factor().times(d, direction);
  direction *= tuning.step;
  density.hessian_times(out.next.x, direction, out.curvature);
}

}  // namespace

void Langevin::step(Evaluator& density, const Tuning& tuning, const State& now,
                    const LaneNoise& noise, Wants wants, Transition& out) const {
  const double half_step = tuning.step / 2;
  const Factor& L = tuning.factor();
  fill_normal(noise, Purpose::proposal, out.noise);
  out.move = out.noise;
  if (now.whitened_version == tuning.version()) {
    out.whitened = now.whitened;
    out.move += half_step * out.whitened;
    L.times(out.move, out.next.x);
  } else {  // in warm-up L has just changed
    L.both_times(now.grad, half_step, out.whitened, out.move, out.next.x);
  }
  out.next.x = now.x + tuning.step * out.next.x;

  density.gradient(out.next.x, out.next.logp, out.next.grad);
  L.transpose_times(out.next.grad, out.next.whitened);
  out.next.whitened_version = tuning.version();

  thread_local Matrix d;
  d = out.move + half_step * out.next.whitened;
  for (Index k = 0; k < now.lanes(); ++k) {
    out.log_ratio[k] = out.next.logp[k] - now.logp[k] -
                       (d.col(k).squaredNorm() - out.noise.col(k).squaredNorm()) / 2;
  }
  if (wants.curvature) report_curvature(density, tuning, d, out);
  out.leapfrogs.setOnes();
  decide(noise, out);
}

}  // namespace gadwall
