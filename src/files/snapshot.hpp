// A copy of a run's NetCDF file for programs that read it while the run goes on.
#pragma once

#include <string>

namespace gadwall::files {

/// The file of the run (NAME or NAME.nc) as its last flush left it, whatever its writer does now or
/// did when it was killed; nothing is written to the run. Returns the path of the copy. UsageError
/// where the run has no such file, or the copy exists and overwrite is not set.
std::string take_snapshot(const std::string& run, const std::string& copy, bool overwrite);

}  // namespace gadwall::files
