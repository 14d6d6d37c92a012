// Lists of texts of any length in NetCDF-4 files.
#pragma once

#include <string>
#include <vector>

#include "files/netcdf_objects.hpp"

namespace gadwall::files {

/// NetCDF's strings: of any length, UTF-8.
Hdf5Id text_type();

/// To a variable of that type, which has one dimension.
void write_texts(hid_t variable, const std::vector<std::string>& texts);

/// Hdf5Error for a variable that is no list of such.
std::vector<std::string> read_texts(hid_t group, const std::string& name);

}  // namespace gadwall::files
