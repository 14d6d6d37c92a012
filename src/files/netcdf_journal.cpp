// A file whose changes become visible all at once, by a journal that is applied after a crash.
#include "files/netcdf_journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "files/file_place.hpp"
#include "files/netcdf_disk.hpp"
#include "files/text_file.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {

namespace {

constexpr std::uint64_t kMagic = 0x31306C6E6A646167;  // "gadjnl01"

/// What stands before the pages of a journal. The pages follow as number and bytes.
struct JournalHeader {
  std::uint64_t magic = kMagic;
  std::uint64_t size = 0;   // of the file, afterwards
  std::uint64_t pages = 0;  // how many follow
  std::uint64_t checksum = 0;
};

std::uint64_t checksum_of(const std::string& text) {
  return ::crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size());
}

/// Applies a journal to the file. One that is not complete was never the truth.
bool apply_journal(int descriptor, const std::string& journal, std::size_t page_size) {
  JournalHeader header;
  if (journal.size() < sizeof header) return true;
  std::memcpy(&header, journal.data(), sizeof header);
  const std::string pages = journal.substr(sizeof header);
  const std::size_t entry = sizeof(std::uint64_t) + page_size;
  if (header.magic != kMagic || pages.size() != header.pages * entry ||
      header.checksum != checksum_of(pages)) {
    return true;
  }
  for (std::size_t at = 0; at < pages.size(); at += entry) {
    std::uint64_t number = 0;
    std::memcpy(&number, pages.data() + at, sizeof number);
    if (!write_at(descriptor, pages.data() + at + sizeof number, page_size, number * page_size)) {
      return false;
    }
  }
  return cut(descriptor, header.size) && synchronise(descriptor);
}

}  // namespace

std::string JournaledFile::journal_path(const std::string& path) {
  return resolve_links(path) + ".journal";
}

JournaledFile::JournaledFile(std::string path, Mode mode) : path_(std::move(path)) {
  const int flags = mode == Mode::create ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR;
  descriptor_ = ::open(path_.c_str(), flags | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    throw UsageError(fmt::format("{}: cannot be {}: {}", path_,
                                 mode == Mode::create ? "created" : "opened for writing",
                                 std::strerror(errno)));
  }
  size_ = file_size(descriptor_);
  forget_beyond(size_);
}

JournaledFile::~JournaledFile() {
  ::close(descriptor_);
}

void JournaledFile::forget_beyond(std::uint64_t end) {
  size_ = end;
  boundary_ = (end + kPage - 1) / kPage * kPage;
}

void JournaledFile::resize(std::uint64_t size) {
  size_ = size;
}

