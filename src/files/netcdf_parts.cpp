// Finds and reads the pieces of a NetCDF draws file.
#include "files/netcdf_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "files/netcdf_driver.hpp"
#include "files/netcdf_facts.hpp"
#include "files/netcdf_section.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

constexpr Index kValuesAtOnce = Index{1} << 20;

/// Earlier versions of ArviZ and of its converters have other names.
std::optional<std::string> find_statistic(hid_t group, const std::string& name) {
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

}  // namespace

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

std::vector<VariableLayout> posterior_variables(hid_t root, Phase phase, const std::string& path) {
  const std::string name = values_group(phase);
  if (!has_link(root, name)) {
    throw UsageError(
        fmt::format("{}: has no group {}; expected the InferenceData layout", path, name));
  }
  const Hdf5Id group(H5Gopen2(root, name.c_str(), H5P_DEFAULT), "the group " + name);
  std::vector<VariableLayout> variables = find_variables(group);
  if (variables.empty()) {
    throw UsageError(
        fmt::format("{}: the group {} has no variable (chain, draw, ...)", path, name));
  }
  const NetcdfShape shape = shape_of(group, variables.front().name);
  for (const VariableLayout& variable : variables) {
    if (shape_of(group, variable.name) == shape) continue;
    throw UsageError(fmt::format("{}: {} and {} of the group {} differ in chains or draws", path,
                                 variables.front().name, variable.name, name));
  }
  return variables;
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

std::vector<VariableLayout> statistic_variables(hid_t group, const NetcdfShape& shape) {
  std::vector<VariableLayout> variables;
  for (std::size_t j = 0; j < kStatisticVariables.size(); ++j) {
    const auto found = find_statistic(group, kStatisticVariables[j].name);
    if (!found || shape_of(group, *found) != shape) continue;
    variables.push_back({*found, *found, {}, {static_cast<Index>(j)}});
  }
  return variables;
}

void read_rows(hid_t dataset, Index chain, Index first, NetcdfRows& rows) {
  std::vector<hsize_t> count = extents(dataset);
  std::vector<hsize_t> start(count.size(), 0);
  start[0] = static_cast<hsize_t>(chain);
  start[1] = static_cast<hsize_t>(first);
  count[0] = 1;
  count[1] = static_cast<hsize_t>(rows.rows());
  const Hdf5Id space(H5Dget_space(dataset), "a selection");
  require(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
          "a selection");
  const Hdf5Id memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                      "a selection");
  require(H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, rows.data()), "draws");
}

Index rows_at_once(hid_t dataset, Index width) {
  const Hdf5Id properties(H5Dget_create_plist(dataset), "the chunks");
  std::vector<hsize_t> chunk(extents(dataset).size(), 1);
  if (H5Pget_layout(properties) == H5D_CHUNKED) {
    require(H5Pget_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), "the chunks");
  }
  const auto step = static_cast<Index>(chunk[1]);
  return std::max<Index>(kValuesAtOnce / std::max<Index>(width, 1) / step, 1) * step;
}

}  // namespace gadwall::files
