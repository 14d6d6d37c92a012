// Creates, opens and extends the datasets of one phase.
#include "files/netcdf_section.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "files/netcdf_facts.hpp"
#include "files/netcdf_parts.hpp"
#include "run/file_groups.hpp"

namespace gadwall::files {
namespace {

/// About half a megabyte per chain, which stays in the processor's cache, but an eighth of the run
/// at most: what a chunk has room for is compressed and read, whether or not there are draws. Many
/// variables get longer chunks, since each costs a place in an index. width: values and statistics
/// of a draw.
Index choose_block(Index width, std::size_t variables, Index draws) {
  const auto wanted = static_cast<std::size_t>(65536 / width);
  const auto share = static_cast<std::size_t>(std::max<Index>(draws, 1) / 8);
  const Index least = variables > 64 ? 128 : 16;
  const Index most = std::clamp<Index>(static_cast<Index>(std::bit_floor(share)), 256, 4096);
  return std::clamp<Index>(static_cast<Index>(std::bit_floor(wanted)), least, most);
}

/// In a short row a number that repeats is found best where its bytes stand together.
bool gains_by_shuffling(hid_t type, std::size_t width) {
  constexpr std::size_t least_width = 16;
  return type != H5T_NATIVE_DOUBLE || width >= least_width;
}

hid_t type_of(Statistic::Kind kind) {
  if (kind == Statistic::Kind::real) return H5T_NATIVE_DOUBLE;
  return kind == Statistic::Kind::count ? H5T_NATIVE_INT64 : H5T_NATIVE_INT8;
}

/// The one of those three that a variable has.
hid_t type_of(hid_t dataset) {
  const Hdf5Id type(H5Dget_type(dataset), "a type");
  if (H5Tget_class(type) == H5T_FLOAT) return H5T_NATIVE_DOUBLE;
  return H5Tget_size(type) == 1 ? H5T_NATIVE_INT8 : H5T_NATIVE_INT64;
}

template <class Number>
void gather_as(const double* rows, Index width, const std::vector<Index>& columns,
               std::span<char> chunk) {
  auto* to = reinterpret_cast<Number*>(chunk.data());
  auto* const end = reinterpret_cast<Number*>(chunk.data() + chunk.size());
  for (; to < end; rows += width) {
    for (const Index column : columns) *to++ = static_cast<Number>(rows[column]);
  }
}

std::vector<hsize_t> chunk_of(hid_t dataset) {
  const Hdf5Id properties(H5Dget_create_plist(dataset), "the chunks");
  std::vector<hsize_t> chunk(extents(dataset).size());
  require(H5Pget_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), "the chunks");
  return chunk;
}

}  // namespace

std::string in_phase(Phase phase, const std::string& group) {
  return phase == Phase::warmup ? "warmup_" + group : group;
}

std::string values_group(Phase phase) {
  return in_phase(phase, "posterior");
}

std::string statistics_group(Phase phase) {
  return in_phase(phase, "sample_stats");
}

NetcdfSection NetcdfSection::create(hid_t root, Phase phase, const NetcdfSchema& schema) {
  NetcdfSection section;
  const std::vector<VariableLayout> layout = group_names(schema.names, schema.data.values);
  section.dim_ = static_cast<Index>(schema.names.size());
  section.statistics_ = static_cast<Index>(schema.statistics.size());
  section.block_ =
      choose_block(section.dim_ + section.statistics_, layout.size(), schema.facts.draws);
  section.pending_.resize(static_cast<std::size_t>(schema.facts.chains));
  const GroupOfDraws& posterior = section.create_draws(root, values_group(phase));
  write_attribute(posterior.group, "tuning_steps", static_cast<std::int64_t>(schema.facts.warmup));
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const auto own = schema.facts.groups.find(array_of(layout[i].original));
    const bool has_own = own != schema.facts.groups.end();
    const std::string group = has_own ? in_phase(phase, own->second) : values_group(phase);
    const auto known = section.groups_.find(group);
    const GroupOfDraws& parent =
        known != section.groups_.end() ? known->second : section.create_draws(root, group);
    Hdf5Id dataset = section.create_values(parent, layout[i]);
    if (has_own) write_attribute(dataset, kPlaceAttribute, static_cast<std::int64_t>(i));
    section.add(std::move(dataset), H5T_NATIVE_DOUBLE, false, layout[i].columns);
  }
  section.create_statistics(root, phase, schema.statistics);
  return section;
}

