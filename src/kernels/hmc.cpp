#include "kernels/hmc.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "kernels/phase.hpp"

namespace gadwall {
namespace {

/// The step of every lane in this iteration, K entries.
void jitter_steps(const LaneNoise& noise, double step, const HmcTrajectory& trajectory,
                  Vector& steps) {
  steps.setConstant(step);
  const double jitter = trajectory.jitter;
  if (jitter == 0 && trajectory.careful == 0) return;
  for (Index k = 0; k < steps.size(); ++k) {
    UniformStream uniform(noise.lane(k), Purpose::trajectory);
    steps[k] *= 1 + jitter * (2 * uniform.next() - 1);
    if (trajectory.careful > 0 && uniform.next() < trajectory.careful) steps[k] /= 2;
  }
}

void propose(const Phase& z, const Tuning& tuning, Transition& out) {
  out.next.x = z.x;
  out.next.logp = z.logp;
  out.next.grad = z.grad;
  out.next.whitened = z.whitened;
  out.next.whitened_version = tuning.version();
}

/// Momenta to begin with. What is kept of those before leaves N(0, I) as it is.
void draw_momenta(double persistence, const State& now, const Matrix& noise, Matrix& v) {
  v = noise;
  if (persistence == 0 || now.momentum.size() == 0) return;
  v = persistence * now.momentum + std::sqrt(1 - persistence * persistence) * noise;
}

/// Where the proposal is rejected the momentum turns round, so that the transition stays
/// reversible.
void keep_momenta(const Matrix& begin, const Matrix& end, Transition& out) {
  out.momentum = end;
  for (Index k = 0; k < begin.cols(); ++k) {
    if (!out.accepted[k]) out.momentum.col(k) = -begin.col(k);
  }
}

/// Sums of gradients along leapfrog trajectories of l steps of length h:
///
///   kicks = h (g_0 / 2 + g_1 + ... + g_{l-1} + g_l / 2)
///   drifts = h^2 (l g_0 / 2 + (l - 1) g_1 + ... + g_{l-1})
class ImpulseSums {
 public:
  ImpulseSums(const State& now, const Vector& steps, Index length, Impulses& out)
      : steps_(steps), length_(length), out_(out) {
    out_.kicks = now.grad * (steps / 2).asDiagonal();
    out_.drifts = now.grad * (steps.cwiseAbs2() * (static_cast<double>(length) / 2)).asDiagonal();
    out_.middle = now.x;
  }

  /// After step i = 1, 2, ..., length.
  void add(Index i, const Phase& z) {
    out_.kicks += z.grad * (i < length_ ? steps_ : Vector(steps_ / 2)).asDiagonal();
    out_.drifts += z.grad * (steps_.cwiseAbs2() * static_cast<double>(length_ - i)).asDiagonal();
    if (i == length_ / 2) out_.middle = z.x;
    if (i == length_) out_.momentum = z.v;
  }

  /// u of y = x + L u.
  void finish(const Factor& L, Transition& out) const {
    L.transpose_times(out_.drifts, out.move);
    out.move += out.noise * (steps_ * static_cast<double>(length_)).asDiagonal();
  }

