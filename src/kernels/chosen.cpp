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

void follow(const ChosenOptions& o, const TrajectoryPlan& plan, Evaluator& density,
            const Tuning& tuning, const State& now, const LaneNoise& noise, Wants wants,
            Transition& out) {
  if (plan.most_steps == 0) {
    const Nuts nuts({.max_depth = o.max_depth,
                     .max_energy_error = o.max_energy_error,
                     .integrator = plan.integrator,
                     .refinement = o.refinement});
    nuts.step(density, tuning, now, noise, wants, out);
    out.path.clear();
    out.momentum.resize(0, 0);
    return;
  }
  hmc_step({.integrator = plan.integrator,
            .stop = drawn_length(noise, plan.most_steps),
            .steps = plan.most_steps,
            .jitter = o.jitter,
            .max_energy_error = o.max_energy_error,
            .careful = o.careful,
            .persistence = plan.persistence,
            .refinement = o.refinement},
           density, tuning, now, noise, wants, out);
  out.tree_depth.setZero();
}

/// What a draw says of the trajectories that made it, beside what it says of the last.
struct Sums {
  explicit Sums(Index lanes)
      : accept(Vector::Zero(lanes)),
        accepted(Flags::Constant(lanes, false)),
        divergent(accepted),
        leapfrogs(Eigen::ArrayXi::Zero(lanes)) {}

  void add(const Transition& one) {
    accept += one.accept;
    accepted = accepted || one.accepted;
    divergent = divergent || one.divergent;
    leapfrogs += one.leapfrogs;
  }

  void put(Index count, Transition& out) const {
    out.accept = accept / static_cast<double>(count);
    out.accepted = accepted;
    out.divergent = divergent;
    out.leapfrogs = leapfrogs;
  }

  Vector accept;
  Flags accepted, divergent;
  Eigen::ArrayXi leapfrogs;
};

}  // namespace

void Chosen::step(Evaluator& density, const Tuning& tuning, const State& now,
                  const LaneNoise& noise, Wants wants, Transition& out) const {
  const TrajectoryPlan plan = tuning.trajectory.value_or(TrajectoryPlan{});
  if (plan.per_draw == 1) return follow(options_, plan, density, tuning, now, noise, wants, out);
  thread_local State at(0, 0);
  at = now;
  Sums sums(now.lanes());
  const auto count = static_cast<std::uint64_t>(plan.per_draw);
  for (std::uint64_t i = 0; i < count; ++i) {
    // Numbers that are all different and at least `iteration`: never those of the stages before,
    // whose iterations make one trajectory each.
    LaneNoise own = noise;
    own.iteration = noise.iteration * count + i;
    follow(options_, plan, density, tuning, at, own, wants, out);
    commit(tuning, out, at);
    sums.add(out);
  }
  out.next = at;
  whiten_gradient(tuning, now, out);  // of the first, as it was
  sums.put(plan.per_draw, out);
}

}  // namespace gadwall
