// Files that are replaced as a whole: a reader, or a kill, sees the old content or the new.
#pragma once

#include <string>
#include <string_view>

#include "files/unfinished_file.hpp"

namespace gadwall::files {

/// Grows as a temporary neighbour of the path, and takes its place when it is complete. Every
/// failure is a RunError that names the path, and leaves the old file as it was.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();  // what was not committed disappears
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view content);

  /// What was written so far is on the disk.
  void sync();

  /// Syncs and renames.
  void commit();

 private:
  void flush();
  void write_through(std::string_view content);
  [[noreturn]] void fail() const;

  std::string path_;
  std::string waiting_;
  UnfinishedFile file_;
  bool committed_ = false;
};

void replace_file(const std::string& path, std::string_view content);

/// All bytes of a file; UsageError where it cannot be read.
std::string read_whole_file(const std::string& path);

}  // namespace gadwall::files
