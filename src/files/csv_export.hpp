// The files of CmdStan, made from the NetCDF file of a run.
#pragma once

#include <string>

#include "gadwall/files.hpp"

namespace gadwall::files {

/// The file of one chain (1, 2, ...) of the run NAME.
std::string chain_path(const std::string& name, Index chain);

/// UsageError where export_csv could not put its files, asked before the run that fills them.
void check_csv_places(const std::string& name, Index chains, bool overwrite);

}  // namespace gadwall::files