/// A group with the dimensions chain and draw.
const NetcdfSection::GroupOfDraws& NetcdfSection::create_draws(hid_t root,
                                                               const std::string& name) {
  GroupOfDraws& made = groups_[name];
  made.group = create_group(root, name);
  write_origin(made.group);
  made.chain = create_dimension(made.group, "chain", static_cast<Index>(pending_.size()));
  made.draw = create_dimension(made.group, "draw", std::nullopt, block_);
  return made;
}

Hdf5Id NetcdfSection::create_values(const GroupOfDraws& parent, const VariableLayout& variable) {
  NewVariable fresh{variable.name, H5T_NATIVE_DOUBLE, {parent.chain, parent.draw}, {}};
  fresh.chunk = {1, static_cast<hsize_t>(block_)};
  std::vector<Hdf5Id> dimensions;
  for (std::size_t d = 0; d < variable.shape.size(); ++d) {
    dimensions.push_back(
        variable.labels.empty()
            ? create_dimension(parent.group, dimension_name(variable.name, d), variable.shape[d])
            : create_labels(parent.group, variable.labels_name, variable.labels));
    fresh.dimensions.push_back(dimensions.back());
    fresh.chunk.push_back(static_cast<hsize_t>(variable.shape[d]));
  }
  fresh.shuffled = gains_by_shuffling(fresh.type, variable.columns.size());
  Hdf5Id dataset = create_variable(parent.group, fresh);
  if (variable.name != variable.original) {
    write_attribute(dataset, "gadwall_name", variable.original);
  }
  if (!variable.labels.empty()) {
    write_attribute(dataset, kLabelsAttribute, variable.labels_name);
  }
  return dataset;
}

void NetcdfSection::create_statistics(hid_t root, Phase phase,
                                      const std::vector<Statistic>& statistics) {
  const GroupOfDraws& parent = create_draws(root, statistics_group(phase));
  for (const VariableLayout& variable : statistic_layout(statistics)) {
    const Statistic& first = statistics[static_cast<std::size_t>(variable.columns.front())];
    const hid_t type = type_of(first.kind);
    NewVariable fresh{variable.name, type, {parent.chain, parent.draw}, {}};
    fresh.chunk = {1, static_cast<hsize_t>(block_)};
    std::vector<Hdf5Id> dimensions;
    for (std::size_t d = 0; d < variable.shape.size(); ++d) {
      dimensions.push_back(
          create_dimension(parent.group, dimension_name(variable.name, d), variable.shape[d]));
      fresh.dimensions.push_back(dimensions.back());
      fresh.chunk.push_back(static_cast<hsize_t>(variable.shape[d]));
    }
    fresh.shuffled = gains_by_shuffling(type, variable.columns.size());
    Hdf5Id dataset = create_variable(parent.group, fresh);
    if (first.kind == Statistic::Kind::flag) {
      write_attribute(dataset, "dtype", std::string("bool"));  // xarray's sign for booleans
    }
    write_statistic_names(dataset, variable, first);
    add(std::move(dataset), type, true, variable.columns);
  }
}

void NetcdfSection::add(Hdf5Id dataset, hid_t type, bool is_statistic, std::vector<Index> columns) {
  const Hdf5Id properties(H5Dget_create_plist(dataset), "the filters");
  const bool is_shuffled = H5Pget_nfilters(properties) > 1;
  variables_.push_back(
      {std::move(dataset), type, H5Tget_size(type), is_shuffled, is_statistic, std::move(columns)});
}

void NetcdfSection::open_draws(hid_t root, const std::string& name) {
  if (groups_.contains(name)) return;
  groups_[name].draw = open_dataset(root, name + "/draw");
}

