// What an adapter learns and a kernel uses: a step size, a factor L of the proposal covariance and,
// for some kernels, the shape of a trajectory; and the coordinates that all this is meant in.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "gadwall/archive.hpp"
#include "gadwall/factor.hpp"
#include "gadwall/trajectory.hpp"

namespace gadwall {

class Warp;

/// Proposals move by step * L * (something standard normal); Hamiltonian kernels use the inverse
/// mass matrix L L^T and leapfrog steps of length `step`. One type therefore fits every kernel.
class Tuning {
 public:
  explicit Tuning(Factor factor, double initial_step = 1)
      : step(initial_step), factor_(std::move(factor)) {}

  double step;

  /// For kernels that take it from here; none: their own options say it.
  std::optional<TrajectoryPlan> trajectory;

  /// The coordinates that states, L and step belong to; null: the model's own. Kernels do not see
  /// it: the evaluator of their batch applies it.
  std::shared_ptr<const Warp> warp;

  const Factor& factor() const { return factor_; }

  /// The only way to change L: products such as L^T g that were kept with a state carry the
  /// version of the L they were made with, and are made anew when it is no longer this one.
  Factor& change_factor() {
    ++version_;
    return factor_;
  }
  std::uint64_t version() const { return version_; }

  /// step * L becomes L and the step 1: the same proposals, for learners of L alone.
  void fold_step() {
    if (step == 1) return;
    change_factor() = factor_.scaled(step);
    step = 1;
  }

  void archive(Archive& a);

 private:
  Factor factor_;
  std::uint64_t version_ = 1;
};

}  // namespace gadwall
