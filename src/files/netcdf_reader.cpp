// Reads the draws of a NetCDF-4 file in the InferenceData layout.
#include <fmt/format.h>

#include <algorithm>

#include "files/checkpoint.hpp"
#include "files/column_facts.hpp"
#include "files/netcdf_file.hpp"
#include "files/netcdf_remote.hpp"
#include "files/read_run.hpp"
#include "files/run_lock.hpp"
#include "gadwall/error.hpp"
#include "text/number_text.hpp"

namespace gadwall::files {
namespace {

void copy_columns(const NetcdfRows& rows, Index first, const std::vector<Index>& columns,
                  Matrix& to) {
  for (Index k = 0; k < rows.cols(); ++k) {
    to.col(columns[static_cast<std::size_t>(k)]).segment(first, rows.rows()) = rows.col(k);
  }
}

template <class File>
void read_variables(File& file, const std::vector<VariableLayout>& variables, NetcdfRange range,
                    std::vector<Chain>& chains, Matrix Chain::*part) {
  const Index draws = chains.front().draws.rows();
  NetcdfRows rows;
  for (const VariableLayout& variable : variables) {
    const Index step = rows_at_once(variable.rows_together, variable.size());
    for (range.chain = 0; range.chain < static_cast<Index>(chains.size()); ++range.chain) {
      for (range.first = 0; range.first < draws; range.first += step) {
        rows.resize(std::min(step, draws - range.first), variable.size());
        file.read(range, rows);
        copy_columns(rows, range.first, variable.columns,
                     chains[static_cast<std::size_t>(range.chain)].*part);
      }
    }
    ++range.variable;
  }
}

template <class File>
void read_draws(File& file, const std::string& path, Draws& draws) {
  const NetcdfVariables found = file.variables(Phase::sampling);
  if (found.shape.chains == 0 || found.shape.draws == 0) {
    throw UsageError(fmt::format(
        "{}: no draws{}", path,
        has_checkpoint(run_name(path)) ? " yet; gadwall resume goes on with the run" : ""));
  }
  draws.names = value_names(found.values);
  draws.statistics = found.statistics.statistics;
  draws.facts.groups = own_groups(found.values);
  draws.chains.resize(found.shape.chains);
  const auto rows = static_cast<Index>(found.shape.draws);
  for (Chain& chain : draws.chains) {
    chain.draws.resize(rows, draws.dim());
    if (!draws.statistics.empty()) {
      chain.statistics.resize(rows, static_cast<Index>(draws.statistics.size()));
    }
  }
  read_variables(file, found.values, {.is_statistic = false}, draws.chains, &Chain::draws);
  read_variables(file, found.statistics.variables, {.is_statistic = true}, draws.chains,
                 &Chain::statistics);
}

template <class File>
ReadResult read_from(File& file, const std::string& path) {
  ReadResult result;
  NetcdfHead head = file.head();
  result.draws.facts = std::move(head.facts);
  read_draws(file, path, result.draws);
  NetcdfLearnt learnt = file.learnt();
  result.draws.learnt = std::move(learnt.learnt);
  result.warnings = std::move(learnt.warnings);
  add_column_facts(result.draws);
  if (head.is_finished) return result;
  const auto text = [](Index count) { return grouped(static_cast<std::uint64_t>(count)); };
  const bool goes_on = path.ends_with(".nc") && is_at_work(path.substr(0, path.size() - 3));
  result.warnings.push_back(
      fmt::format("{}: {} of {} draws; the run {}", path, text(result.draws.draws()),
                  text(result.draws.facts.draws_asked), goes_on ? "goes on" : "was interrupted"));
  return result;
}

}  // namespace

ReadResult read_netcdf(const std::string& path) {
  NetcdfRemote file(path);
  return read_from(file, path);
}

ReadResult read_own_netcdf(const std::string& path) {
  const Hdf5Session session;
  NetcdfSource file(path);
  return read_from(file, path);
}

}  // namespace gadwall::files
