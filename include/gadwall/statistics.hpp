// The statistics of a draw: what an iteration of one chain says beside its state. Readers ask for
// them by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gadwall/types.hpp"

namespace gadwall {

struct Statistic {
  enum class Kind { real, count, flag };  // flag: 0 or 1

  std::string name;  // words with underscores
  Kind kind = Kind::real;
  std::string stan = name + "__";  // column of CmdStan's files
  std::string arviz = name;        // variable of ArviZ's sample_stats

  bool operator==(const Statistic&) const = default;
};

/// Those that every draw has, in the order of their columns; 0 where the kernel has nothing to say.
/// A kernel may add its own (Kernel::own_statistics).
///
///   log_density   of the state
///   accept        min(1, e^r); nuts: its mean over the trajectory
///   step          of the tuning
///   tree_depth    nuts
///   leapfrogs     Hamiltonian kernels; proposals that use a gradient: 1
///   divergent     whether the energy error passed the limit
///   energy        -log pi + kinetic energy, Hamiltonian kernels
const std::vector<Statistic>& common_statistics();

/// The scores of a draw, d log pi / d x_i at it: score.1 ... score.n. Where RunOptions::save_scores
/// asks for them they stand after all others.
std::vector<Statistic> score_statistics(Index n);

/// Their columns, in order; empty where there are none.
std::vector<Index> score_columns(const std::vector<Statistic>& statistics);

/// The column of that name; -1 where there is none.
Index find_statistic(const std::vector<Statistic>& statistics, std::string_view name);

/// Of one draw, in the order of RunPlan::statistics.
using DrawStatistics = ConstVectorRef;

}  // namespace gadwall
