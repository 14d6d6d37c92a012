// The data of a target as groups of a NetCDF file: for whoever makes one.
#pragma once

#include <string>
#include <vector>

#include "files/netcdf_objects.hpp"

namespace gadwall::files {

/// A group with one variable per array, and dimensions of its own for each; none for no arrays.
void write_arrays(hid_t root, const std::string& group_name, const std::vector<NamedArray>& arrays);

/// std::logic_error where a shape is not that of the values.
void check_arrays(const std::vector<NamedArray>& arrays);

}  // namespace gadwall::files
