// Makes, locks and clears away files that are not finished.
#include "files/unfinished_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>

namespace gadwall::files {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".new";

std::string random_digits() {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != sizeof number) {  // interrupted before it began
    number = static_cast<std::uint64_t>(::getpid());
  }
  return fmt::format("{:016x}", number);
}

/// run.nc of run.nc.0123456789abcdef.new; empty where the name is of another form.
std::string finished_name(std::string_view name) {
  if (!name.ends_with(kEnding)) return "";
  name.remove_suffix(kEnding.size());
  const std::size_t digits = name.find_last_not_of("0123456789abcdef");
  const bool numbered = digits != name.npos && name[digits] == '.' && digits + 1 < name.size();
  return numbered ? std::string(name.substr(0, digits)) : "";
}

/// Where nobody holds the lock its maker is gone.
void remove_if_abandoned(const std::string& path) {
  const OpenFile file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file < 0) return;
  struct stat status = {};
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
      ::flock(file, LOCK_EX | LOCK_NB) == 0) {
    ::unlink(path.c_str());
  }
}

}  // namespace

UnfinishedFile::UnfinishedFile(const std::string& path) {
  if (disk_fails()) return;
  do {
    path_ = fmt::format("{}.{}{}", path, random_digits(), kEnding);
    file_ =
        OpenFile(::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  } while (file_ < 0 && (errno == EEXIST || errno == EINTR));
  if (file_ >= 0) ::flock(file_, LOCK_EX | LOCK_NB);
}

void UnfinishedFile::unlock() {
  ::flock(file_, LOCK_UN);
}

void remove_left_over(const std::vector<std::string>& paths) {
  std::map<fs::path, std::set<std::string>> names;  // by directory
  for (const std::string& path : paths) {
    const fs::path whole(path);
    names[whole.parent_path()].insert(whole.filename().string());
  }
  for (const auto& [directory, wanted] : names) {
    std::error_code error;
    std::vector<fs::path> found;
    fs::directory_iterator entry(directory.empty() ? "." : directory, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      if (wanted.contains(finished_name(entry->path().filename().string()))) {
        found.push_back(entry->path());
      }
    }
    for (const fs::path& path : found) remove_if_abandoned(path.string());
  }
}

}  // namespace gadwall::files