NetcdfSection NetcdfSection::open(hid_t root, Phase phase, Index rows) {
  NetcdfSection section;
  const Hdf5Id statistics(H5Gopen2(root, statistics_group(phase).c_str(), H5P_DEFAULT),
                          statistics_group(phase));
  section.open_draws(root, statistics_group(phase));
  section.open_draws(root, values_group(phase));
  for (const VariableLayout& variable : run_variables(root, phase)) {
    section.dim_ += variable.size();
    section.open_draws(root, variable.group);
    section.add(open_dataset(root, variable.path()), H5T_NATIVE_DOUBLE, false, variable.columns);
  }
  for (const VariableLayout& variable : find_variables(statistics)) {
    section.statistics_ += variable.size();
    Hdf5Id dataset = open_dataset(statistics, variable.name);
    const hid_t type = type_of(dataset);
    section.add(std::move(dataset), type, true, variable.columns);
  }
  section.check_shapes(rows);
  section.full_rows_ = rows / section.block_ * section.block_;
  section.resize(rows);
  const auto rest = static_cast<std::size_t>(rows - section.full_rows_);
  for (Pending& pending : section.pending_) {
    pending.values.resize(rest * static_cast<std::size_t>(section.dim_));
    pending.statistics.resize(rest * static_cast<std::size_t>(section.statistics_));
  }
  for (const Variable& variable : section.variables_) {
    for (Index c = 0; rest > 0 && c < static_cast<Index>(section.pending_.size()); ++c) {
      section.load_rest(variable, c);
    }
  }
  return section;
}

/// A damaged file must not be extended: chunks of another size would be read as other draws.
void NetcdfSection::check_shapes(Index rows) {
  const auto plain = std::ranges::find(variables_, true, &Variable::is_statistic);  // no array
  if (plain == variables_.end()) throw Hdf5Error("the draws: there are no statistics");
  const std::vector<hsize_t> first = extents(plain->dataset);
  const std::vector<hsize_t> chunk = chunk_of(plain->dataset);
  for (const Variable& variable : variables_) {
    const std::vector<hsize_t> shape = extents(variable.dataset);
    std::vector<hsize_t> wanted = chunk;
    if (shape.size() > 2) wanted.insert(wanted.end(), shape.begin() + 2, shape.end());
    if (shape.size() < 2 || first.size() != 2 || chunk[0] != 1 || shape[0] != first[0] ||
        shape[1] < static_cast<hsize_t>(rows) || chunk_of(variable.dataset) != wanted) {
      throw Hdf5Error("the draws: their variables differ in shape; the file is damaged");
    }
  }
  block_ = static_cast<Index>(chunk[1]);
  pending_.resize(first[0]);
}

void NetcdfSection::load_rest(const Variable& variable, Index chain) {
  std::vector<hsize_t> count = extents(variable.dataset);
  std::vector<hsize_t> start(count.size(), 0);
  start[0] = static_cast<hsize_t>(chain);
  start[1] = static_cast<hsize_t>(full_rows_);
  count[0] = 1;
  count[1] = static_cast<hsize_t>(rows_ - full_rows_);
  const Hdf5Id space(H5Dget_space(variable.dataset), "a selection");
  require(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
          "a selection");
  const Hdf5Id memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                      "a selection");
  std::vector<double> read(count[1] * variable.columns.size());
  require(H5Dread(variable.dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, read.data()),
          "the last draws");
  Pending& pending = pending_[static_cast<std::size_t>(chain)];
  double* row = variable.is_statistic ? pending.statistics.data() : pending.values.data();
  const Index width = variable.is_statistic ? statistics_ : dim_;
  for (auto value = read.begin(); value != read.end(); row += width) {
    for (const Index column : variable.columns) row[column] = *value++;
  }
}

void NetcdfSection::resize(Index rows) {
  for (const Variable& variable : variables_) {
    std::vector<hsize_t> shape = extents(variable.dataset);
    shape[1] = static_cast<hsize_t>(rows);
    require(H5Dset_extent(variable.dataset, shape.data()), "more draws");
  }
  const auto length = static_cast<hsize_t>(rows);
  for (const auto& [name, group] : groups_) {
    require(H5Dset_extent(group.draw, &length), "more draws");
  }
  rows_ = rows;
}

Index NetcdfSection::common_rows() const {
  std::size_t least = pending_.empty() ? 0 : pending_.front().statistics.size();
  for (const Pending& pending : pending_) least = std::min(least, pending.statistics.size());
  return static_cast<Index>(least) / statistics_;
}

