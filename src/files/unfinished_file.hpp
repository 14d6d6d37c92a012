// Files that are still being made: under names that nobody can guess, and known for left-overs when
// their makers are gone.
#pragma once

#include <string>
#include <vector>

#include "files/netcdf_disk.hpp"

namespace gadwall::files {

/// PATH.0123456789abcdef.new, with random digits: made by this call, so that it is neither a link
/// nor a file that somebody else put there. A lock on it (flock) lasts as long as the object, and
/// says that its maker lives.
class UnfinishedFile {
 public:
  /// errno is set and exists() false where it cannot be made.
  explicit UnfinishedFile(const std::string& path);  // the name outlives it

  bool exists() const { return file_ >= 0; }
  int descriptor() const { return file_; }
  const std::string& path() const { return path_; }

  /// No lock may be on a file that others read: HDF5 would refuse it to them.
  void unlock();

 private:
  std::string path_;
  OpenFile file_;
};

/// Removes what killed processes left of the making of these files.
void remove_left_over(const std::vector<std::string>& paths);

}  // namespace gadwall::files
