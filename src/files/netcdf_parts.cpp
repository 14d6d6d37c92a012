// Finds and reads the pieces of a NetCDF draws file.
#include "files/netcdf_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "files/netcdf_driver.hpp"
#include "files/netcdf_facts.hpp"
#include "files/netcdf_section.hpp"
#include "gadwall/error.hpp"
#include "run/file_groups.hpp"

namespace gadwall::files {
namespace {

const char* const kStanName = "stan_name";
const char* const kScores = "score";

/// Earlier versions of ArviZ and of its converters have other names.
std::optional<std::string> find_common(hid_t group, const std::string& name) {
  static const std::map<std::string, std::string> older = {{"acceptance_rate", "accept_stat"},
                                                           {"step_size", "stepsize"},
                                                           {"tree_depth", "treedepth"},
                                                           {"n_steps", "n_leapfrog"},
                                                           {"diverging", "divergent"}};
  if (has_link(group, name)) return name;
  const auto found = older.find(name);
  if (found != older.end() && has_link(group, found->second)) return found->second;
  return std::nullopt;
}

/// Of a draw.
bool is_one_number(hid_t group, const std::string& name) {
  return extents(open_dataset(group, name)).size() == 2;
}

/// Of a variable that is none of the common ones.
Statistic other_statistic(hid_t group, const VariableLayout& variable) {
  const Hdf5Id dataset = open_dataset(group, variable.name);
  const Hdf5Id type(H5Dget_type(dataset), "a type");
  Statistic statistic{variable.original};
  statistic.arviz = variable.name;
  statistic.stan = read_text(dataset, kStanName).value_or(statistic.stan);
  if (H5Tget_class(type) == H5T_INTEGER) {
    const bool flag = read_text(dataset, "dtype") == "bool";
    statistic.kind = flag ? Statistic::Kind::flag : Statistic::Kind::count;
  }
  return statistic;
}

/// An array that write_statistic_names has marked; those of other tools are left alone.
bool is_scores(hid_t group, const VariableLayout& variable) {
  const Hdf5Id dataset = open_dataset(group, variable.name);
  return variable.shape.size() == 1 && read_text(dataset, kStanName) == variable.original &&
         variable.original == kScores;
}

void add_scores(VariableLayout variable, NetcdfStatistics& found) {
  const auto first = static_cast<Index>(found.statistics.size());
  for (Statistic& score : score_statistics(variable.size())) {
    found.statistics.push_back(std::move(score));
  }
  variable.columns = columns_of(variable.shape, first);
  found.variables.push_back(std::move(variable));
}

/// None where there is no such group.
std::vector<VariableLayout> variables_in(hid_t root, const std::string& name) {
  if (!has_link(root, name)) return {};
  const Hdf5Id group(H5Gopen2(root, name.c_str(), H5P_DEFAULT), "the group " + name);
  std::vector<VariableLayout> variables = find_variables(group);
  for (VariableLayout& variable : variables) variable.group = name;
  return variables;
}

}  // namespace

std::vector<VariableLayout> statistic_layout(const std::vector<Statistic>& statistics) {
  const std::vector<Index> scores = score_columns(statistics);
  std::vector<VariableLayout> variables;
  for (std::size_t j = 0; j < statistics.size(); ++j) {
    const auto column = static_cast<Index>(j);
    if (std::ranges::count(scores, column) > 0) continue;
    variables.push_back({statistics[j].arviz, statistics[j].arviz, {}, {column}});
  }
  if (!scores.empty()) {
    variables.push_back({kScores, kScores, {static_cast<Index>(scores.size())}, scores});
  }
  return variables;
}

void write_statistic_names(hid_t dataset, const VariableLayout& variable,
                           const Statistic& statistic) {
  if (find_statistic(common_statistics(), statistic.name) >= 0) return;
  if (!variable.shape.empty()) {  // the scores: their names follow from the variable's
    write_attribute(dataset, kStanName, variable.original);
    return;
  }
  if (statistic.arviz != statistic.name) write_attribute(dataset, "gadwall_name", statistic.name);
  write_attribute(dataset, kStanName, statistic.stan);
}

Hdf5Id open_netcdf(const std::string& path) {
  const auto content = std::make_shared<JournaledFile>(path, JournaledFile::Mode::read);
  const Hdf5Id access(journaled_access(*content), "a property list");
  const hid_t opened = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
  if (opened < 0) {
    const char* const reason =
        H5Fis_hdf5(path.c_str()) > 0 ? "is cut short or damaged" : "is no NetCDF-4 file";
    throw UsageError(
        fmt::format("{}: {}; expected draws in the InferenceData layout", path, reason));
  }
  return {opened, path};
}

std::vector<VariableLayout> run_variables(hid_t root, Phase phase) {
  std::vector<VariableLayout> variables = variables_in(root, values_group(phase));
  std::vector<VariableLayout> others;
  for (const std::string& group : value_groups()) {
    for (VariableLayout& variable : variables_in(root, in_phase(phase, group))) {
      if (variable.place) others.push_back(std::move(variable));
    }
  }
  std::ranges::stable_sort(others, {}, &VariableLayout::place);
  for (VariableLayout& variable : others) {
    const auto place = std::min(*variable.place, static_cast<Index>(variables.size()));
    variables.insert(variables.begin() + place, std::move(variable));
  }
  number_columns(variables);
  return variables;
}

std::vector<VariableLayout> posterior_variables(hid_t root, Phase phase, const std::string& path) {
  const std::string name = values_group(phase);
  if (!has_link(root, name)) {
    throw UsageError(
        fmt::format("{}: has no group {}; expected the InferenceData layout", path, name));
  }
  const std::vector<VariableLayout> variables = run_variables(root, phase);
  if (variables.empty()) {
    throw UsageError(
        fmt::format("{}: the group {} has no variable (chain, draw, ...)", path, name));
  }
  const NetcdfShape shape = shape_of(root, variables.front().path());
  for (const VariableLayout& variable : variables) {
    if (shape_of(root, variable.path()) == shape) continue;
    throw UsageError(fmt::format("{}: {} and {} differ in chains or draws", path,
                                 variables.front().path(), variable.path()));
  }
  return variables;
}

std::map<std::string, std::string> own_groups(const std::vector<VariableLayout>& variables) {
  std::map<std::string, std::string> groups;
  for (const VariableLayout& variable : variables) {
    for (const std::string& group : value_groups()) {
      if (variable.group == group) groups[array_of(variable.original)] = group;
    }
  }
  return groups;
}

std::vector<std::string> value_names(const std::vector<VariableLayout>& variables) {
  std::vector<std::string> all;
  for (const VariableLayout& variable : variables) {
    const auto names = element_names(variable);
    all.insert(all.end(), names.begin(), names.end());
  }
  return all;
}

NetcdfShape shape_of(hid_t group, const std::string& name) {
  const Hdf5Id dataset = open_dataset(group, name);
  const std::vector<hsize_t> extent = extents(dataset);
  if (extent.size() < 2) return {};
  return {extent[0], extent[1]};
}

NetcdfStatistics find_statistics(hid_t group, const NetcdfShape& shape) {
  NetcdfStatistics found;
  std::set<std::string> used;
  const auto add = [&](const Statistic& statistic, const std::string& variable) {
    const auto column = static_cast<Index>(found.statistics.size());
    found.statistics.push_back(statistic);
    found.variables.push_back(
        {.name = variable, .original = variable, .shape = {}, .columns = {column}});
    used.insert(variable);
  };
  for (const Statistic& common : common_statistics()) {
    const auto variable = find_common(group, common.arviz);
    if (variable && is_one_number(group, *variable) && shape_of(group, *variable) == shape) {
      add(common, *variable);
    }
  }
  for (const VariableLayout& variable : find_variables(group)) {
    if (shape_of(group, variable.name) != shape || used.contains(variable.name)) continue;
    if (variable.shape.empty()) {
      add(other_statistic(group, variable), variable.name);
    } else if (is_scores(group, variable)) {
      add_scores(variable, found);
    }
  }
  return found;
}

}  // namespace gadwall::files
