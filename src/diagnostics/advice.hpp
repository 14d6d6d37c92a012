// Words for the verdict: lists, and what to try, by the sampler that was used.
#pragma once

#include <string>
#include <vector>

#include "gadwall/diagnostics.hpp"
#include "gadwall/draws.hpp"

namespace gadwall {

/// "`sampler=nuts` or `sampler=auto`": those of the catalogue that find their way where this one
/// does not; empty where there is none.
std::string other_samplers(const RunFacts& facts);

/// "`sampler=nuts` `metric=dense` `max-depth=12`, ", or what of it a run does not have yet: whether
/// it builds trees, and with a metric that holds correlations. Of the catalogue's advised samplers
/// the one that builds trees is named.
std::string advise_trees(bool builds_trees, bool has_correlations);

/// For proposals that are rejected, all or nearly all.
std::string rejection_advice(const Draws& draws);

/// Whether its trajectories double until they turn: by its options, and by the draws where the file
/// is another tool's.
bool builds_trees(const Draws& draws);

/// "a, b, c, d, e and 4 more"
std::string list_names(const std::vector<std::string>& names);

/// The smallest ESS that is defined; NaN where none is.
double least_ess(const ParameterDiagnostics& parameter);

/// "tau is the scale of theta[1..8]; sampled non-centred": the coordinates that the draws were made
/// in, the last word of the stages; empty where they are the model's own.
std::string coordinates_words(const RunFacts& facts);

/// Whether `metric` says of L that it holds, or may hold, more than one scale per coordinate.
bool has_correlations(const std::string& metric);
bool has_correlations(const RunFacts& facts);

}  // namespace gadwall
