// Pieces of a NetCDF draws file, for those who read it: groups, variables, rows of a chain.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "files/netcdf_file.hpp"
#include "files/netcdf_objects.hpp"

namespace gadwall::files {

struct NetcdfShape {
  hsize_t chains = 0;
  hsize_t draws = 0;
  bool operator==(const NetcdfShape&) const = default;
};

/// The file as its last commit left it; nothing is written to it, and no commit touches it as long
/// as it is open. UsageError for what is no NetCDF-4 file.
Hdf5Id open_netcdf(const std::string& path);

/// The variables of posterior or warmup_posterior, and those of ours that are in groups of their
/// own, in the order of the run.
std::vector<VariableLayout> run_variables(hid_t root, Phase phase);

/// The same; UsageError, naming the file, where there are none or they differ in chains or draws.
std::vector<VariableLayout> posterior_variables(hid_t root, Phase phase, const std::string& path);

/// The names of the run's values, in its order.
std::vector<std::string> value_names(const std::vector<VariableLayout>& variables);

/// The groups beside the posterior that arrays of these variables are in.
std::map<std::string, std::string> own_groups(const std::vector<VariableLayout>& variables);

/// Of a variable (chain, draw, ...).
NetcdfShape shape_of(hid_t group, const std::string& name);

/// Statistics of a file and their variables. The scores of a draw are one variable, an array.
struct NetcdfStatistics {
  std::vector<Statistic> statistics;
  std::vector<VariableLayout> variables;  // columns: the places of their statistics
};

/// Those that the file has for draws of this shape: the common ones, under whatever name, in their
/// order, then all others.
NetcdfStatistics find_statistics(hid_t group, const NetcdfShape& shape);

/// Their variables in a new file: the scores are one, every other has its own.
std::vector<VariableLayout> statistic_layout(const std::vector<Statistic>& statistics);

/// Where they are not what follows from the name. first: of the statistics of the variable.
void write_statistic_names(hid_t dataset, const VariableLayout& variable, const Statistic& first);

}  // namespace gadwall::files
