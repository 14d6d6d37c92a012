#include "warps/rewarp.hpp"

namespace gadwall {
namespace {

/// By value: a restored run has copies.
bool is_same_warp(const Warp* a, const Warp* b) {
  return a == b || (a != nullptr && b != nullptr && *a == *b);
}

}  // namespace

void rewarp(const Warp* from, const Warp* to, MatrixRef x, VectorRef logp, MatrixRef scores) {
  if (is_same_warp(from, to)) return;
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
  if (is_same_warp(from, to)) return;
  rewarp(from, to, state.x, state.logp, state.grad);
  state.whitened_version = 0;
}

}  // namespace gadwall
