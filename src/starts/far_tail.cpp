#include "starts/far_tail.hpp"

#include <utility>

namespace gadwall {
namespace {

constexpr int kMostSearches = 100;
constexpr int kMostTries = 200;  // of a line search

/// A point of a line search.
struct Trial {
  Trial(Evaluator& density, const Vector& at) : x(at), grad(at.size()) {
    density.gradient(x, logp, grad);
  }
  bool is_better_than(const Trial& other) const { return logp[0] > other.logp[0]; }

  Vector x;
  Vector logp = Vector::Zero(1);
  Vector grad;
};

/// The best point found along the gradient from `start`: doubles a step that gains while it gains
/// more, or halves one that does not until it does.
Trial search_line(Evaluator& density, const Trial& start) {
  const Vector direction = start.grad.stableNormalized();
  double step = 1;
  const auto at = [&](double t) { return Trial(density, start.x + t * direction); };
  Trial best = at(step);
  if (best.is_better_than(start)) {
    for (int i = 0; i < kMostTries; ++i) {
      Trial next = at(step *= 2);
      if (!next.is_better_than(best)) break;
      best = std::move(next);
    }
    return best;
  }
  for (int i = 0; i < kMostTries && !best.is_better_than(start); ++i) best = at(step /= 2);
  return best;
}

}  // namespace

void leave_far_tail(Evaluator& density, Index lane, State& state) {
  const double much = 100 + 10 * static_cast<double>(state.dim());
  Trial now(density, state.x.col(lane));
  for (int i = 0; i < kMostSearches && now.grad.stableNorm() > 0; ++i) {
    const Trial next = search_line(density, now);
    if (!(next.logp[0] - now.logp[0] > much)) break;
    now = next;
  }
  state.x.col(lane) = now.x;
  state.logp[lane] = now.logp[0];
  state.grad.col(lane) = now.grad;
}

}  // namespace gadwall
