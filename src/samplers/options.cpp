#include "gadwall/options.hpp"

#include <fmt/format.h>

#include "gadwall/error.hpp"

namespace gadwall {

const std::vector<OptionInfo>& option_table() {
  using O = SamplerOptions;
  static const std::vector<OptionInfo> table = {
      {"metric", "form of the learnt L: unit, diag or dense", &O::metric},
      {"target-accept", "acceptance rate to steer to", &O::target_accept, 0, 1, true},
      {"step", "initial step size; 0: the sampler's own rule", &O::step},
      {"step-rate", "how fast the step follows the acceptance", &O::step_rate, 0, 0.5},
      {"learning-rate", "eta of the stochastic gradient ascent on L", &O::learning_rate},
      {"memory", "decay of RMSprop's mean square", &O::memory, 0, 1},
      {"initial-scale", "L starts as this / sqrt(n) times I (am: times I)", &O::initial_scale, 0,
       1e300, true},
      {"diagonal-floor", "the diagonal of L stays above it; with a scout above it times 10 L",
       &O::diagonal_floor, 0, 1e300, true},
      {"beta", "first weight of the entropy", &O::beta, 0, 1e300, true},
      {"beta-rate", "how fast beta follows the acceptance", &O::beta_rate, 0, 1},
      {"beta-floor", "beta stays above it", &O::beta_floor, 0, 1e300, true},
      {"scout", "first iterations of warm-up in which nuts finds the scales; 0: none", &O::scout, 0,
       1e9},
      {"covariance-rate", "gain of the covariance", &O::covariance_rate, 0, 0.5},
      {"covariance-horizon", "iterations before that gain falls; 0: a quarter of warm-up",
       &O::covariance_horizon},
      {"mean-rate", "gain of the mean; 0: the covariance's, and L as in the paper's text",
       &O::mean_rate, 0, 1},
      {"leapfrog", "leapfrog steps of a trajectory", &O::leapfrog, 1, 1e6},
      {"jitter", "the step varies by up to this fraction, at random", &O::jitter, 0, 1},
      {"max-depth", "a trajectory has at most 2^depth - 1 steps", &O::max_depth, 1, 30},
      {"max-energy-error", "a trajectory beyond it is divergent", &O::max_energy_error, 0, 1e300,
       true},
      {"averaging-gamma", "dual averaging: pull towards the first step", &O::averaging_gamma, 0,
       1e300, true},
      {"averaging-t0", "dual averaging: damping of the first iterations", &O::averaging_t0},
      {"averaging-kappa", "dual averaging: weights t^-kappa", &O::averaging_kappa, 0, 1},
      {"window-start", "warm-up iterations before the first window", &O::window_start, 0, 1e9},
      {"window-base", "length of the first window", &O::window_base, 1, 1e9},
      {"window-end", "warm-up iterations after the last window", &O::window_end, 0, 1e9},
  };
  return table;
}

std::string option_text(const SamplerOptions& options, const OptionInfo& info) {
  return std::visit(
      [&](auto field) {
        if constexpr (std::is_same_v<decltype(field), Metric SamplerOptions::*>) {
          return to_string(options.*field);
        } else {
          return fmt::format("{}", options.*field);
        }
      },
      info.field);
}

}  // namespace gadwall
