// Whether a NetCDF file is one that a run can go on with: another may have got its name.
#pragma once

#include <string>

#include "files/netcdf_file.hpp"
#include "files/netcdf_objects.hpp"

namespace gadwall::files {

/// UsageError, with the path, where chains, values or statistics are others.
void require_shape(hid_t root, const std::string& path, const NetcdfRunShape& shape);

/// UsageError where there are fewer rows per chain.
void require_rows(hid_t root, const std::string& path, Phase phase, Index wanted);

}  // namespace gadwall::files