void JournaledFile::read(std::uint64_t offset, char* bytes, std::size_t count) const {
  std::size_t done = 0;
  while (done < count) {
    const ssize_t got =
        ::pread(descriptor_, bytes + done, count - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  std::memset(bytes + done, 0, count - done);
  const std::uint64_t end = offset + count;
  for (auto found = pages_.lower_bound(offset / kPage);
       found != pages_.end() && found->first * kPage < end; ++found) {
    const std::uint64_t start = found->first * kPage;
    const std::uint64_t from = std::max(start, offset);
    const std::uint64_t to = std::min(start + kPage, end);
    std::memcpy(bytes + (from - offset), found->second.data() + (from - start), to - from);
  }
}

JournaledFile::Page& JournaledFile::page(std::uint64_t number) {
  const auto found = pages_.find(number);
  if (found != pages_.end()) return found->second;
  Page old;
  read(number * kPage, old.data(), kPage);
  return pages_.emplace(number, old).first->second;
}

/// False where bytes of the range must wait in memory.
bool JournaledFile::write_directly(std::uint64_t offset, const char* bytes, std::size_t count) {
  if (offset < boundary_ || error_ != 0) return false;
  if (write_at(descriptor_, bytes, count, offset)) return true;
  error_ = errno;
  return false;
}

void JournaledFile::write(std::uint64_t offset, const char* bytes, std::size_t count) {
  size_ = std::max(size_, offset + count);
  while (count > 0) {
    if (write_directly(offset, bytes, count)) return;
    const std::uint64_t number = offset / kPage;
    const std::size_t within = offset % kPage;
    const std::size_t part = std::min(count, kPage - within);
    std::memcpy(page(number).data() + within, bytes, part);
    offset += part;
    bytes += part;
    count -= part;
  }
}

/// Pages that the disk refused when they were appended.
void JournaledFile::write_appended_pages() {
  const auto first = pages_.lower_bound(boundary_ / kPage);
  for (auto refused = first; refused != pages_.end(); ++refused) {
    if (!write_at(descriptor_, refused->second.data(), kPage, refused->first * kPage)) fail(errno);
  }
  pages_.erase(first, pages_.end());
  error_ = 0;
}

void JournaledFile::write_journal() {
  std::string pages;
  pages.reserve(pages_.size() * (kPage + sizeof(std::uint64_t)));
  for (const auto& [number, bytes] : pages_) {
    pages.append(reinterpret_cast<const char*>(&number), sizeof number);
    pages.append(bytes.data(), bytes.size());
  }
  JournalHeader header;
  header.size = size_;
  header.pages = pages_.size();
  header.checksum = checksum_of(pages);
  const std::string text =
      std::string(reinterpret_cast<const char*>(&header), sizeof header) + pages;
  const std::string unfinished = journal_path(path_) + ".new";
  const int journal = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (journal < 0) fail(errno);
  const bool written = write_at(journal, text.data(), text.size(), 0) && synchronise(journal);
  int error = written ? 0 : errno;
  ::close(journal);
  if (error == 0 &&
      (disk_fails() || ::rename(unfinished.c_str(), journal_path(path_).c_str()) != 0))
    error = errno;
  if (error == 0) return sync_directory_of(path_);
  ::unlink(unfinished.c_str());
  fail(error);
}

void JournaledFile::apply() {
  for (const auto& [number, bytes] : pages_) {
    if (!write_at(descriptor_, bytes.data(), kPage, number * kPage)) fail(errno);
  }
  if (!cut(descriptor_, size_) || !synchronise(descriptor_)) fail(errno);
  if (disk_fails() || (::unlink(journal_path(path_).c_str()) != 0 && errno != ENOENT)) fail(errno);
}

void JournaledFile::commit() {
  write_appended_pages();
  if (file_size(descriptor_) < size_ && !cut(descriptor_, size_)) fail(errno);
  if (!synchronise(descriptor_)) fail(errno);
  pages_.erase(pages_.lower_bound((size_ + kPage - 1) / kPage), pages_.end());
  if (!pages_.empty()) {
    lock(descriptor_, F_WRLCK);
    try {
      write_journal();
      apply();
    } catch (...) {
      lock(descriptor_, F_UNLCK);
      throw;
    }
    lock(descriptor_, F_UNLCK);
  }
  pages_.clear();
  forget_beyond(size_);
}

void JournaledFile::fail(int error_number) const {
  throw RunError(fmt::format("{}: cannot be written: {}", path_, std::strerror(error_number)));
}

void JournaledFile::recover(const std::string& path) {
  const std::string journal = journal_path(path);
  std::error_code ignored;
  if (!std::filesystem::exists(journal, ignored)) return;
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0 && errno != ENOENT) {
    throw UsageError(fmt::format("{}: the changes in '{}' must be applied, but: {}", path, journal,
                                 std::strerror(errno)));
  }
  if (descriptor < 0) {  // the journal of a file that was removed
    ::unlink(journal.c_str());
    return;
  }
  lock(descriptor, F_WRLCK);  // waits for a commit that is going on
  bool applied = true;
  if (std::filesystem::exists(journal, ignored)) {
    applied = apply_journal(descriptor, read_text_file(journal), kPage);
    if (applied) ::unlink(journal.c_str());
  }
  const int error = errno;
  ::close(descriptor);
  if (!applied) {
    throw RunError(fmt::format("{}: cannot be written: {}", path, std::strerror(error)));
  }
}

ReadLock::ReadLock(const std::string& path) {
  for (;;) {
    JournaledFile::recover(path);
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) return;  // who reads the file will say why
    lock(descriptor_, F_RDLCK);
    std::error_code ignored;
    if (!std::filesystem::exists(JournaledFile::journal_path(path), ignored)) return;
    ::close(std::exchange(descriptor_, -1));
  }
}

ReadLock::~ReadLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace gadwall::files
