// Which files the name of a run stands for.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "files/draw_writer.hpp"
#include "gadwall/files.hpp"

namespace gadwall::files {

/// NAME of NAME, NAME.nc, NAME_1.csv and NAME.checkpoint.
std::string run_name(const std::string& argument);

/// UsageError where the argument names a run that has a checkpoint and no draws.
void require_draws_begun(const std::string& argument);

/// What whoever takes draws from the run's NetCDF file should be told: that they are those of an
/// earlier run than the one that now has the name.
std::vector<std::string> warnings_of(const std::string& argument);

/// The draws of a NetCDF file chain by chain, some at a time; warm-up is left out.
void read_draw_blocks(const std::string& netcdf,
                      const std::function<void(const ChainBlock&)>& take);

/// The NetCDF file that an argument stands for; empty where it is something else.
std::string netcdf_path(const std::string& argument);

}  // namespace gadwall::files
