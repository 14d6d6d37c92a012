// Reads a NetCDF draws file chain by chain, some rows of all variables at a time.
#include "files/netcdf_stream.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "files/netcdf_facts.hpp"
#include "files/netcdf_section.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

/// The rows of the block, from `first` of the chain on, of one variable; `to` has one draw per
/// column, and the values of the variable in these of its rows.
void read_into(hid_t from, const VariableLayout& variable, const ChainBlock& block, Index first,
               const std::vector<Index>& columns, Matrix& to) {
  const Hdf5Id dataset = open_dataset(from, variable.path());
  NetcdfRows rows(block.count, variable.size());
  read_rows(dataset, block.chain, first, rows);
  for (Index r = 0; r < rows.rows(); ++r) {
    for (Index k = 0; k < rows.cols(); ++k) {
      to(columns[static_cast<std::size_t>(k)], r) = rows(r, k);
    }
  }
}

}  // namespace

template <class Work>
auto NetcdfStream::guarded(Work work) const {
  try {
    return work();
  } catch (const Hdf5Error& error) {
    throw UsageError(fmt::format("{}: cannot be read: {}", path_, error.what()));
  }
}

NetcdfStream::NetcdfStream(const std::string& path) : path_(path), root_(open_netcdf(path)) {
  guarded([&] {
    sampling_ = open_section(Phase::sampling);
    if (has_link(root_, values_group(Phase::warmup))) warmup_ = open_section(Phase::warmup);
  });
  names_ = value_names(sampling_->value_variables);
  statistics_ = common_statistics();
  for (const Statistic& statistic : sampling_->statistic_variables.statistics) {
    const auto known = [&](const Statistic& other) { return other.stan == statistic.stan; };
    if (std::ranges::none_of(statistics_, known)) statistics_.push_back(statistic);
  }
  chains_ = static_cast<Index>(sampling_->shape.chains);
  if (chains_ == 0 || sampling_->shape.draws == 0) {
    throw UsageError(fmt::format("{}: no draws", path));
  }
}

NetcdfStream::Section NetcdfStream::open_section(Phase phase) const {
  Section section;
  section.value_variables = posterior_variables(root_, phase, path_);
  const std::string first = section.value_variables.front().path();
  section.shape = shape_of(root_, first);
  const Hdf5Id dataset = open_dataset(root_, first);
  section.rows_at_once =
      files::rows_at_once(dataset, static_cast<Index>(value_names(section.value_variables).size()));
  const std::string statistics = statistics_group(phase);
  if (!has_link(root_, statistics)) return section;
  section.statistics = {H5Gopen2(root_, statistics.c_str(), H5P_DEFAULT), statistics};
  section.statistic_variables = find_statistics(section.statistics, section.shape);
  return section;
}

const std::optional<NetcdfStream::Section>& NetcdfStream::section(Phase phase) const {
  return phase == Phase::warmup ? warmup_ : sampling_;
}

Index NetcdfStream::rows(Phase phase) const {
  return section(phase) ? static_cast<Index>(section(phase)->shape.draws) : 0;
}

RunFacts NetcdfStream::facts() const {
  RunFacts facts = guarded([&] { return read_facts(root_); });
  facts.chains = chains_;
  facts.draws = rows(Phase::sampling);
  facts.groups = own_groups(sampling_->value_variables);
  return facts;
}

bool NetcdfStream::is_finished() const {
  return guarded([&] { return files::is_finished(root_); });
}

std::vector<Learnt> NetcdfStream::learnt() const {
  std::vector<std::string> ignored;  // a tuning that cannot be read is none
  return guarded([&] { return read_learnt(root_, path_, ignored); });
}

std::vector<MeasuredFacts> NetcdfStream::chain_costs() const {
  return guarded([&] { return read_chain_costs(root_); });
}

std::string NetcdfStream::created_at() const {
  return guarded([&] { return read_text(root_, "created_at").value_or(""); });
}

void NetcdfStream::read(Phase phase, Index chain,
                        const std::function<void(const ChainBlock&)>& take) const {
  for (Index first = 0; first < rows(phase);) {
    const ChainBlock block =
        rows_of(phase, chain, first, std::min(rows_at_once(phase), rows(phase) - first));
    take(block);
    first += block.count;
  }
}

ChainBlock NetcdfStream::rows_of(Phase phase, Index chain, Index first, Index count) const {
  const Section& from = *section(phase);
  ChainBlock block;
  block.chain = chain;
  block.warmup = phase == Phase::warmup;
  block.count = count;
  block.values.resize(static_cast<Index>(names_.size()), count);
  block.statistics.setZero(static_cast<Index>(statistics_.size()), count);
  guarded([&] {
    for (const VariableLayout& variable : from.value_variables) {
      read_into(root_, variable, block, first, variable.columns, block.values);
    }
    const auto& [statistics, variables] = from.statistic_variables;
    for (const VariableLayout& variable : variables) {
      std::vector<Index> columns;
      for (const Index j : variable.columns) {
        columns.push_back(
            find_statistic(statistics_, statistics[static_cast<std::size_t>(j)].name));
      }
      if (columns.front() < 0) continue;
      read_into(from.statistics, variable, block, first, columns, block.statistics);
    }
  });
  return block;
}

Index NetcdfStream::rows_at_once(Phase phase) const {
  return section(phase) ? section(phase)->rows_at_once : 1;
}

TargetData NetcdfStream::data() const {
  return guarded([&] {
    TargetData data{.constant = read_arrays(root_, kConstantData),
                    .observed = read_arrays(root_, kObservedData)};
    const auto& values = section(Phase::sampling)->value_variables;
    if (values.size() == 1 && !values.front().labels.empty()) {
      data.values = LabelledArray{values.front().original, values.front().labels_name};
    }
    return data;
  });
}

}  // namespace gadwall::files
