#include "files/run_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "files/file_place.hpp"
#include "files/netcdf_disk.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

[[noreturn]] void refuse(const std::string& run, const std::string& path, int error_number) {
  if (error_number == EWOULDBLOCK) {
    throw UsageError(fmt::format("{}: another process is at work on this run", run));
  }
  check_directory_of(run);
  throw UsageError(fmt::format("{}: cannot be created: {}", path, std::strerror(error_number)));
}

}  // namespace

RunLock::RunLock(const std::string& run) : run_(run), path_(run + ".lock"), file_(-1) {
  for (;;) {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0) refuse(run, path_, errno);
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
      const int error_number = errno;
      ::close(file_);
      refuse(run, path_, error_number);
    }
    // The one who held the lock before may have removed the file between open and flock.
    if (is_still_named(file_, path_)) return;
    ::close(file_);
  }
}

RunLock::~RunLock() {
  ::unlink(path_.c_str());
  ::close(file_);
}

}  // namespace gadwall::files
