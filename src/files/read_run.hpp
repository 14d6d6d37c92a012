// The draws of a run, from whatever files hold them.
#pragma once

#include <string>
#include <vector>

#include "files/stan_csv.hpp"

namespace gadwall::files {

/// Arguments: one NetCDF file, or Stan CSV files, or the NAME of a run: NAME.nc where there is one,
/// else NAME_1.csv, NAME_2.csv, ...
ReadResult read_run(const std::vector<std::string>& arguments);

/// NAME of NAME, NAME.nc, NAME_1.csv and NAME.checkpoint.
std::string run_name(const std::string& argument);

}  // namespace gadwall::files
