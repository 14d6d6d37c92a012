// What a run was, cost and learnt, as attributes and groups of a NetCDF file.
#pragma once

#include <vector>

#include "files/netcdf_objects.hpp"
#include "gadwall/draws.hpp"

namespace gadwall::files {

/// Calls visit(name, field) for what a run, or a chain, has cost: one list for writing and reading.
template <class Facts, class Visit>
void visit_costs(Facts& facts, Visit visit) {
  visit("warmup_time", facts.seconds.warmup);
  visit("sampling_time", facts.seconds.sampling);
  visit("gradients_warmup", facts.gradients.warmup);
  visit("gradients_sampling", facts.gradients.sampling);
  visit("densities_warmup", facts.densities.warmup);
  visit("densities_sampling", facts.densities.sampling);
}

/// What ArviZ expects on every group.
void write_origin(hid_t group);

void write_facts(hid_t root, const RunFacts& facts, bool finished);
RunFacts read_facts(hid_t root);
bool is_finished(hid_t root);

/// The group `gadwall` has one group per batch, one with the costs of the chains and one with the
/// stages.
///
/// The tuning of a batch, when its warm-up is over; replaces what was there.
void write_adapted(hid_t root, Index batch, const Tuning& tuning);

/// At the end of the run. A tuning that write_adapted has written is final and stays.
void write_learnt(hid_t root, const std::vector<Learnt>& learnt);
/// Draws are worth reading also where a factor is not: then it is empty, and a warning says why.
std::vector<Learnt> read_learnt(hid_t root, const std::string& path,
                                std::vector<std::string>& warnings);

/// Seconds, evaluations and bad points of each chain; nothing where the file does not hold them.
void write_chain_costs(hid_t root, const std::vector<MeasuredFacts>& chains);
std::vector<MeasuredFacts> read_chain_costs(hid_t root);

/// The stages of a run and what their meetings found: gadwall/stages. Read back by read_facts.
void write_stages(hid_t root, const std::vector<StageFacts>& stages);
std::vector<StageFacts> read_stages(hid_t root);

/// What is gadwall's own; the group is made where there is none.
inline const char* const kOwnGroup = "gadwall";
Hdf5Id own_group(hid_t root);

}  // namespace gadwall::files
