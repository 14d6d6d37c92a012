#include "files/file_place.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "files/netcdf_disk.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

namespace fs = std::filesystem;

void check_directory_takes_files(const std::string& path) {
  const std::string directory = fs::path(path).parent_path().string();
  if (::access(directory.empty() ? "." : directory.c_str(), W_OK) == 0) return;
  throw UsageError(fmt::format("{}: cannot be created: {}", path, std::strerror(errno)));
}

}  // namespace

bool is_taken(const std::string& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

void check_directory_of(const std::string& path) {
  const fs::path directory = fs::path(path).parent_path();
  std::error_code ignored;
  if (!directory.empty() && !fs::is_directory(directory, ignored)) {
    throw UsageError(fmt::format("{}: there is no directory '{}'", path, directory.string()));
  }
}

void check_place(const std::string& path, bool overwrite) {
  check_directory_of(path);
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    throw UsageError(fmt::format("{}: is a directory, expected a file", path));
  }
  if (!is_taken(path)) return check_directory_takes_files(path);
  if (!overwrite) throw UsageError(fmt::format("{}: the file exists; `force` overwrites it", path));
  if (::access(path.c_str(), W_OK) != 0) {
    throw UsageError(fmt::format("{}: cannot be overwritten: {}", path, std::strerror(errno)));
  }
}

void check_regular(const std::string& path) {
  std::error_code ignored;
  if (is_taken(path) && !fs::is_regular_file(path, ignored)) {
    throw UsageError(fmt::format("{}: is no regular file, expected one or none", path));
  }
}

/// link() does not replace a file that appeared meanwhile.
void take_name(const std::string& finished, const std::string& path, bool overwrite) {
  bool taken = false;
  if (overwrite) {
    taken = ::rename(finished.c_str(), resolve_links(path).c_str()) == 0;
  } else if (::link(finished.c_str(), path.c_str()) == 0) {
    taken = ::unlink(finished.c_str()) == 0;
  } else if (errno != EEXIST) {  // a file system without links
    taken = ::rename(finished.c_str(), path.c_str()) == 0;
  }
  if (!taken) {
    throw UsageError(fmt::format("{}: cannot be created: {}", path, std::strerror(errno)));
  }
  sync_directory_of(path);
}

void sync_directory_of(const std::string& path) {
  const std::string directory = fs::absolute(path).parent_path().string();
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace gadwall::files