 private:
  const Vector& steps_;
  Index length_;
  Impulses& out_;
};

struct Scratch {
  Phase z, before;
  Matrix begin, end;  // momenta
  Vector steps, start_energy, energies;
  Flags bad;         // went through a bad point, or was lost beyond the limit of energy
  Flags is_refined;  // in at least one step
  Flags is_cut;      // the same up to the proposal
  Flags is_lost;     // in a step whose reverse is another one
};

void take_lane(const Phase& all, Index k, Phase& one) {
  one.resize(all.x.rows(), 1);
  one.x = all.x.col(k);
  one.v = all.v.col(k);
  one.grad = all.grad.col(k);
  one.whitened = all.whitened.col(k);
  one.logp[0] = all.logp[k];
}

void put_lane(const Phase& one, Index k, Phase& all) {
  all.x.col(k) = one.x;
  all.v.col(k) = one.v;
  all.grad.col(k) = one.grad;
  all.whitened.col(k) = one.whitened;
  all.logp[k] = one.logp[0];
}

/// The steps from `before` to z that were too long where their lanes are, once more in pieces.
void refine_rough(const HmcTrajectory& trajectory, Evaluator& density, const Factor& L,
                  Scratch& scratch, Transition& out) {
  thread_local Phase lane;
  Phase& z = scratch.z;
  for (Index k = 0; k < z.x.cols(); ++k) {
    if (scratch.bad[k] || scratch.is_lost[k]) continue;
    if (!trajectory.refinement.is_rough(scratch.before.energy(k), z.energy(k))) continue;
    take_lane(scratch.before, k, lane);
    const RefinedStep step =
        refine(trajectory.refinement, trajectory.integrator, density, L, scratch.steps[k], lane);
    put_lane(lane, k, z);
    scratch.is_refined[k] = true;
    scratch.is_lost[k] = !step.is_reversible;
    const double error = lane.energy(0) - scratch.start_energy[k];
    scratch.bad[k] = scratch.is_lost[k] && !(error < trajectory.max_energy_error);
    out.leapfrogs[k] += step.gradients;
  }
}

}  // namespace

void hmc_step(const HmcTrajectory& trajectory, Evaluator& density, const Tuning& tuning,
              const State& now, const LaneNoise& noise, Wants wants, Transition& out) {
  thread_local Scratch scratch;
  auto& [z, before, begin, end, steps, start_energy, energies, bad, is_refined, is_cut, is_lost] =
      scratch;
  const Index lanes = now.lanes();
  steps.resize(lanes);
  energies.resize(lanes);
  jitter_steps(noise, tuning.step, trajectory, steps);
  fill_normal(noise, Purpose::proposal, out.noise);
  whiten_gradient(tuning, now, out);
  draw_momenta(trajectory.persistence, now, out.noise, begin);
  start_energy = begin.colwise().squaredNorm().transpose() / 2 - now.logp;

  z.resize(now.dim(), lanes);
  z.x = now.x;
  z.v = begin;
  z.logp = now.logp;
  z.grad = now.grad;
  z.whitened = out.whitened;
  for (Flags* flags : {&bad, &is_refined, &is_lost}) flags->setConstant(lanes, false);
  out.path.resize(wants.path ? static_cast<std::size_t>(trajectory.steps) : 0);
  const Index last = wants.path ? trajectory.steps : trajectory.stop;
  out.leapfrogs.setConstant(static_cast<int>(last) * gradients_per_step(trajectory.integrator));
  std::optional<ImpulseSums> impulses;
  if (wants.impulses) impulses.emplace(now, steps, trajectory.stop, out.impulses);
  for (Index i = 1; i <= last; ++i) {
    if (trajectory.refinement.is_on()) before = z;
    integrate(trajectory.integrator, density, tuning.factor(), steps, z);
    if (trajectory.refinement.is_on()) {
      refine_rough(trajectory, density, tuning.factor(), scratch, out);
    }
    bad = bad || (!is_lost && !z.logp.array().isFinite());
    for (Index k = 0; k < lanes; ++k) {
      // A trajectory through a bad point is rejected; its reverse passes the same points.
      out.log_ratio[k] = bad[k] || is_lost[k] ? -std::numeric_limits<double>::infinity()
                                              : start_energy[k] - z.energy(k);
    }
    if (wants.path) out.path[static_cast<std::size_t>(i - 1)] = {z.x, out.log_ratio};
    if (impulses && i <= trajectory.stop) impulses->add(i, z);
    if (i != trajectory.stop) continue;
    propose(z, tuning, out);
    end = z.v;
    is_cut = is_refined;
    for (Index k = 0; k < lanes; ++k) {
      energies[k] = z.energy(k);
      const double error = energies[k] - start_energy[k];
      out.divergent[k] = bad[k] || (!is_lost[k] && !(error < trajectory.max_energy_error));
    }
  }
  if (impulses) impulses->finish(tuning.factor(), out);
  if (wants.path) out.log_ratio = out.path[static_cast<std::size_t>(trajectory.stop - 1)].log_ratio;
  decide(noise, out);
  if (trajectory.persistence > 0) {
    keep_momenta(begin, end, out);
  } else {
    out.momentum.resize(0, 0);
  }
  for (Index k = 0; k < lanes; ++k) {
    out.energy[k] = out.accepted[k] ? energies[k] : start_energy[k];
    if (is_cut[k]) out.accept[k] = 0;  // steps are steered by what they are when whole
  }
}

void Hmc::step(Evaluator& density, const Tuning& tuning, const State& now, const LaneNoise& noise,
               Wants wants, Transition& out) const {
  hmc_step({.integrator = options_.integrator,
            .stop = options_.leapfrogs,
            .steps = options_.leapfrogs,
            .jitter = options_.jitter,
            .max_energy_error = options_.max_energy_error,
            .refinement = options_.refinement},
           density, tuning, now, noise, wants, out);
}

}  // namespace gadwall
