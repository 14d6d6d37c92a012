// The draws of a run: what the sinks collect, the files hold and the diagnostics read.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gadwall/notes.hpp"
#include "gadwall/statistics.hpp"
#include "gadwall/tuning.hpp"
#include "gadwall/types.hpp"

namespace gadwall {

/// One chain after warm-up. Column-major, so that one parameter is one contiguous column.
struct Chain {
  Matrix draws;       // N x n
  Matrix statistics;  // N x Draws::statistics
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
  std::vector<Note> notes = {};        // what its meeting found

  void archive(Archive& a);
};

/// Chains by what decides their noise: first, first + 1, ... of a seed.
struct ChainRange {
  std::uint64_t seed = 0;
  Index first = 0;
  Index count = 0;
  bool operator==(const ChainRange&) const = default;
};

/// What the plan of a run knows.
struct PlannedFacts {
  std::string statement;  // of the target, for people; may be empty
  std::string sampler;
  std::string stan_engine;  // SamplerTitle::stan_engine
  Index chains = 0;
  Index lanes = 1;
  Index warmup = 0;       // its most; once it is over, its length
  Index draws_asked = 0;  // 0 where unknown; with a rule that ends the run, the most
  Index thin = 1;         // iterations per kept draw
  Index parameters = 0;   // so many values of a draw, the first, are parameters; the others follow
                          // from them (transformed, generated); 0 where unknown
  std::uint64_t seed = 0;
  Index chain_offset = 0;           // the first chain is this one of the seed
  std::vector<ChainRange> origins;  // of a merged run, in order; empty: one range, as above
  std::map<std::string, std::string> settings;  // the options the sampler uses, by name

  /// Arrays of values that are nothing to be estimated, log_lik or y_rep, with the group that each
  /// has in the draws file.
  std::map<std::string, std::string> groups;

  /// Whether the value counts where a run is judged: it is in none of these groups.
  bool is_judged(const std::string& value) const;
};

/// Of all chains, in order; empty where the seed is not known.
std::vector<ChainRange> chain_ranges(const PlannedFacts& facts);

/// What a run measured, or one chain of it.
struct MeasuredFacts {
  Index draws = 0;                // kept of a chain; fewer than asked for when the run ended before
  Cost<double> seconds;           // wall clock of the whole run
  Cost<std::uint64_t> gradients;  // a Hessian-vector product counts as one gradient (by
                                  // differences: two)
  Cost<std::uint64_t> densities;  // evaluations of the density alone
  double accept_rate = 0;         // mean acceptance after warm-up
  std::uint64_t divergences = 0;  // after warm-up
  std::uint64_t bad_points = 0;   // proposals with a non-finite density or gradient
  std::vector<StageFacts> stages;  // in order; empty where unknown
  std::string stopped_by;          // "draws", "ess", "time" or "signal"; empty where unknown

  /// Seconds, evaluations, bad points and divergences of a part of the run.
  void add_costs(const MeasuredFacts& part);
};

/// What the caller calls it.
struct RunLabels {
  std::string target;
  std::map<std::string, std::string> target_settings;  // those that were given
  std::string command;                                 // repeats the run; empty where unknown
};

/// What a run was and what it cost. Written with the draws, read back with them.
struct RunFacts : PlannedFacts, MeasuredFacts, RunLabels {};

/// The course of an adaptation, thinned to a few hundred rows that are evenly apart. One entry of
/// every vector is one row.
struct AdaptationTrace {
  std::vector<Index> iteration;         // done when the row was made
  std::vector<double> acceptance;       // mean over the lanes and the iterations since the last row
  std::vector<double> step;             // of the tuning
  std::vector<double> log_determinant;  // log |L|
  std::vector<std::vector<double>> log_density;  // rows x lanes: log pi of the states

  /// What the adapters recorded, by name; NaN in rows of a stage that has no such number. Gad
  /// samplers: `beta`, the weight of the entropy; `objective`, the speed measure, mean since the
  /// last row.
  std::map<std::string, std::vector<double>> recorded;

  void archive(Archive& a);
};

/// What the lanes of one batch learnt together, and how.
struct Learnt {
  Tuning tuning;
  AdaptationTrace trace;
  NamedNumbers recorded = {};  // by the last adapter, at its end

  /// NaN where none was recorded under that name.
  double number(const std::string& name) const;
};

struct Draws {
  std::vector<std::string> names;     // n
  std::vector<Statistic> statistics;  // columns of Chain::statistics
  std::vector<Chain> chains;
  RunFacts facts;
  std::vector<Learnt> learnt;  // by batch: chains b K ... b K + K - 1; empty where not known

  Index dim() const { return static_cast<Index>(names.size()); }
  Index draws() const { return chains.empty() ? 0 : chains.front().draws.rows(); }

  /// The N x C matrix of one parameter, a chain per column: what the diagnostics take.
  Matrix parameter(Index j) const;

  /// Of one chain, N numbers; empty where the run does not have it.
  Vector statistic(std::size_t chain, std::string_view name) const;
};

}  // namespace gadwall
