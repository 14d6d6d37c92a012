#include "adapters/reasonable_step.hpp"

#include <cmath>

#include "kernels/phase.hpp"

namespace gadwall {
namespace {

constexpr int kMostDoublings = 100;     // a target so flat has no step
constexpr int kMostHalvings = 1000;     // far out in an exponential tail, steps of 1e-90 are right
constexpr int kNumbersPerSearch = 100;  // tries with random numbers of their own

/// Mean over the lanes of the acceptance of one leapfrog step from fresh momenta.
double acceptance(const State& state, Evaluator& density, const LaneNoise& noise,
                  const Tuning& tuning) {
  Phase z{state.x, Matrix(state.dim(), state.lanes()), state.grad,
          Matrix(state.dim(), state.lanes()), state.logp};
  fill_normal(noise, Purpose::probe, z.v);
  tuning.factor().transpose_times(z.grad, z.whitened);
  const Phase start = z;
  leapfrog(density, tuning.factor(), Vector::Constant(state.lanes(), tuning.step), z);
  double sum = 0;
  for (Index k = 0; k < state.lanes(); ++k) {
    const double log_ratio = start.energy(k) - z.energy(k);
    sum += std::isnan(log_ratio) ? 0 : std::exp(std::min(0.0, log_ratio));
  }
  return sum / static_cast<double>(state.lanes());
}

}  // namespace

double reasonable_step(const State& state, Evaluator& density, const LaneNoise& noise,
                       const Tuning& tuning) {
  constexpr double kCrossing = 0.8;
  Tuning trial = tuning;
  LaneNoise probe = noise;
  probe.iteration = noise.iteration * kNumbersPerSearch;
  const double factor = acceptance(state, density, probe, trial) > kCrossing ? 2.0 : 0.5;
  const int most = factor > 1 ? kMostDoublings : kMostHalvings;
  for (int tries = 1; tries < most; ++tries) {
    trial.step *= factor;
    if (tries < kNumbersPerSearch) ++probe.iteration;
    const double accepted = acceptance(state, density, probe, trial);
    if (factor > 1 ? accepted <= kCrossing : accepted >= kCrossing) break;
  }
  return trial.step;
}

}  // namespace gadwall
