// Reads the draws of a NetCDF-4 file in the InferenceData layout.
#include <fmt/format.h>

#include <algorithm>

#include "files/checkpoint.hpp"
#include "files/column_facts.hpp"
#include "files/netcdf_facts.hpp"
#include "files/netcdf_parts.hpp"
#include "files/netcdf_section.hpp"
#include "files/read_run.hpp"
#include "files/run_lock.hpp"
#include "gadwall/error.hpp"
#include "text/number_text.hpp"

namespace gadwall::files {
namespace {

/// Turns rows of the file into columns, a tile that stays in the cache at a time.
void copy_columns(const NetcdfRows& rows, Index first, const std::vector<Index>& columns,
                  Matrix& to) {
  constexpr Index tile = 64;
  for (Index from = 0; from < rows.rows(); from += tile) {
    const Index count = std::min(tile, rows.rows() - from);
    for (Index k = 0; k < rows.cols(); ++k) {
      to.col(columns[static_cast<std::size_t>(k)]).segment(first + from, count) =
          rows.col(k).segment(from, count);
    }
  }
}

/// from: where the path of the variable begins.
void read_variable(hid_t from, const VariableLayout& variable, std::vector<Chain>& chains,
                   Matrix Chain::*part) {
  const Hdf5Id dataset = open_dataset(from, variable.path());
  const Index draws = chains.front().draws.rows();
  const Index step = rows_at_once(dataset, variable.size());
  NetcdfRows rows;
  for (Index c = 0; c < static_cast<Index>(chains.size()); ++c) {
    for (Index first = 0; first < draws; first += step) {
      rows.resize(std::min(step, draws - first), variable.size());
      read_rows(dataset, c, first, rows);
      copy_columns(rows, first, variable.columns, chains[static_cast<std::size_t>(c)].*part);
    }
  }
}

void read_posterior(hid_t root, const std::string& path, Draws& draws) {
  const auto variables = posterior_variables(root, Phase::sampling, path);
  const NetcdfShape shape = shape_of(root, variables.front().path());
  if (shape.chains == 0 || shape.draws == 0) {
    throw UsageError(fmt::format(
        "{}: no draws{}", path,
        has_checkpoint(run_name(path)) ? " yet; gadwall resume goes on with the run" : ""));
  }
  draws.names = value_names(variables);
  draws.facts.groups = own_groups(variables);
  draws.chains.resize(shape.chains);
  for (Chain& chain : draws.chains) {
    chain.draws.resize(static_cast<Index>(shape.draws), draws.dim());
  }
  for (const VariableLayout& variable : variables) {
    read_variable(root, variable, draws.chains, &Chain::draws);
  }
}

void read_statistics(hid_t root, Draws& draws) {
  const std::string name = statistics_group(Phase::sampling);
  if (!has_link(root, name)) return;
  const Hdf5Id group(H5Gopen2(root, name.c_str(), H5P_DEFAULT), name);
  const NetcdfShape shape{draws.chains.size(), static_cast<hsize_t>(draws.draws())};
  const NetcdfStatistics found = find_statistics(group, shape);
  draws.statistics = found.statistics;
  for (Chain& chain : draws.chains) {
    chain.statistics.resize(draws.draws(), static_cast<Index>(found.statistics.size()));
  }
  for (const VariableLayout& variable : found.variables) {
    read_variable(group, variable, draws.chains, &Chain::statistics);
  }
}

ReadResult read_all(hid_t root, const std::string& path) {
  ReadResult result;
  result.draws.facts = read_facts(root);
  read_posterior(root, path, result.draws);
  read_statistics(root, result.draws);
  result.draws.learnt = read_learnt(root, path, result.warnings);
  add_column_facts(result.draws);
  if (!is_finished(root)) {
    const auto text = [](Index count) { return grouped(static_cast<std::uint64_t>(count)); };
    const bool goes_on = path.ends_with(".nc") && is_at_work(path.substr(0, path.size() - 3));
    result.warnings.push_back(
        fmt::format("{}: {} of {} draws; the run {}", path, text(result.draws.draws()),
                    text(result.draws.facts.draws_asked), goes_on ? "goes on" : "was interrupted"));
  }
  return result;
}

}  // namespace

ReadResult read_netcdf(const std::string& path) {
  const Hdf5Session session;
  const Hdf5Id root = open_netcdf(path);
  try {
    return read_all(root, path);
  } catch (const Hdf5Error& error) {
    throw UsageError(fmt::format("{}: cannot be read: {}", path, error.what()));
  }
}

}  // namespace gadwall::files