void NetcdfSection::append(Index chain, const DrawBlock& block) {
  Pending& pending = pending_[static_cast<std::size_t>(chain)];
  pending.values.reserve(static_cast<std::size_t>(block_ * dim_));
  pending.statistics.reserve(static_cast<std::size_t>(block_ * statistics_));
  pending.values.insert(pending.values.end(), block.values, block.values + block.count * dim_);
  pending.statistics.insert(pending.statistics.end(), block.statistics,
                            block.statistics + block.count * statistics_);
  const Index ready = common_rows() / block_ * block_;
  for (Index first = 0; first < ready; first += block_) {
    write_block(first, block_);
    full_rows_ += block_;
  }
  if (ready == 0) return;
  for (Pending& rows : pending_) {
    rows.values.erase(rows.values.begin(), rows.values.begin() + ready * dim_);
    rows.statistics.erase(rows.statistics.begin(), rows.statistics.begin() + ready * statistics_);
  }
}

void NetcdfSection::write_rest() {
  const Index rest = common_rows();
  if (full_rows_ + rest > rows_) write_block(0, rest);
}

/// Writes rows that wait, from `first` on, as one chunk per chain and variable.
void NetcdfSection::write_block(Index first, Index rows) {
  resize(full_rows_ + rows);
  write_draw_labels(rows);
  std::vector<hsize_t> offset;
  for (const Variable& variable : variables_) {
    for (std::size_t c = 0; c < pending_.size(); ++c) {
      gather(variable, {pending_[c], first, rows});
      const std::span<const char> bytes = compress(variable);
      offset.assign(extents(variable.dataset).size(), 0);
      offset[0] = c;
      offset[1] = static_cast<hsize_t>(full_rows_);
      require(H5Dwrite_chunk(variable.dataset, H5P_DEFAULT, 0, offset.data(), bytes.size(),
                             bytes.data()),
              "a chunk of draws");
    }
  }
}

std::span<const char> NetcdfSection::compress(const Variable& variable) {
  const std::size_t row_size = variable.columns.size() * variable.element_size;
  if (!variable.is_shuffled) return compressor_.compress(chunk_, row_size);
  return compressor_.compress(chunk_, variable.element_size, row_size);
}

void NetcdfSection::write_draw_labels(Index rows) {
  std::vector<std::int64_t> labels(static_cast<std::size_t>(rows));
  std::iota(labels.begin(), labels.end(), static_cast<std::int64_t>(full_rows_));
  const auto start = static_cast<hsize_t>(full_rows_);
  const auto count = static_cast<hsize_t>(rows);
  const Hdf5Id memory(H5Screate_simple(1, &count, nullptr), "a selection");
  for (const auto& [name, group] : groups_) {
    const Hdf5Id space(H5Dget_space(group.draw), "a selection");
    require(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr),
            "a selection");
    require(H5Dwrite(group.draw, H5T_NATIVE_INT64, memory, space, H5P_DEFAULT, labels.data()),
            "the numbers of the draws");
  }
}

/// A whole chunk; rows that are not there yet are zero.
void NetcdfSection::gather(const Variable& variable, const PendingRows& rows) {
  const std::size_t row_bytes = variable.columns.size() * variable.element_size;
  chunk_.assign(static_cast<std::size_t>(block_) * row_bytes, 0);
  const std::span<char> used(chunk_.data(), static_cast<std::size_t>(rows.count) * row_bytes);
  if (!variable.is_statistic) {
    const double* const values = rows.chain.values.data() + rows.first * dim_;
    return gather_as<double>(values, dim_, variable.columns, used);
  }
  const double* const statistics = rows.chain.statistics.data() + rows.first * statistics_;
  const Index width = statistics_;
  if (variable.type == H5T_NATIVE_INT64) {
    gather_as<std::int64_t>(statistics, width, variable.columns, used);
  } else if (variable.type == H5T_NATIVE_INT8) {
    gather_as<std::int8_t>(statistics, width, variable.columns, used);
  } else {
    gather_as<double>(statistics, width, variable.columns, used);
  }
}

}  // namespace gadwall::files
