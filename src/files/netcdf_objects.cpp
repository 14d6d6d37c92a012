// Groups, dimensions and variables in the way NetCDF-4 lays them out in HDF5.
#include "files/netcdf_objects.hpp"

#include <hdf5_hl.h>

#include <numeric>

namespace gadwall::files {
namespace {

constexpr unsigned kDeflateLevel = 1;  // for what HDF5 itself compresses; it is not stored

std::recursive_mutex hdf5_mutex;

Hdf5Id dataset_properties(const std::vector<hsize_t>& chunk, bool shuffled = true) {
  Hdf5Id properties = in_creation_order(H5P_DATASET_CREATE);
  if (chunk.empty()) return properties;
  require(H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), "the chunks");
  if (shuffled) require(H5Pset_shuffle(properties), "the shuffle filter");
  require(H5Pset_deflate(properties, kDeflateLevel), "the deflate filter");
  return properties;
}

struct Listing {
  std::vector<std::string> names;
  static herr_t add(hid_t, const char* name, const H5L_info_t*, void* self) {
    static_cast<Listing*>(self)->names.emplace_back(name);
    return 0;
  }
};

std::vector<std::string> link_names(hid_t group) {
  Listing listing;
  if (H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, Listing::add, &listing) < 0) {
    listing.names.clear();
    require(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, Listing::add, &listing),
            "the names in a group");
  }
  return listing.names;
}

bool is_dataset(hid_t group, const std::string& name) {
  H5O_info_t info = {};
  return H5Oget_info_by_name2(group, name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT) >= 0 &&
         info.type == H5O_TYPE_DATASET;
}

bool is_numeric(hid_t dataset) {
  const Hdf5Id type(H5Dget_type(dataset), "a type");
  const H5T_class_t kind = H5Tget_class(type);
  return kind == H5T_FLOAT || kind == H5T_INTEGER || kind == H5T_ENUM;
}

}  // namespace

Hdf5Session::Hdf5Session() : lock_(hdf5_mutex) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
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

Hdf5Id in_creation_order(hid_t kind) {
  Hdf5Id properties(H5Pcreate(kind), "a property list");
  constexpr unsigned both = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
  if (kind != H5P_DATASET_CREATE)
    require(H5Pset_link_creation_order(properties, both), "the order");
  require(H5Pset_attr_creation_order(properties, both), "the order of the attributes");
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
  return H5Lexists(parent, name.c_str(), H5P_DEFAULT) > 0;
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
  require(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values),
          "the variable " + variable.name);
}

std::vector<double> read_values(hid_t group, const std::string& name) {
  const Hdf5Id dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), "the variable " + name);
  hsize_t size = 1;
  for (const hsize_t extent : extents(dataset)) size *= extent;
  std::vector<double> values(size);
  require(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), name);
  return values;
}

std::vector<hsize_t> extents(hid_t dataset) {
  const Hdf5Id space(H5Dget_space(dataset), "a shape");
  const int rank = H5Sget_simple_extent_ndims(space);
  require(rank, "a shape");
  std::vector<hsize_t> shape(static_cast<std::size_t>(rank));
  require(H5Sget_simple_extent_dims(space, shape.data(), nullptr), "a shape");
  return shape;
}

std::vector<VariableLayout> find_variables(hid_t group) {
  std::vector<VariableLayout> variables;
  Index columns = 0;
  for (const std::string& name : link_names(group)) {
    if (!is_dataset(group, name)) continue;
    const Hdf5Id dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), "the variable " + name);
    const std::vector<hsize_t> shape = extents(dataset);
    if (shape.size() < 2 || H5DSis_scale(dataset) > 0 || !is_numeric(dataset)) continue;
    VariableLayout variable;
    variable.name = name;
    variable.original = read_text(dataset, "gadwall_name").value_or(name);
    variable.shape.assign(shape.begin() + 2, shape.end());
    variable.columns = columns_of(variable.shape, columns);
    columns += variable.size();
    variables.push_back(std::move(variable));
  }
  return variables;
}

}  // namespace gadwall::files
