// Reads, writes and applies journals.
#include "files/journal_record.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <utility>

#include "files/netcdf_disk.hpp"
#include "files/unfinished_file.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

constexpr std::uint64_t kMagic = 0x31306C6E6A646167;  // "gadjnl01"

/// What stands before the pages.
struct JournalHeader {
  std::uint64_t magic = kMagic;
  std::uint64_t size = 0;   // of the file, afterwards
  std::uint64_t pages = 0;  // how many follow
  std::uint64_t checksum = 0;
};

std::uint64_t checksum_of(std::string_view text) {
  return ::crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size());
}

/// Nothing where there is no file.
std::optional<std::string> content_of(const std::string& path) {
  const OpenFile file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file < 0 && errno == ENOENT) return std::nullopt;
  const int error = errno;
  struct stat status = {};
  if (file < 0 || ::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    throw UsageError(fmt::format("{}: the last changes of the draws cannot be read: {}", path,
                                 file < 0 ? std::strerror(error) : "it is no regular file"));
  }
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  text.resize(read_at(file, text.data(), text.size(), 0));
  return text;
}

}  // namespace

std::optional<JournalRecord> JournalRecord::read(const std::string& path, std::uint64_t file_size) {
  std::optional<std::string> text = content_of(path);
  JournalHeader header;
  if (!text || text->size() < sizeof header) return std::nullopt;
  std::memcpy(&header, text->data(), sizeof header);
  constexpr std::size_t entry = sizeof(std::uint64_t) + kPage;
  const std::string_view pages = std::string_view(*text).substr(sizeof header);
  if (header.magic != kMagic || pages.size() % entry != 0 || pages.size() / entry != header.pages ||
      header.checksum != checksum_of(pages) || header.size > file_size) {
    return std::nullopt;
  }
  JournalRecord record;
  record.text_ = std::move(*text);
  record.first_ = sizeof header;
  record.size_ = header.size;
  const std::uint64_t most = (header.size + kPage - 1) / kPage;
  const bool fits =
      record.each_page([&](std::uint64_t number, const char*) { return number < most; });
  return fits ? std::optional(std::move(record)) : std::nullopt;
}

bool JournalRecord::write(const std::string& path, std::string_view pages, std::uint64_t size) {
  JournalHeader header;
  header.size = size;
  header.pages = pages.size() / (sizeof(std::uint64_t) + kPage);
  header.checksum = checksum_of(pages);
  const UnfinishedFile made(path);
  if (!made.exists()) return false;
  const bool written =
      write_at(made.descriptor(), reinterpret_cast<const char*>(&header), sizeof header, 0) &&
      write_at(made.descriptor(), pages.data(), pages.size(), sizeof header) &&
      synchronise(made.descriptor());
  if (written && rename_file(made.path(), path)) return true;
  const int error = errno;
  remove_file(made.path());
  errno = error;
  return false;
}

bool JournalRecord::apply(int descriptor) const {
  return each_page([&](std::uint64_t number, const char* bytes) {
           return write_at(descriptor, bytes, kPage, number * kPage);
         }) &&
         cut(descriptor, size_) && synchronise(descriptor);
}

}  // namespace gadwall::files
