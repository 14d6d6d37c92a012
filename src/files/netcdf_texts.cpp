#include "files/netcdf_texts.hpp"

#include <fmt/format.h>

namespace gadwall::files {

Hdf5Id text_type() {
  Hdf5Id type(H5Tcopy(H5T_C_S1), "a type");
  require(H5Tset_size(type, H5T_VARIABLE), "a text");
  require(H5Tset_cset(type, H5T_CSET_UTF8), "a text");
  return type;
}

void write_texts(hid_t variable, const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  require(H5Dwrite(variable, text_type(), H5S_ALL, H5S_ALL, little_at_a_time(), pointers.data()),
          "a list of texts");
}

std::vector<std::string> read_texts(hid_t group, const std::string& name) {
  const Hdf5Id variable = open_dataset(group, name);
  const Hdf5Id stored(H5Dget_type(variable), name);
  const std::vector<hsize_t> shape = extents(variable);
  if (H5Tis_variable_str(stored) <= 0 || shape.size() != 1) {
    throw Hdf5Error(fmt::format("'{}' is no list of texts", name));
  }
  require_plausible(variable, name);
  const Hdf5Id type = text_type();
  const Hdf5Id space(H5Dget_space(variable), name);
  std::vector<char*> pointers(shape[0], nullptr);
  require(H5Dread(variable, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()), name);
  std::vector<std::string> texts;
  for (const char* text : pointers) texts.emplace_back(text != nullptr ? text : "");
  require(H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data()), name);
  return texts;
}

}  // namespace gadwall::files
