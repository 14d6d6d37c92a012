#include "kernels/random_walk.hpp"

namespace gadwall {

void RandomWalk::step(Evaluator& density, const Tuning& tuning, const State& now,
                      const LaneNoise& noise, Wants wants, Transition& out) const {
  fill_normal(noise, Purpose::proposal, out.noise);
  tuning.factor().times(out.noise, out.next.x);
  out.next.x = now.x + tuning.step * out.next.x;
  if (wants.gradient) {
    density.gradient(out.next.x, out.next.logp, out.next.grad);
  } else {
    density.density(out.next.x, out.next.logp);
  }
  out.log_ratio = out.next.logp - now.logp;
  decide(noise, out);
}

}  // namespace gadwall
