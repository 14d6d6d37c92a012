// Every number of a sampler and of a run, with its default and the reason for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "gadwall/tuning.hpp"
#include "gadwall/types.hpp"

namespace gadwall {

/// The numbers a sampler is made of. Each sampler uses some of them, and begins with defaults of
/// its own: take them from defaults("gadmala") and change what you like.
struct SamplerOptions {
  Metric metric = Metric::dense;  // the form of L that is learnt
  double target_accept = 0.55;    // acceptance the step, or beta, is steered to
  double step = 0;                // initial step; 0: the sampler's own rule, from the dimension
  double step_rate = 0.01;        // delta <- delta (1 + rate (a - target) / target)

  // speed measure (gadrwm, gadmala, gadmala-exact)
  double learning_rate = 1.5e-4;  // eta; with K lanes it can grow, up to 10 x at K = 16
  double memory = 0.9;            // decay of RMSprop's mean square
  double initial_scale = 0.1;     // L starts as this / sqrt(n) I (am: this times I)
  double diagonal_floor = 1e-3;   // L_ii stay above it; lower it for scales below it. With a scout
                                  // in units of ten times the L that it found
  double beta = 1;                // first weight of the entropy
  double beta_rate = 0.02;        // beta <- beta (1 + rate (a - target))
  double beta_floor = 1e-4;       // as in the released code
  Index scout = 0;                // first iterations of warm-up in which nuts finds the scales of
                                  // the target, and L begins; 0: none, as in the paper

  // covariance (am)
  double covariance_rate = 5e-4;  // rate / (1 + t / horizon)
  double covariance_horizon = 0;  // 0: a quarter of warm-up, as in the released code
  double mean_rate = 0.01;        // constant; 0: the covariance's, and L learnt as the text has it

  // Hamiltonian kernels (hmc, nuts)
  Index leapfrog = 10;             // steps of a trajectory of hmc
  double jitter = 0;               // of the step, and so of the trajectory's length
  Index max_depth = 10;            // of a nuts trajectory: at most 2^max_depth - 1 steps
  double max_energy_error = 1000;  // a trajectory beyond it is divergent

  // dual averaging and windows (nuts); Stan's numbers
  double averaging_gamma = 0.05;
  double averaging_t0 = 10;
  double averaging_kappa = 0.75;
  Index window_start = 75;
  Index window_base = 25;
  Index window_end = 50;
};

/// What is common to all samplers.
struct RunOptions {
  Index chains = 4;              // R-hat needs several
  Index lanes = 1;               // chains in lockstep that share what they learn; divides chains
  std::optional<Index> warmup;   // iterations that learn; default: the sampler's
  std::optional<Index> draws;    // kept iterations of each chain; default: the sampler's
  std::uint64_t seed = 1;        // with the chain and the iteration it decides every number drawn
  int threads = 1;               // batches of lanes that run side by side; never changes a draw
  double start_sd = 1;           // chains start at N(0, start_sd^2 I), as in the paper
  double start_radius = 0;       // > 0: or uniformly in (-start_radius, start_radius)^n, as in Stan
  Matrix start;                  // or here, n x chains
  std::optional<Tuning> tuning;  // to begin with, instead of the sampler's own

  // when it ends
  bool warmup_settles = false;  // warm-up ends when L has settled; `warmup` is then its most
  double until_ess = 0;         // > 0: end when worst ESS is this and R-hat below 1.01; `draws` is
                                // then the most
  double max_seconds = 0;       // > 0: end after so long, with what there is

  // what is kept
  Index thin = 1;            // every thin-th iteration, `draws` of them
  bool save_warmup = false;  // the states of warm-up too
  std::vector<Index> save;   // of the values of a draw, these; empty: all
};

/// One entry of SamplerOptions as the command line, the help and the files know it.
struct OptionInfo {
  using Field =
      std::variant<double SamplerOptions::*, Index SamplerOptions::*, Metric SamplerOptions::*>;
  std::string name;  // as in --name
  std::string help;
  Field field;
  double least = 0;  // smallest and largest value that make sense
  double most = 1e300;
  bool open = false;  // the ends themselves are excluded
};

const std::vector<OptionInfo>& option_table();

/// The value of an option as text, shortest form.
std::string option_text(const SamplerOptions& options, const OptionInfo& info);

}  // namespace gadwall
