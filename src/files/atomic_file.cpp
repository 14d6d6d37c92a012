#include "files/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "files/file_place.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

constexpr std::size_t kBlockSize = 1 << 20;

}  // namespace

AtomicFile::AtomicFile(std::string path)
    : path_(std::move(path)),
      temporary_(path_ + ".new"),
      file_(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (file_ < 0) fail();
}

AtomicFile::~AtomicFile() {
  if (file_ < 0) return;
  ::close(file_);
  ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view content) {
  waiting_ += content;
  if (waiting_.size() >= kBlockSize) flush();
}

void AtomicFile::flush() {
  std::string_view content = waiting_;
  while (!content.empty()) {
    const ssize_t written = ::write(file_, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  waiting_.clear();
}

void AtomicFile::sync() {
  flush();
  if (::fsync(file_) != 0) fail();
}

void AtomicFile::commit() {
  sync();
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
  ::close(std::exchange(file_, -1));
  sync_directory_of(path_);
}

void AtomicFile::fail() const {
  throw RunError(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
}

void replace_file(const std::string& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

std::string read_whole_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UsageError(fmt::format("{}: {}", path, std::strerror(errno)));
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace gadwall::files
