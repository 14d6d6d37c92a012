#include "files/run_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "files/file_place.hpp"
#include "files/netcdf_disk.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

[[noreturn]] void refuse(const std::string& run, const std::string& path, int error_number) {
  if (error_number == EWOULDBLOCK) {
    throw UsageError(fmt::format("{}: another process is at work on this run", run));
  }
  if (error_number == ELOOP) {
    throw UsageError(fmt::format("{}: is a symbolic link, expected no such file", path));
  }
  check_directory_of(run);
  throw UsageError(fmt::format("{}: cannot be created: {}", path, std::strerror(error_number)));
}

/// Takes the lock; a reader that asks is_at_work() has it for a moment only.
bool has_lock(int file) {
  constexpr int kAttempts = 20;
  for (int attempt = 1;; ++attempt) {
    if (::flock(file, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK || attempt == kAttempts) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace

bool is_at_work(const std::string& run) {
  const int file = ::open((run + ".lock").c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return false;
  const bool result = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  return result;
}

RunLock::RunLock(const std::string& run) : run_(run), path_(run + ".lock"), file_(-1) {
  for (;;) {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file_ < 0) refuse(run, path_, errno);
    if (!has_lock(file_)) {
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
