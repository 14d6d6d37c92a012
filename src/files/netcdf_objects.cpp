// Groups, dimensions and variables in the way NetCDF-4 lays them out in HDF5.
#include "files/netcdf_objects.hpp"

#include <fmt/format.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <mutex>
#include <numeric>

#include "files/netcdf_texts.hpp"

namespace gadwall::files {
namespace {

constexpr unsigned kDeflateLevel = 1;  // for what HDF5 itself compresses; it is not stored

/// Counted here: a recursive mutex knows its owner by the number of the thread, which is another in
/// a process that is forked with the lock held.
std::mutex hdf5_mutex;
thread_local int sessions = 0;

Hdf5Id dataset_properties(const std::vector<hsize_t>& chunk, bool shuffled = true) {
  Hdf5Id properties = in_creation_order(H5P_DATASET_CREATE);
  if (chunk.empty()) return properties;
  require(H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), "the chunks");
  if (shuffled) require(H5Pset_shuffle(properties), "the shuffle filter");
  require(H5Pset_deflate(properties, kDeflateLevel), "the deflate filter");
  return properties;
}

/// A link to another file is not followed: whoever reads a file reads that file alone.
void refuse_outside(const std::string& name, bool is_outside) {
  if (is_outside)
    throw Hdf5Error(fmt::format("'{}' is in another file, expected it in this", name));
}

struct Listing {
  std::vector<std::pair<std::int64_t, std::string>> links;  // by creation, where the file knows it
  bool has_outside = false;
  static herr_t add(hid_t, const char* name, const H5L_info_t* info, void* self) {
    auto& listing = *static_cast<Listing*>(self);
    listing.links.emplace_back(info->corder_valid ? info->corder : 0, name);
    if (info->type == H5L_TYPE_EXTERNAL) listing.has_outside = true;
    return 0;
  }
};

/// In the order of their creation, else by name. Sorted here: for any order but its own HDF5 1.10
/// makes a table of the links first, and where that fails, in a damaged file, frees what it has not
/// filled.
std::vector<std::string> link_names(hid_t group) {
  Listing listing;
  require(H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, Listing::add, &listing),
          "the names in a group");
  refuse_outside("a variable", listing.has_outside);
  std::ranges::sort(listing.links);
  std::vector<std::string> names;
  for (auto& [order, name] : listing.links) names.push_back(std::move(name));
  return names;
}

bool is_dataset(hid_t group, const std::string& name) {
  H5O_info_t info = {};
  return H5Oget_info_by_name2(group, name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT) >= 0 &&
         info.type == H5O_TYPE_DATASET;
}

/// The names of the elements of a variable that has them; as many as it has elements.
std::vector<std::string> read_labels(hid_t group, hid_t variable, std::size_t count) {
  const auto name = read_text(variable, kLabelsAttribute);
  if (!name || !has_link(group, *name)) return {};
  std::vector<std::string> labels = read_texts(group, *name);
  if (labels.size() != count) throw Hdf5Error(fmt::format("'{}' is not {} texts", *name, count));
  return labels;
}

bool is_numeric(hid_t dataset) {
  const Hdf5Id type(H5Dget_type(dataset), "a type");
  const H5T_class_t kind = H5Tget_class(type);
  return kind == H5T_FLOAT || kind == H5T_INTEGER || kind == H5T_ENUM;
}

}  // namespace

Hdf5Session::Hdf5Session() {
  if (sessions++ == 0) hdf5_mutex.lock();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Session::~Hdf5Session() {
  if (--sessions == 0) hdf5_mutex.unlock();
}

Hdf5Id::Hdf5Id(hid_t id, const std::string& what) : id_(id) {
  if (id < 0) throw Hdf5Error("HDF5 cannot make or open " + what);
}

Hdf5Id::~Hdf5Id() {
  if (id_ >= 0 && H5Iis_valid(id_) > 0) H5Idec_ref(id_);
}

void require(herr_t status, const std::string& what) {
  if (status < 0) throw Hdf5Error("HDF5 cannot handle " + what);
}

Hdf5Id little_at_a_time() {
  constexpr std::size_t bytes = 1 << 14;
  Hdf5Id properties(H5Pcreate(H5P_DATASET_XFER), "a property list");
  require(H5Pset_buffer(properties, bytes, nullptr, nullptr), "a small buffer");
  return properties;
}

/// Up to kInHeader links and attributes stay in the header of their object: beyond that, HDF5's own
/// limit is 8, each such object gets a heap and two trees.
Hdf5Id in_creation_order(hid_t kind) {
  constexpr unsigned kInHeader = 64;
  Hdf5Id properties(H5Pcreate(kind), "a property list");
  constexpr unsigned both = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
  if (kind != H5P_DATASET_CREATE) {
    require(H5Pset_link_creation_order(properties, both), "the order");
    require(H5Pset_link_phase_change(properties, kInHeader, kInHeader / 2), "the links");
  }
  require(H5Pset_attr_creation_order(properties, both), "the order of the attributes");
  require(H5Pset_attr_phase_change(properties, kInHeader, kInHeader / 2), "the attributes");
  require(H5Pset_obj_track_times(properties, false), "the times");
  return properties;
}

Hdf5Id create_group(hid_t parent, const std::string& name) {
  const Hdf5Id properties = in_creation_order(H5P_GROUP_CREATE);
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, properties, H5P_DEFAULT),
          "the group " + name};
}

