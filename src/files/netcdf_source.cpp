#include "files/netcdf_source.hpp"

#include <fmt/format.h>

#include "files/netcdf_facts.hpp"
#include "files/netcdf_section.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

void find_chunks(hid_t group, std::vector<VariableLayout>& variables) {
  for (VariableLayout& variable : variables) {
    variable.rows_together = rows_together(open_dataset(group, variable.path()));
  }
}

}  // namespace

template <class Work>
auto NetcdfSource::guarded(Work work) const {
  try {
    return work();
  } catch (const Hdf5Error& error) {
    throw UsageError(fmt::format("{}: cannot be read: {}", path_, error.what()));
  }
}

NetcdfSource::NetcdfSource(const std::string& path) : path_(path), root_(open_netcdf(path)) {}

NetcdfHead NetcdfSource::head() const {
  return guarded([&] {
    return NetcdfHead{read_facts(root_), is_finished(root_),
                      read_text(root_, "created_at").value_or(""),
                      has_link(root_, values_group(Phase::warmup))};
  });
}

NetcdfVariables NetcdfSource::variables(Phase phase) const {
  return guarded([&] {
    NetcdfVariables found;
    found.values = posterior_variables(root_, phase, path_);
    found.shape = shape_of(root_, found.values.front().path());
    find_chunks(root_, found.values);
    const std::string name = statistics_group(phase);
    if (!has_link(root_, name)) return found;
    const Hdf5Id group(H5Gopen2(root_, name.c_str(), H5P_DEFAULT), name);
    found.statistics = find_statistics(group, found.shape);
    find_chunks(group, found.statistics.variables);
    for (VariableLayout& variable : found.statistics.variables) variable.group = name;
    return found;
  });
}

NetcdfLearnt NetcdfSource::learnt() const {
  NetcdfLearnt result;
  guarded([&] { result.learnt = read_learnt(root_, path_, result.warnings); });
  return result;
}

std::vector<MeasuredFacts> NetcdfSource::chain_costs() const {
  return guarded([&] { return read_chain_costs(root_); });
}

TargetData NetcdfSource::data() const {
  return guarded([&] {
    return TargetData{.constant = read_arrays(root_, kConstantData),
                      .observed = read_arrays(root_, kObservedData)};
  });
}

const NetcdfVariables& NetcdfSource::known_variables(Phase phase) {
  const auto found = known_.find(phase);
  return found != known_.end() ? found->second : known_[phase] = variables(phase);
}

NetcdfRows NetcdfSource::rows(const NetcdfRange& range) {
  const NetcdfVariables& all = known_variables(range.phase);
  const auto& variables = range.is_statistic ? all.statistics.variables : all.values;
  const VariableLayout& variable = variables.at(static_cast<std::size_t>(range.variable));
  return guarded([&] {
    if (dataset_path_ != variable.path()) {
      reader_.emplace(open_dataset(root_, variable.path()));
      dataset_path_ = variable.path();
    }
    NetcdfRows rows(range.count, reader_->width());
    reader_->read(range.chain, range.first, rows);
    return rows;
  });
}

void NetcdfSource::read(NetcdfRange range, NetcdfRows& to) {
  range.count = to.rows();
  const NetcdfRows found = rows(range);
  if (found.size() != to.size()) {
    throw UsageError(fmt::format("{}: cannot be read: a variable has changed its shape", path_));
  }
  to = found;
}

}  // namespace gadwall::files
