// What a run was, cost and learnt, as attributes and groups of a NetCDF file.
#pragma once

#include <array>
#include <vector>

#include "files/netcdf_objects.hpp"
#include "gadwall/draws.hpp"

namespace gadwall::files {

/// A statistic of a draw under ArviZ's name.
struct StatisticVariable {
  const char* name;
  enum class Kind { real, count, flag } kind;
};

/// In the order of the fields of DrawStatistics.
inline constexpr std::array<StatisticVariable, DrawStatistics::count> kStatisticVariables = {{
    {"lp", StatisticVariable::Kind::real},
    {"acceptance_rate", StatisticVariable::Kind::real},
    {"step_size", StatisticVariable::Kind::real},
    {"tree_depth", StatisticVariable::Kind::count},
    {"n_steps", StatisticVariable::Kind::count},
    {"diverging", StatisticVariable::Kind::flag},
    {"energy", StatisticVariable::Kind::real},
}};

/// What ArviZ expects on every group.
void write_origin(hid_t group);

void write_facts(hid_t root, const RunFacts& facts, bool finished);
RunFacts read_facts(hid_t root);
bool is_finished(hid_t root);

/// The group `gadwall` has one group per batch and one with the costs of the chains.
///
/// The tuning of a batch, when its warm-up is over; replaces what was there.
void write_adapted(hid_t root, Index batch, const Tuning& tuning);

/// At the end of the run. A tuning that write_adapted has written is final and stays.
void write_learnt(hid_t root, const std::vector<Learnt>& learnt);
/// Draws are worth reading also where a factor is not: then it is empty, and a warning says why.
std::vector<Learnt> read_learnt(hid_t root, const std::string& path,
                                std::vector<std::string>& warnings);

/// Seconds, evaluations and bad points of each chain; nothing where the file does not hold them.
void write_chain_costs(hid_t root, const std::vector<RunFacts>& chains);
std::vector<RunFacts> read_chain_costs(hid_t root);

}  // namespace gadwall::files
