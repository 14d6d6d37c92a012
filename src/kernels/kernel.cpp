#include "gadwall/kernel.hpp"

#include <cmath>
#include <limits>

namespace gadwall {

Transition::Transition(Index n, Index lanes, Index own_statistics)
    : next(n, lanes),
      noise(n, lanes),
      move(n, lanes),
      curvature(n, lanes),
      whitened(n, lanes),
      log_ratio(lanes),
      accept(Vector::Zero(lanes)),
      accepted(Flags::Constant(lanes, false)),
      divergent(Flags::Constant(lanes, false)),
      energy(Vector::Zero(lanes)),
      leapfrogs(Eigen::ArrayXi::Zero(lanes)),
      tree_depth(Eigen::ArrayXi::Zero(lanes)),
      own(Matrix::Zero(lanes, own_statistics)) {}

void whiten_gradient(const Tuning& tuning, const State& now, Transition& out) {
  if (now.whitened_version == tuning.version()) {
    out.whitened = now.whitened;
  } else {
    tuning.factor().transpose_times(now.grad, out.whitened);
  }
}

void decide(const LaneNoise& noise, Transition& out) {
  for (Index k = 0; k < out.log_ratio.size(); ++k) {
    double& r = out.log_ratio[k];
    if (std::isnan(r)) r = -std::numeric_limits<double>::infinity();
    out.accept[k] = std::exp(std::min(0.0, r));
    out.accepted[k] = UniformStream(noise.lane(k), Purpose::decision).next() < out.accept[k];
  }
}

void commit(const Tuning& tuning, const Transition& transition, State& now) {
  // The kept products were made with the L of the transition. Where the adapter has changed L
  // since, they no longer carry its version and will be made anew.
  const bool kept = transition.next.whitened_version == tuning.version();
  now.whitened_version = kept ? tuning.version() : 0;
  if (transition.momentum.size() > 0) now.momentum = transition.momentum;
  for (Index k = 0; k < now.lanes(); ++k) {
    if (transition.accepted[k]) {
      now.x.col(k) = transition.next.x.col(k);
      now.logp[k] = transition.next.logp[k];
      now.grad.col(k) = transition.next.grad.col(k);
      if (kept) now.whitened.col(k) = transition.next.whitened.col(k);
    } else if (kept) {
      now.whitened.col(k) = transition.whitened.col(k);
    }
  }
}

void State::archive(Archive& a) {
  a("x", x);
  a("log density", logp);
  a("gradient", grad);
  a("whitened gradient", whitened);
  a("whitened version", whitened_version);
  a("momentum", momentum);
}

}  // namespace gadwall
