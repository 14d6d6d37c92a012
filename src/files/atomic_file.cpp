#include "files/atomic_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "files/file_place.hpp"
#include "files/netcdf_disk.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

constexpr std::size_t kBlockSize = 1 << 20;
constexpr std::size_t kFirstRead = 1 << 16;

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), file_(path_) {
  if (!file_.exists()) fail();
}

AtomicFile::~AtomicFile() {
  if (!committed_) ::unlink(file_.path().c_str());
}

void AtomicFile::write(std::string_view content) {
  if (waiting_.size() + content.size() < kBlockSize) {
    waiting_ += content;
    return;
  }
  flush();
  write_through(content);  // large parts are not copied
}

void AtomicFile::flush() {
  write_through(waiting_);
  waiting_.clear();
}

void AtomicFile::write_through(std::string_view content) {
  while (!content.empty()) {
    if (disk_fails()) fail();
    const ssize_t written = ::write(file_.descriptor(), content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::sync() {
  flush();
  if (disk_fails() || ::fsync(file_.descriptor()) != 0) fail();
}

void AtomicFile::commit() {
  sync();
  if (!rename_file(file_.path(), path_)) fail();
  committed_ = true;
  file_.unlock();
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
  std::string content;
  std::size_t size = 0;
  do {  // in blocks that grow: what is no regular file has no size
    content.resize(2 * size + kFirstRead);
    file.read(content.data() + size, static_cast<std::streamsize>(content.size() - size));
    size += static_cast<std::size_t>(file.gcount());
  } while (file);
  if (file.bad()) throw RunError(fmt::format("{}: cannot be read to its end", path));
  content.resize(size);
  return content;
}

}  // namespace gadwall::files
