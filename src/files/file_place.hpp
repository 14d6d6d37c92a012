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

/// UsageError where something that is no regular file has the name.
void check_regular(const std::string& path);

/// A file that is complete gets its name, behind symbolic links where it replaces one. UsageError
/// where the name was taken meanwhile and overwrite is not set, or cannot be given.
void take_name(const std::string& finished, const std::string& path, bool overwrite);

/// Makes a new name survive a power cut, where the file system can.
void sync_directory_of(const std::string& path);

}  // namespace gadwall::files
