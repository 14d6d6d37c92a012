// Reads a NetCDF draws file chain by chain, some rows of all variables at a time.
#include "files/netcdf_stream.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

/// `to` has one draw per column, and the values of the variable in these of its rows.
void read_into(const NetcdfRemote& file, const NetcdfRange& range,
               const std::vector<Index>& columns, Matrix& to) {
  NetcdfRows rows(range.count, static_cast<Index>(columns.size()));
  file.read(range, rows);
  for (Index r = 0; r < rows.rows(); ++r) {
    for (Index k = 0; k < rows.cols(); ++k) {
      to(columns[static_cast<std::size_t>(k)], r) = rows(r, k);
    }
  }
}

}  // namespace

NetcdfStream::NetcdfStream(const std::string& path)
    : file_(path), head_(file_.head()), sampling_(file_.variables(Phase::sampling)) {
  names_ = value_names(sampling_.values);
  if (head_.has_warmup) {
    warmup_ = file_.variables(Phase::warmup);
    if (value_names(warmup_->values) != names_) {
      throw UsageError(fmt::format("{}: warm-up has other values than the draws", path));
    }
  }
  statistics_ = common_statistics();
  for (const Statistic& statistic : sampling_.statistics.statistics) {
    const auto known = [&](const Statistic& other) { return other.stan == statistic.stan; };
    if (std::ranges::none_of(statistics_, known)) statistics_.push_back(statistic);
  }
  if (sampling_.shape.chains == 0 || sampling_.shape.draws == 0) {
    throw UsageError(fmt::format("{}: no draws", path));
  }
}

const NetcdfVariables* NetcdfStream::variables(Phase phase) const {
  if (phase == Phase::sampling) return &sampling_;
  return warmup_ ? &*warmup_ : nullptr;
}

Index NetcdfStream::rows(Phase phase) const {
  const NetcdfVariables* found = variables(phase);
  return found != nullptr ? static_cast<Index>(found->shape.draws) : 0;
}

RunFacts NetcdfStream::facts() const {
  RunFacts facts = head_.facts;
  facts.chains = chains();
  facts.draws = rows(Phase::sampling);
  facts.groups = own_groups(sampling_.values);
  return facts;
}

std::vector<Learnt> NetcdfStream::learnt() const {
  return file_.learnt().learnt;  // a tuning that cannot be read is none
}

std::vector<MeasuredFacts> NetcdfStream::chain_costs() const {
  return file_.chain_costs();
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
  const NetcdfVariables& from = *variables(phase);
  ChainBlock block;
  block.chain = chain;
  block.warmup = phase == Phase::warmup;
  block.count = count;
  block.values.resize(static_cast<Index>(names_.size()), count);
  block.statistics.setZero(static_cast<Index>(statistics_.size()), count);
  NetcdfRange range{phase, false, 0, chain, first, count};
  for (const VariableLayout& variable : from.values) {
    read_into(file_, range, variable.columns, block.values);
    ++range.variable;
  }
  range.is_statistic = true;
  range.variable = 0;
  for (const VariableLayout& variable : from.statistics.variables) {
    std::vector<Index> columns;
    for (const Index j : variable.columns) {
      const Statistic& statistic = from.statistics.statistics[static_cast<std::size_t>(j)];
      columns.push_back(find_statistic(statistics_, statistic.name));
    }
    if (std::ranges::min(columns) >= 0) read_into(file_, range, columns, block.statistics);
    ++range.variable;
  }
  return block;
}

Index NetcdfStream::rows_at_once(Phase phase) const {
  const NetcdfVariables* found = variables(phase);
  if (found == nullptr) return 1;
  return files::rows_at_once(found->values.front().rows_together,
                             static_cast<Index>(names_.size()));
}

TargetData NetcdfStream::data() const {
  TargetData data = file_.data();
  const std::vector<VariableLayout>& values = sampling_.values;
  if (values.size() == 1 && !values.front().labels.empty()) {
    data.values = LabelledArray{values.front().original, values.front().labels_name};
  }
  return data;
}

}  // namespace gadwall::files
