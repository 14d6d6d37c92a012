#include "kernels/chosen.hpp"

#include <algorithm>

#include "kernels/hmc.hpp"

namespace gadwall {
namespace {

/// Uniform on 1 ... most. The chain of the key is no chain of a run, so that the number is that of
/// the iteration alone.
Index drawn_length(const LaneNoise& noise, Index most) {
  constexpr std::uint32_t kNoChain = 0xffffffff;
  const double u =
      UniformStream({noise.seed, kNoChain, noise.iteration}, Purpose::trajectory).next();
  return std::min(most, 1 + static_cast<Index>(u * static_cast<double>(most)));
}

}  // namespace

void Chosen::step(Evaluator& density, const Tuning& tuning, const State& now,
                  const LaneNoise& noise, Wants wants, Transition& out) const {
  const TrajectoryPlan plan = tuning.trajectory.value_or(TrajectoryPlan{});
  if (plan.most_steps == 0) {
    const Nuts nuts({.max_depth = options_.max_depth,
                     .max_energy_error = options_.max_energy_error,
                     .integrator = plan.integrator,
                     .refinement = options_.refinement});
    nuts.step(density, tuning, now, noise, wants, out);
    out.path.clear();
    out.momentum.resize(0, 0);
    return;
  }
  hmc_step({.integrator = plan.integrator,
            .stop = drawn_length(noise, plan.most_steps),
            .steps = plan.most_steps,
            .jitter = options_.jitter,
            .max_energy_error = options_.max_energy_error,
            .careful = options_.careful,
            .persistence = plan.persistence,
            .refinement = options_.refinement},
           density, tuning, now, noise, wants, out);
  out.tree_depth.setZero();
}

}  // namespace gadwall