Hdf5Id replaced_group(hid_t parent, const std::string& name) {
  if (has_link(parent, name)) require(H5Ldelete(parent, name.c_str(), H5P_DEFAULT), name);
  return create_group(parent, name);
}

bool has_link(hid_t parent, const std::string& name) {
  if (H5Lexists(parent, name.c_str(), H5P_DEFAULT) <= 0) return false;
  H5L_info_t info = {};
  require(H5Lget_info(parent, name.c_str(), &info, H5P_DEFAULT), name);
  refuse_outside(name, info.type == H5L_TYPE_EXTERNAL);
  return true;
}

Hdf5Id open_dataset(hid_t group, const std::string& name) {
  Hdf5Id dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), "the variable " + name);
  const Hdf5Id properties(H5Dget_create_plist(dataset), "the storage of " + name);
  const bool is_outside =
      H5Pget_layout(properties) == H5D_VIRTUAL ||
      (H5Pget_layout(properties) == H5D_CONTIGUOUS && H5Pget_external_count(properties) > 0);
  refuse_outside(name, is_outside);
  return dataset;
}

Hdf5Id create_dimension(hid_t group, const std::string& name, std::optional<Index> length,
                        Index chunk) {
  const auto extent = static_cast<hsize_t>(length.value_or(0));
  const hsize_t most = length ? extent : H5S_UNLIMITED;
  const Hdf5Id space(H5Screate_simple(1, &extent, &most), "a dimension");
  const Hdf5Id properties = dataset_properties(
      length ? std::vector<hsize_t>() : std::vector<hsize_t>{static_cast<hsize_t>(chunk)});
  Hdf5Id scale(H5Dcreate2(group, name.c_str(), H5T_NATIVE_INT64, space, H5P_DEFAULT, properties,
                          H5P_DEFAULT),
               "the dimension " + name);
  require(H5DSset_scale(scale, name.c_str()), "the dimension " + name);
  if (extent > 0) {
    std::vector<std::int64_t> labels(extent);
    std::iota(labels.begin(), labels.end(), std::int64_t{0});
    require(H5Dwrite(scale, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, labels.data()), name);
  }
  return scale;
}

Hdf5Id create_labels(hid_t group, const std::string& name, const std::vector<std::string>& labels) {
  const Hdf5Id type = text_type();
  const auto extent = static_cast<hsize_t>(labels.size());
  const Hdf5Id space(H5Screate_simple(1, &extent, nullptr), "a dimension");
  const Hdf5Id properties = dataset_properties({});
  Hdf5Id scale(H5Dcreate2(group, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
               "the dimension " + name);
  require(H5DSset_scale(scale, name.c_str()), "the dimension " + name);
  write_texts(scale, labels);
  return scale;
}

Hdf5Id create_variable(hid_t group, const NewVariable& variable) {
  std::vector<hsize_t> shape;
  std::vector<hsize_t> most;
  for (const hid_t dimension : variable.dimensions) {
    const Hdf5Id space(H5Dget_space(dimension), "a dimension");
    shape.emplace_back();
    most.emplace_back();
    require(H5Sget_simple_extent_dims(space, &shape.back(), &most.back()), "a dimension");
  }
  const auto rank = static_cast<int>(shape.size());
  const Hdf5Id space(
      rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, shape.data(), most.data()),
      "the shape of " + variable.name);
  const Hdf5Id properties = dataset_properties(variable.chunk, variable.shuffled);
  Hdf5Id dataset(H5Dcreate2(group, variable.name.c_str(), variable.type, space, H5P_DEFAULT,
                            properties, H5P_DEFAULT),
                 "the variable " + variable.name);
  for (unsigned d = 0; d < variable.dimensions.size(); ++d) {
    require(H5DSattach_scale(dataset, variable.dimensions[d], d), "a dimension");
  }
  return dataset;
}

