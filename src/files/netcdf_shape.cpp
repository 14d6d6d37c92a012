#include "files/netcdf_shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "files/netcdf_parts.hpp"
#include "files/netcdf_section.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

void require_values(hid_t root, const std::string& path, Phase phase,
                    const NetcdfRunShape& wanted) {
  const std::vector<VariableLayout> variables = run_variables(root, phase);
  const std::vector<std::string> names = value_names(variables);
  const auto chains =
      names.empty() ? 0 : static_cast<Index>(shape_of(root, variables.front().path()).chains);
  if (chains != wanted.chains || names.size() != wanted.names.size()) {
    throw UsageError(
        fmt::format("{}: holds {} chains of {} values, expected {} of {}: it is not of this run",
                    path, chains, names.size(), wanted.chains, wanted.names.size()));
  }
  const auto other = std::ranges::mismatch(names, wanted.names);
  if (other.in1 == names.end()) return;
  throw UsageError(fmt::format("{}: holds the value '{}', expected '{}': it is not of this run",
                               path, *other.in1, *other.in2));
}

/// A later version of a sampler may have more of them.
void require_statistics(hid_t root, const std::string& path, Phase phase,
                        const std::vector<Statistic>& wanted) {
  const std::string name = statistics_group(phase);
  const Hdf5Id group(H5Gopen2(root, name.c_str(), H5P_DEFAULT), name);
  std::vector<std::string> held;
  for (const VariableLayout& variable : find_variables(group)) held.push_back(variable.name);
  std::vector<std::string> expected;
  for (const VariableLayout& variable : statistic_layout(wanted)) {
    expected.push_back(variable.name);
  }
  if (held == expected) return;
  throw UsageError(fmt::format("{}: {} holds {}, expected {}: the run cannot go on", path, name,
                               fmt::join(held, ", "), fmt::join(expected, ", ")));
}

}  // namespace

void require_shape(hid_t root, const std::string& path, const NetcdfRunShape& shape) {
  for (const Phase phase : {Phase::sampling, Phase::warmup}) {
    if (!has_link(root, values_group(phase))) continue;
    if (!shape.names.empty()) require_values(root, path, phase, shape);
    require_statistics(root, path, phase, shape.statistics);
  }
}

void require_rows(hid_t root, const std::string& path, Phase phase, Index wanted) {
  const std::string name = statistics_group(phase) + "/draw";
  const Hdf5Id dataset = open_dataset(root, name);
  const auto held = static_cast<Index>(extents(dataset).at(0));
  if (held >= wanted) return;
  throw UsageError(fmt::format("{}: holds {} draws per chain in {}, expected at least {}", path,
                               held, values_group(phase), wanted));
}

}  // namespace gadwall::files
