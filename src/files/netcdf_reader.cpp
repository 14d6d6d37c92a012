// Reads the draws of a NetCDF-4 file in the InferenceData layout.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "files/netcdf_facts.hpp"
#include "files/netcdf_file.hpp"
#include "files/netcdf_journal.hpp"
#include "files/netcdf_section.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr Index kValuesAtOnce = Index{1} << 20;

Hdf5Id open_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw UsageError(fmt::format("{}: is a directory, expected a file", path));
  }
  if (!std::ifstream(path)) {
    throw UsageError(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
  }
  const Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS), "a property list");
  require(H5Pset_file_locking(access, false, true), "files without locks");  // ReadLock is ours
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
  if (file >= 0) return {file, path};
  const char* const reason =
      H5Fis_hdf5(path.c_str()) > 0 ? "is cut short or damaged" : "is no NetCDF-4 file";
  throw UsageError(fmt::format("{}: {}; expected draws in the InferenceData layout", path, reason));
}

/// Draws first ... first + rows - 1 of one chain, a draw a row.
void read_rows(hid_t dataset, Index chain, Index first, Rows& rows) {
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

/// Turns rows of the file into columns, a tile that stays in the cache at a time.
void copy_columns(const Rows& rows, Index first, const std::vector<Index>& columns, Matrix& to) {
  constexpr Index tile = 64;
  for (Index from = 0; from < rows.rows(); from += tile) {
    const Index count = std::min(tile, rows.rows() - from);
    for (Index k = 0; k < rows.cols(); ++k) {
      to.col(columns[static_cast<std::size_t>(k)]).segment(first + from, count) =
          rows.col(k).segment(from, count);
    }
  }
}

Index rows_at_once(hid_t dataset, Index width) {
  const Hdf5Id properties(H5Dget_create_plist(dataset), "the chunks");
  std::vector<hsize_t> chunk(extents(dataset).size(), 1);
  if (H5Pget_layout(properties) == H5D_CHUNKED) {
    require(H5Pget_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), "the chunks");
  }
  const auto step = static_cast<Index>(chunk[1]);  // whole chunks, so that none is read twice
  return std::max<Index>(kValuesAtOnce / std::max<Index>(width, 1) / step, 1) * step;
}

void read_variable(hid_t group, const VariableLayout& variable, std::vector<Chain>& chains,
                   Matrix Chain::*part) {
  const Hdf5Id dataset(H5Dopen2(group, variable.name.c_str(), H5P_DEFAULT), variable.name);
  const Index draws = chains.front().draws.rows();
  const Index step = rows_at_once(dataset, variable.size());
  Rows rows;
  for (Index c = 0; c < static_cast<Index>(chains.size()); ++c) {
    for (Index first = 0; first < draws; first += step) {
      rows.resize(std::min(step, draws - first), variable.size());
      read_rows(dataset, c, first, rows);
      copy_columns(rows, first, variable.columns, chains[static_cast<std::size_t>(c)].*part);
    }
  }
}

struct Shape {
  hsize_t chains = 0;
  hsize_t draws = 0;
  bool operator==(const Shape&) const = default;
};

Shape shape_of(hid_t group, const std::string& name) {
  const Hdf5Id dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), name);
  const std::vector<hsize_t> extent = extents(dataset);
  if (extent.size() < 2) return {};
  return {extent[0], extent[1]};
}

void read_posterior(hid_t group, const std::string& path, Draws& draws) {
  const std::vector<VariableLayout> variables = find_variables(group);
  if (variables.empty()) {
    throw UsageError(
        fmt::format("{}: the group posterior has no variable (chain, draw, ...)", path));
  }
  const Shape shape = shape_of(group, variables.front().name);
  for (const VariableLayout& variable : variables) {
    if (shape_of(group, variable.name) == shape) continue;
    throw UsageError(fmt::format("{}: {} and {} of the group posterior differ in chains or draws",
                                 path, variables.front().name, variable.name));
  }
  if (shape.chains == 0 || shape.draws == 0) {
    throw UsageError(fmt::format("{}: no draws", path));
  }
  for (const VariableLayout& variable : variables) {
    const auto names = element_names(variable.original, variable.shape);
    draws.names.insert(draws.names.end(), names.begin(), names.end());
  }
  draws.chains.resize(shape.chains);
  for (Chain& chain : draws.chains) {
    chain.draws.resize(static_cast<Index>(shape.draws), draws.dim());
    chain.statistics.setZero(static_cast<Index>(shape.draws), DrawStatistics::count);
  }
  for (const VariableLayout& variable : variables) {
    read_variable(group, variable, draws.chains, &Chain::draws);
  }
}

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

void read_statistics(hid_t root, Draws& draws) {
  const std::string name = statistics_group(Phase::sampling);
  if (!has_link(root, name)) return;
  const Hdf5Id group(H5Gopen2(root, name.c_str(), H5P_DEFAULT), name);
  const Shape shape{draws.chains.size(), static_cast<hsize_t>(draws.draws())};
  for (std::size_t j = 0; j < kStatisticVariables.size(); ++j) {
    const auto found = find_statistic(group, kStatisticVariables[j].name);
    if (!found || shape_of(group, *found) != shape) continue;
    const VariableLayout variable{*found, *found, {}, {static_cast<Index>(j)}};
    read_variable(group, variable, draws.chains, &Chain::statistics);
  }
}

void complete_facts(Draws& draws) {
  RunFacts& facts = draws.facts;
  facts.chains = static_cast<Index>(draws.chains.size());
  facts.draws = draws.draws();
  facts.divergences = 0;
  double accepted = 0;
  for (const Chain& chain : draws.chains) {
    accepted += chain.statistics.col(1).mean();
    facts.divergences += static_cast<std::uint64_t>((chain.statistics.col(5).array() > 0).count());
  }
  facts.accept_rate = accepted / static_cast<double>(facts.chains);
}

ReadResult read_all(hid_t root, const std::string& path) {
  if (!has_link(root, values_group(Phase::sampling))) {
    throw UsageError(
        fmt::format("{}: has no group posterior; expected the InferenceData layout", path));
  }
  ReadResult result;
  const Hdf5Id group(H5Gopen2(root, "posterior", H5P_DEFAULT), "the group posterior");
  result.draws.facts = read_facts(root);
  const Index wanted = result.draws.facts.draws;
  read_posterior(group, path, result.draws);
  read_statistics(root, result.draws);
  result.draws.learnt = read_learnt(root, path, result.warnings);
  complete_facts(result.draws);
  if (!is_finished(root)) {
    result.warnings.push_back(fmt::format("{}: {} of {} draws; the run was interrupted", path,
                                          result.draws.draws(), wanted));
  }
  return result;
}

}  // namespace

ReadResult read_netcdf(const std::string& path) {
  const Hdf5Session session;
  const ReadLock lock(path);
  const Hdf5Id root = open_file(path);
  try {
    return read_all(root, path);
  } catch (const Hdf5Error& error) {
    throw UsageError(fmt::format("{}: cannot be read: {}", path, error.what()));
  }
}

}  // namespace gadwall::files
