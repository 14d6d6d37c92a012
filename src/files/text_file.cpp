// A whole file as text, through zlib, which passes on what is not gzip as it is.
#include "files/text_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

struct CloseGzip {
  void operator()(gzFile file) const { gzclose_r(file); }
};
using GzipHandle = std::unique_ptr<gzFile_s, CloseGzip>;

GzipHandle open_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw UsageError(fmt::format("'{}' is a directory, expected a file", path));
  }
  errno = 0;
  GzipHandle file(gzopen(path.c_str(), "rb"));
  if (!file) {
    const int cause = errno != 0 ? errno : ENOMEM;
    throw UsageError(fmt::format("cannot open '{}': {}", path, std::strerror(cause)));
  }
  gzbuffer(file.get(), 1U << 17);
  return file;
}

// zlib reports an end of file inside a compressed stream as Z_BUF_ERROR, only after the last byte
// that could be recovered.
void require_sound(gzFile file, const std::string& path) {
  int code = Z_OK;
  const char* message = gzerror(file, &code);
  if (code == Z_OK || code == Z_STREAM_END) return;
  if (code == Z_ERRNO) {
    throw UsageError(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  }
  if (code == Z_BUF_ERROR) {
    throw UsageError(fmt::format("cannot read '{}': the gzip data is cut short", path));
  }
  throw UsageError(fmt::format("cannot read '{}': damaged gzip data ({})", path, message));
}

}  // namespace

std::string read_text_file(const std::string& path) {
  const GzipHandle file = open_file(path);
  constexpr std::size_t first_size = std::size_t{1} << 16;
  constexpr std::size_t largest_read = std::size_t{1} << 30;  // gzread counts in int
  std::string text;
  std::size_t used = 0;
  for (;;) {
    if (used == text.size()) text.resize(std::max(first_size, 2 * text.size()));
    const std::size_t room = std::min(text.size() - used, largest_read);
    const int count = gzread(file.get(), text.data() + used, static_cast<unsigned>(room));
    if (count <= 0) break;
    used += static_cast<std::size_t>(count);
  }
  require_sound(file.get(), path);
  text.resize(used);
  text.shrink_to_fit();
  return text;
}

}  // namespace gadwall::files
