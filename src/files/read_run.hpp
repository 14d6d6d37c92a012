// Which files the name of a run stands for.
#pragma once

#include <string>

#include "gadwall/files.hpp"

namespace gadwall::files {

/// NAME of NAME, NAME.nc, NAME_1.csv and NAME.checkpoint.
std::string run_name(const std::string& argument);

/// UsageError where the argument names a run that has a checkpoint and no draws.
void require_draws_begun(const std::string& argument);

/// The NetCDF file that an argument stands for; empty where it is something else.
std::string netcdf_path(const std::string& argument);

}  // namespace gadwall::files
