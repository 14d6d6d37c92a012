#include "kernels/hmc.hpp"

#include <cmath>
#include <limits>

#include "kernels/phase.hpp"

namespace gadwall {
namespace {

/// The step of every lane in this iteration, K entries.
void jitter_steps(const LaneNoise& noise, double step, double jitter, Vector& steps) {
  steps.setConstant(step);
  if (jitter == 0) return;
  for (Index k = 0; k < steps.size(); ++k) {
    const double u = UniformStream(noise.lane(k), Purpose::trajectory).next();
    steps[k] *= 1 + jitter * (2 * u - 1);
  }
}

struct Scratch {
  Phase z;
  Vector steps, start_energy;
  Flags bad;
};

}  // namespace

void Hmc::step(Evaluator& density, const Tuning& tuning, const State& now, const LaneNoise& noise,
               Wants, Transition& out) const {
  thread_local Scratch scratch;
  auto& [z, steps, start_energy, bad] = scratch;
  steps.resize(now.lanes());
  jitter_steps(noise, tuning.step, options_.jitter, steps);
  fill_normal(noise, Purpose::proposal, out.noise);
  whiten_gradient(tuning, now, out);

  z.resize(now.dim(), now.lanes());
  z.x = now.x;
  z.v = out.noise;
  z.whitened = out.whitened;
  bad.setConstant(now.lanes(), false);
  for (Index i = 0; i < options_.leapfrogs; ++i) {
    leapfrog(density, tuning.factor(), steps, z);
    bad = bad || !z.logp.array().isFinite();
  }

  start_energy = out.noise.colwise().squaredNorm().transpose() / 2 - now.logp;
  for (Index k = 0; k < now.lanes(); ++k) {
    // A trajectory through a bad point is rejected; its reverse passes the same points.
    out.log_ratio[k] =
        bad[k] ? -std::numeric_limits<double>::infinity() : start_energy[k] - z.energy(k);
    out.divergent[k] = !(out.log_ratio[k] > -options_.max_energy_error);
  }
  out.next.x = z.x;
  out.next.logp = z.logp;
  out.next.grad = z.grad;
  out.next.whitened = z.whitened;
  out.next.whitened_version = tuning.version();
  out.leapfrogs.setConstant(static_cast<int>(options_.leapfrogs));
  decide(noise, out);
  for (Index k = 0; k < now.lanes(); ++k) {
    out.energy[k] = out.accepted[k] ? z.energy(k) : start_energy[k];
  }
}

}  // namespace gadwall
