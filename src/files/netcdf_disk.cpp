// The calls that change the disk, in one place, so that tests can make each of them fail.
#include "files/netcdf_disk.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

namespace gadwall::files {

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

int (*disk_fault)() = nullptr;

bool disk_fails() {
  errno = disk_fault != nullptr ? disk_fault() : 0;
  return errno != 0;
}

bool write_at(int descriptor, const char* bytes, std::size_t count, std::uint64_t offset) {
  while (count > 0) {
    if (disk_fails()) return false;
    const ssize_t written = ::pwrite(descriptor, bytes, count, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes += written;
    offset += static_cast<std::uint64_t>(written);
    count -= static_cast<std::size_t>(written);
  }
  return true;
}

bool rename_file(const std::string& path, const std::string& new_path) {
  return !disk_fails() && ::rename(path.c_str(), new_path.c_str()) == 0;
}

bool link_file(const std::string& path, const std::string& second_path) {
  return !disk_fails() && ::link(path.c_str(), second_path.c_str()) == 0;
}

bool remove_file(const std::string& path) {
  return !disk_fails() && ::unlink(path.c_str()) == 0;
}

bool synchronise_directory(const std::string& directory) {
  if (disk_fails()) return false;
  const OpenFile opened(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return opened >= 0 && ::fsync(opened) == 0;
}

std::size_t read_at(int descriptor, char* bytes, std::size_t count, std::uint64_t offset) {
  std::size_t done = 0;
  while (done < count) {
    const ssize_t got =
        ::pread(descriptor, bytes + done, count - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

bool synchronise(int descriptor) {
  return !disk_fails() && ::fdatasync(descriptor) == 0;
}

bool cut(int descriptor, std::uint64_t size) {
  return !disk_fails() && ::ftruncate(descriptor, static_cast<off_t>(size)) == 0;
}

void lock(int descriptor, short kind) {
  struct flock request = {};
  request.l_type = kind;
  request.l_whence = SEEK_SET;
  while (::fcntl(descriptor, F_OFD_SETLKW, &request) != 0 && errno == EINTR) {
  }
}

std::uint64_t file_size(int descriptor) {
  struct stat status = {};
  return ::fstat(descriptor, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

bool is_still_named(int descriptor, const std::string& path) {
  struct stat opened = {};
  struct stat named = {};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

std::string resolve_links(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

}  // namespace gadwall::files
