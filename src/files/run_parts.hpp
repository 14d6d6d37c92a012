// Runs that are parts of one: whether they are, and what is true of them together.
#pragma once

#include <string>
#include <vector>

#include "gadwall/files.hpp"

namespace gadwall::files {

struct RunPart {
  std::string path;
  RunFacts facts;  // chains and draws: as many as the file has
  std::vector<std::string> names;
  std::vector<Statistic> statistics;
};

/// UsageError that names the file and the first thing in which it differs from the first one.
void require_same_kind(const std::vector<RunPart>& parts);

/// UsageError that names a chain which two of them have, by its seed and number.
void require_other_chains(const std::vector<RunPart>& parts);

/// UsageError where the targets were made from other data.
struct PartData {
  std::string path;
  TargetData data;
};
void require_same_data(const PartData& part, const PartData& first);

/// The parts by the seed and the number of their first chains, where all say them.
std::vector<std::size_t> in_order_of_chains(const std::vector<RunPart>& parts);

/// Costs are sums; seconds are the longest, since parts run side by side; draws the fewest.
RunFacts facts_together(const std::vector<RunPart>& parts);

/// One line for each part that has more draws than the shortest.
std::vector<std::string> cut_warnings(const std::vector<RunPart>& parts);

/// The draws of all, in that order, cut to the shortest. UsageError where they are not of one kind.
ReadResult taken_as_one(const std::vector<std::string>& paths, std::vector<ReadResult> parts);

/// Whether NetCDF files hold different chains of one seed, and are of one kind. Those before the
/// last are known to have the same data.
bool are_parts_of_one_run(const std::vector<std::string>& paths);

}  // namespace gadwall::files
