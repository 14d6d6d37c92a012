// The draws of a run: what the sinks collect, the files hold and the diagnostics read.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "gadwall/tuning.hpp"
#include "gadwall/types.hpp"

namespace gadwall {

/// What one iteration of one chain says beside its state; the columns that Stan's tools know.
struct DrawStatistics {
  double logp = 0;        // lp__: log density of the state
  double accept = 0;      // accept_stat__: min(1, e^r); nuts: its mean over the trajectory
  double step = 0;        // stepsize__
  double tree_depth = 0;  // treedepth__ (nuts; 0 elsewhere)
  double leapfrogs = 0;   // n_leapfrog__ (Hamiltonian kernels; proposals that use a gradient: 1)
  double divergent = 0;   // divergent__: 1 where the energy error passed the limit
  double energy = 0;      // energy__: -log pi + kinetic energy (Hamiltonian kernels)
  static constexpr int count = 7;
};

/// One chain after warm-up. Column-major, so that one parameter is one contiguous column.
struct Chain {
  Matrix draws;       // N x n
  Matrix statistics;  // N x DrawStatistics::count, in the order of the fields
};

/// Seconds or evaluations, warm-up and sampling apart.
template <class T>
struct Cost {
  T warmup = 0;
  T sampling = 0;
  T total() const { return warmup + sampling; }
};

/// A stage of a run as it was.
struct StageFacts {
  std::string name;
  Index begin = 0;                     // iteration of the run at which it began
  Index iterations = 0;                // of each chain
  std::uint64_t gradients = 0;         // of all chains
  std::uint64_t gradients_before = 0;  // when it began

  void archive(Archive& a);
};

/// What a run was and what it cost. Written with the draws, read back with them.
struct RunFacts {
  std::string target;
  std::string statement;  // of the target, for people; may be empty
  std::string sampler;
  Index chains = 0;
  Index lanes = 1;
  Index warmup = 0;
  Index draws = 0;        // kept of a chain; fewer than asked for when the run ended before
  Index draws_asked = 0;  // 0 where unknown; with a rule that ends the run, the most
  Index thin = 1;         // iterations per kept draw
  Index parameters = 0;   // so many values of a draw, the first, are parameters; the others follow
                          // from them (transformed, generated); 0 where unknown
  std::uint64_t seed = 0;
  Cost<double> seconds;           // wall clock of the whole run
  Cost<std::uint64_t> gradients;  // a Hessian-vector product counts as one gradient (by
                                  // differences: two)
  Cost<std::uint64_t> densities;  // evaluations of the density alone
  double accept_rate = 0;         // mean acceptance after warm-up
  std::uint64_t divergences = 0;  // after warm-up
  std::uint64_t bad_points = 0;   // proposals with a non-finite density or gradient
  std::map<std::string, std::string> settings;         // the options the sampler uses, by name
  std::map<std::string, std::string> target_settings;  // those of the target that were given
  std::string command;                                 // repeats the run; empty where unknown
  std::vector<StageFacts> stages;                      // in order; empty where unknown
  std::string stopped_by;  // "draws", "ess", "time" or "signal"; empty where unknown

  /// Seconds, evaluations, bad points and divergences of a part of the run.
  void add_costs(const RunFacts& part);
};

/// The course of an adaptation, thinned to a few hundred rows that are evenly apart. One entry of
/// every vector is one row; what a sampler does not have is NaN.
struct AdaptationTrace {
  std::vector<Index> iteration;         // done when the row was made
  std::vector<double> acceptance;       // mean over the lanes and the iterations since the last row
  std::vector<double> step;             // of the tuning
  std::vector<double> log_determinant;  // log |L|
  std::vector<double> beta;             // weight of the entropy (gad samplers)
  std::vector<double> objective;        // speed measure, mean since the last row (gad samplers)
  std::vector<std::vector<double>> log_density;  // rows x lanes: log pi of the states

  void archive(Archive& a);
};

/// What the lanes of one batch learnt together, and how.
struct Learnt {
  Tuning tuning;
  AdaptationTrace trace;
  double beta = std::numeric_limits<double>::quiet_NaN();  // the last; NaN where there is none
};

struct Draws {
  std::vector<std::string> names;  // n
  std::vector<Chain> chains;
  RunFacts facts;
  std::vector<Learnt> learnt;  // by batch: chains b K ... b K + K - 1; empty where not known

  Index dim() const { return static_cast<Index>(names.size()); }
  Index draws() const { return chains.empty() ? 0 : chains.front().draws.rows(); }

  /// The N x C matrix of one parameter, a chain a column: what the diagnostics take.
  Matrix parameter(Index j) const;
};

}  // namespace gadwall
