// Beginning with what another run left: its last draws, its tuning.
#pragma once

#include <string>

#include "gadwall/draws.hpp"
#include "gadwall/run_options.hpp"
#include "gadwall/start.hpp"
#include "gadwall/target.hpp"

namespace gadwall::session {

/// n x chains: the last draw of each chain of a run; where more are wanted, earlier draws, evenly
/// apart. UsageError where the run does not have the target's parameters.
Matrix last_draws(const std::string& run, const Target& target, Index chains);

/// The point whose parameters have the values in Stan's JSON. Throws std::runtime_error where the
/// text or the values do not fit.
Vector point_from_text(const std::string& text, const Target& target);

/// `start`: a law as start_from_text takes it; a number is the radius of a cube, 0 its centre;
/// FILE.json has values of the parameters for all chains, or with FILE_1.json, FILE_2.json, ... for
/// each; else a run. UsageError where it does not fit.
StartPart read_start(const std::string& text, const Target& target, const RunOptions& run);

struct WarmStart {
  Tuning tuning;
  double beta;              // NaN where the sampler had none
  std::string target = {};  // of the run that learnt it; empty where unknown
};

/// What the batches of a run learnt, pooled: the mean of L L^T, the geometric mean of the steps.
WarmStart pool(const std::vector<Learnt>& learnt);

/// From a file of write_tuning, or from a run that holds its tuning.
WarmStart read_tuning(const std::string& path);

/// JSON with the keys step, beta, target, run (its name, from /) and those of the factor
/// (tuning_json.hpp).
void write_tuning(const std::string& path, const WarmStart& start, const std::string& run = "");

/// Whether the file is one that write_tuning made for this run.
bool is_tuning_of(const std::string& path, const std::string& run);

}  // namespace gadwall::session
