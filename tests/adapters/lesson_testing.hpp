// A lesson made by hand: a state, a transition and an evaluator that tests fill as they like.
#pragma once

#include <cstdint>
#include <memory>

#include "gadwall/adapter.hpp"
#include "gadwall/target.hpp"

namespace gadwall::testing {

inline std::shared_ptr<const Target> standard_normal(Index n) {
  return make_target(
      [](ConstVectorRef x, VectorRef grad) {
        grad = -x;
        return -x.squaredNorm() / 2;
      },
      n);
}

/// rows x columns numbers, N(0, 1), the same at every call.
inline Matrix some_numbers(Index rows, Index columns, std::uint64_t seed) {
  Matrix numbers(rows, columns);
  fill_normal(LaneNoise{seed, 0, 0}, Purpose::proposal, numbers);
  return numbers;
}

/// Lower triangular with a positive diagonal.
inline Matrix some_factor(Index n, std::uint64_t seed) {
  Matrix lower = 0.3 * some_numbers(n, n, seed).triangularView<Eigen::Lower>().toDenseMatrix();
  lower.diagonal() = (0.5 + lower.diagonal().array().abs()).matrix();
  return lower;
}

/// Every number is drawn once; every lane was accepted. Tests overwrite what matters to them.
struct HandMade {
  HandMade(Index n, Index lanes)
      : target(standard_normal(n)), density(*target), before(n, lanes), transition(n, lanes) {
    before.x = some_numbers(n, lanes, 1);
    before.grad = some_numbers(n, lanes, 2);
    before.logp.setConstant(-1);
    transition.next.x = some_numbers(n, lanes, 3);
    transition.next.grad = some_numbers(n, lanes, 4);
    transition.next.logp.setConstant(-2);
    transition.noise = some_numbers(n, lanes, 5);
    transition.curvature = some_numbers(n, lanes, 6);
    transition.log_ratio.setConstant(-1);
    transition.accept.setConstant(0.5);
    transition.accepted.setConstant(true);
  }

  Lesson lesson(std::uint64_t iteration = 0) {
    return {transition, before, density, LaneNoise{1, 0, iteration}, static_cast<Index>(iteration)};
  }

  std::shared_ptr<const Target> target;
  Evaluator density;
  State before;
  Transition transition;
};

}  // namespace gadwall::testing