void write_values(hid_t group, const NewVariable& variable, const double* values) {
  const Hdf5Id dataset = create_variable(group, variable);
  require(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, little_at_a_time(), values),
          "the variable " + variable.name);
}

std::vector<double> read_values(hid_t group, const std::string& name) {
  const Hdf5Id dataset = open_dataset(group, name);
  require_plausible(dataset, name);
  hsize_t size = 1;
  for (const hsize_t extent : extents(dataset)) size *= extent;
  std::vector<double> values(size);
  require(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), name);
  return values;
}

std::vector<NamedArray> read_arrays(hid_t root, const std::string& group_name) {
  std::vector<NamedArray> arrays;
  if (!has_link(root, group_name)) return arrays;
  const Hdf5Id group(H5Gopen2(root, group_name.c_str(), H5P_DEFAULT), group_name);
  for (const std::string& name : link_names(group)) {
    if (!is_dataset(group, name)) continue;
    const Hdf5Id dataset = open_dataset(group, name);
    if (read_text(dataset, "CLASS") == "DIMENSION_SCALE") continue;
    NamedArray& array = arrays.emplace_back(NamedArray{name, {}, read_values(group, name)});
    for (const hsize_t extent : extents(dataset)) array.shape.push_back(static_cast<Index>(extent));
  }
  return arrays;
}

std::vector<hsize_t> extents(hid_t dataset) {
  const Hdf5Id space(H5Dget_space(dataset), "a shape");
  const int rank = H5Sget_simple_extent_ndims(space);
  require(rank, "a shape");
  std::vector<hsize_t> shape(static_cast<std::size_t>(rank));
  require(H5Sget_simple_extent_dims(space, shape.data(), nullptr), "a shape");
  return shape;
}

/// A file can claim any shape. Deflate makes at most 1032 bytes of one, so what claims more than
/// that is not there, and memory for it must not be asked for. Before the first draw nothing is
/// there, and one draw must be of a size that can be.
void require_plausible(hid_t dataset, const std::string& name) {
  constexpr double most_ratio = 1100;
  constexpr double little = 1 << 20;       // bytes
  constexpr double most_unseen = 1 << 30;  // bytes
  double values = 1;
  bool is_empty = false;
  for (const hsize_t extent : extents(dataset)) {
    values *= std::max(static_cast<double>(extent), 1.0);
    is_empty = is_empty || extent == 0;
  }
  const Hdf5Id type(H5Dget_type(dataset), "the type of " + name);
  const auto bytes_per_value = static_cast<double>(H5Tget_size(type));
  const auto stored = static_cast<double>(H5Dget_storage_size(dataset));
  const double most = is_empty ? most_unseen : little + most_ratio * stored;
  if (values * bytes_per_value <= most) return;
  throw Hdf5Error(fmt::format("'{}' claims {:g} values in {:g} bytes", name, values, stored));
}

std::vector<VariableLayout> find_variables(hid_t group) {
  std::vector<VariableLayout> variables;
  for (const std::string& name : link_names(group)) {
    if (!is_dataset(group, name)) continue;
    const Hdf5Id dataset = open_dataset(group, name);
    const std::vector<hsize_t> shape = extents(dataset);
    if (shape.size() < 2 || H5DSis_scale(dataset) > 0 || !is_numeric(dataset)) continue;
    VariableLayout variable;
    variable.name = name;
    variable.original = read_text(dataset, "gadwall_name").value_or(name);
    require_plausible(dataset, name);
    if (std::ranges::count(shape.begin() + 2, shape.end(), hsize_t{0}) > 0) continue;  // no values
    variable.shape.assign(shape.begin() + 2, shape.end());
    if (variable.shape.size() == 1) variable.labels = read_labels(group, dataset, shape[2]);
    if (!variable.labels.empty()) {
      variable.labels_name = read_text(dataset, kLabelsAttribute).value_or("");
    }
    if (const auto place = read_number(dataset, kPlaceAttribute); place && *place >= 0) {
      variable.place = static_cast<Index>(std::min(*place, 1e15));
    }
    variables.push_back(std::move(variable));
  }
  number_columns(variables);
  return variables;
}

}  // namespace gadwall::files
