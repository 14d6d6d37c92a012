#include "files/file_place.hpp"

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

/// Sets errno where it is not.
bool is_free(const std::string& path) {
  if (!is_taken(path)) return true;
  errno = EEXIST;
  return false;
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

/// A link does not replace a file that appeared meanwhile. Where the file system has none nothing
/// but a look beforehand does the same.
void take_name(const std::string& finished, const std::string& path, bool overwrite) {
  bool has_name = false;
  if (overwrite) {
    has_name = rename_file(finished, resolve_links(path));
  } else if (link_file(finished, path)) {
    has_name = true;
    remove_file(finished);  // where it stays it is a left-over
  } else if (errno != EEXIST) {
    has_name = is_free(path) && rename_file(finished, path);
  }
  if (!has_name) {
    throw UsageError(fmt::format("{}: cannot be created: {}", path, std::strerror(errno)));
  }
  sync_directory_of(path);
}

void sync_directory_of(const std::string& path) {
  synchronise_directory(fs::absolute(path).parent_path().string());
}

}  // namespace gadwall::files
