// Where a file is to be written: asked before the work that fills it.
#pragma once

#include <string>

namespace gadwall::files {

/// Something has this name, be it a link to nowhere.
bool is_taken(const std::string& path);

/// UsageError where no file can be made: no such directory, a directory itself, a file that must
/// not be overwritten or cannot be.
void check_place(const std::string& path, bool overwrite);

/// UsageError where the directory of the path is missing.
void check_directory_of(const std::string& path);

/// Makes a new name survive a power cut, where the file system can.
void sync_directory_of(const std::string& path);

}  // namespace gadwall::files
