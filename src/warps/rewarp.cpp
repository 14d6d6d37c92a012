#include "warps/rewarp.hpp"

namespace gadwall {

void rewarp(const Warp* from, const Warp* to, MatrixRef x, VectorRef logp, MatrixRef scores) {
  if (from == to) return;
  WarpTrail trail;
  if (from != nullptr) {
    from->to_model(x, trail);
    from->push_scores(trail, scores);
    logp -= trail.log_jacobian;
    x = trail.model();
  }
  if (to != nullptr) {
    to->from_model(x, trail);
    to->pull_scores(trail, scores);
    logp += trail.log_jacobian;
    x = trail.at.front();
  }
}

void rewarp(const Warp* from, const Warp* to, State& state) {
  if (from == to) return;
  rewarp(from, to, state.x, state.logp, state.grad);
  state.whitened_version = 0;
}

}  // namespace gadwall
