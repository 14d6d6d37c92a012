// Attributes of NetCDF-4 objects, as HDF5 keeps them.
#include <algorithm>

#include "files/netcdf_objects.hpp"

namespace gadwall::files {
namespace {

struct AttributeListing {
  std::vector<std::string> names;
  static herr_t add(hid_t, const char* name, const H5A_info_t*, void* self) {
    static_cast<AttributeListing*>(self)->names.emplace_back(name);
    return 0;
  }
};

/// One value; attributes of other tools may be lists of one.
bool is_single(hid_t attribute) {
  const Hdf5Id space(H5Aget_space(attribute), "an attribute");
  return H5Sget_simple_extent_npoints(space) == 1;
}

/// Deleting an attribute and making it again is far more work for HDF5.
bool write_in_place(hid_t object, const std::string& name, hid_t type, const void* value) {
  const Hdf5Id attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), "the attribute " + name);
  const Hdf5Id stored(H5Aget_type(attribute), "the attribute " + name);
  if (H5Tequal(stored, type) <= 0 || !is_single(attribute)) return false;
  require(H5Awrite(attribute, type, value), "the attribute " + name);
  return true;
}

void replace_attribute(hid_t object, const std::string& name, hid_t type, const void* value) {
  if (H5Aexists(object, name.c_str()) > 0) {
    if (write_in_place(object, name, type, value)) return;
    require(H5Adelete(object, name.c_str()), "the attribute " + name);
  }
  const Hdf5Id space(H5Screate(H5S_SCALAR), "a scalar");
  const Hdf5Id attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                         "the attribute " + name);
  require(H5Awrite(attribute, type, value), "the attribute " + name);
}

}  // namespace

void write_attribute(hid_t object, const std::string& name, const std::string& text) {
  const Hdf5Id type(H5Tcopy(H5T_C_S1), "a type");
  require(H5Tset_size(type, std::max<std::size_t>(text.size(), 1)), "a text");
  require(H5Tset_cset(type, H5T_CSET_UTF8), "a text");
  require(H5Tset_strpad(type, H5T_STR_NULLPAD), "a text");
  replace_attribute(object, name, type, text.c_str());
}

void write_attribute(hid_t object, const std::string& name, double value) {
  replace_attribute(object, name, H5T_NATIVE_DOUBLE, &value);
}

void write_attribute(hid_t object, const std::string& name, std::int64_t value) {
  replace_attribute(object, name, H5T_NATIVE_INT64, &value);
}

std::optional<std::string> read_text(hid_t object, const std::string& name) {
  if (H5Aexists(object, name.c_str()) <= 0) return std::nullopt;
  const Hdf5Id attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), "the attribute " + name);
  const Hdf5Id type(H5Aget_type(attribute), "the attribute " + name);
  if (H5Tget_class(type) != H5T_STRING || !is_single(attribute)) return std::nullopt;
  if (H5Tis_variable_str(type) > 0) {
    char* text = nullptr;
    require(H5Aread(attribute, type, static_cast<void*>(&text)), "the attribute " + name);
    std::string result = text != nullptr ? text : "";
    H5free_memory(text);
    return result;
  }
  std::string result(H5Tget_size(type), '\0');
  require(H5Aread(attribute, type, result.data()), "the attribute " + name);
  result.resize(std::min(result.size(), result.find('\0')));
  return result;
}

std::optional<double> read_number(hid_t object, const std::string& name) {
  if (H5Aexists(object, name.c_str()) <= 0) return std::nullopt;
  const Hdf5Id attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), "the attribute " + name);
  const Hdf5Id type(H5Aget_type(attribute), "the attribute " + name);
  const H5T_class_t kind = H5Tget_class(type);
  if ((kind != H5T_FLOAT && kind != H5T_INTEGER) || !is_single(attribute)) return std::nullopt;
  double value = 0;
  require(H5Aread(attribute, H5T_NATIVE_DOUBLE, &value), "the attribute " + name);
  return value;
}

std::vector<std::string> attribute_names(hid_t object) {
  AttributeListing listing;
  require(
      H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, AttributeListing::add, &listing),
      "the attributes");
  std::ranges::sort(listing.names);  // as in netcdf_objects.cpp
  return listing.names;
}

}  // namespace gadwall::files
