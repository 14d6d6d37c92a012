// A file whose changes become visible all at once, by a journal that is applied after a crash.
#include "files/netcdf_journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "files/file_place.hpp"
#include "files/journal_record.hpp"
#include "files/netcdf_disk.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {

std::string JournaledFile::journal_path(const std::string& path) {
  return resolve_links(path) + ".journal";
}

JournaledFile::JournaledFile(std::string path, Mode mode) : path_(std::move(path)), mode_(mode) {
  const bool writes = mode == Mode::write;
  const int flags = writes ? O_RDWR : O_RDONLY | O_NONBLOCK;  // waits for no pipe's other end
  file_ = OpenFile(::open(path_.c_str(), flags | O_CLOEXEC));
  if (file_ < 0) {
    throw UsageError(fmt::format("{}: cannot be opened{}: {}", path_, writes ? " for writing" : "",
                                 std::strerror(errno)));
  }
  forget_beyond(file_size(file_));
  if (mode == Mode::read) read_with_journal();
}

/// With the lock there is no commit: a journal that is there was left by a killed process.
void JournaledFile::read_with_journal() {
  struct stat status = {};
  if (::fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) {
    throw UsageError(fmt::format("{}: is {}, expected a file", path_,
                                 S_ISDIR(status.st_mode) ? "a directory" : "no regular file"));
  }
  lock(file_, F_RDLCK);
  forget_beyond(file_size(file_));
  const auto journal = JournalRecord::read(journal_path(path_), size_);
  if (!journal) return;
  size_ = journal->size();
  journal->each_page([this](std::uint64_t number, const char* bytes) {
    std::memcpy(pages_[number].data(), bytes, kPage);
    return true;
  });
}

void JournaledFile::forget_beyond(std::uint64_t end) {
  size_ = end;
  boundary_ = (end + kPage - 1) / kPage * kPage;
  on_disk_ = boundary_;
}

void JournaledFile::await_name(const std::string& path) {
  path_ = path;
  is_named_ = false;
}

void JournaledFile::got_name() {
  is_named_ = true;
  forget_beyond(size_);
}

void JournaledFile::resize(std::uint64_t size) {
  size_ = size;
}

void JournaledFile::read(std::uint64_t offset, char* bytes, std::size_t count) const {
  const std::size_t done = read_at(file_, bytes, count, offset);
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
  const auto [found, is_new] = pages_.try_emplace(number);
  Page& page = found->second;
  if (is_new && number * kPage < on_disk_) read_at(file_, page.data(), kPage, number * kPage);
  return page;
}

void JournaledFile::write(std::uint64_t offset, const char* bytes, std::size_t count) {
  size_ = std::max(size_, offset + count);
  while (count > 0) {
    const std::uint64_t number = offset / kPage;
    const std::size_t within = offset % kPage;
    const std::size_t part = std::min(count, kPage - within);
    std::memcpy(page(number).data() + within, bytes, part);
    offset += part;
    bytes += part;
    count -= part;
  }
  if (mode_ == Mode::write && error_ == 0 && pages_.size() > pages_kept_ + kMostWaiting) {
    error_ = write_appended_pages();
    pages_kept_ = pages_.size();
  }
}

/// As far as they belong to the file; neighbours in one call. The number of the disk's error: then
/// all of them still wait.
int JournaledFile::write_appended_pages() {
  const auto first = pages_.lower_bound(boundary_ / kPage);
  std::string run;
  for (auto next = first; next != pages_.end();) {
    const std::uint64_t begin = next->first * kPage;
    run.clear();
    for (; next != pages_.end() && next->first * kPage == begin + run.size(); ++next) {
      run.append(next->second.data(), kPage);
    }
    if (begin >= size_) break;
    run.resize(std::min<std::uint64_t>(run.size(), size_ - begin));
    if (!put(begin, run.data(), run.size())) return errno;
    on_disk_ = std::max(on_disk_, begin + run.size());
  }
  pages_.erase(first, pages_.end());
  return 0;
}

void JournaledFile::write_journal() {
  std::string pages;
  pages.reserve(pages_.size() * (kPage + sizeof(std::uint64_t)));
  for (const auto& [number, bytes] : pages_) {
    pages.append(reinterpret_cast<const char*>(&number), sizeof number);
    pages.append(bytes.data(), bytes.size());
  }
  if (!JournalRecord::write(journal_path(path_), pages, size_)) fail(errno);
  sync_directory_of(path_);
}

void JournaledFile::apply() {
  for (const auto& [number, bytes] : pages_) {
    if (!put(number * kPage, bytes.data(), kPage)) fail(errno);
  }
  if (!set_length() || !synchronise(file_)) fail(errno);
  if (!remove_file(journal_path(path_)) && errno != ENOENT) fail(errno);
}

void JournaledFile::commit() {
  if (mode_ == Mode::try_out) return;
  if (const int error = write_appended_pages(); error != 0) fail(error);
  error_ = 0;
  if (file_size(file_) < size_ && !set_length()) fail(errno);
  if (!synchronise(file_)) fail(errno);
  watch();
  pages_.erase(pages_.lower_bound((size_ + kPage - 1) / kPage), pages_.end());
  const Beginning beginning = next_beginning();
  if (!pages_.empty()) {
    require_untouched();  // the journal is for whatever has the name
    lock(file_, F_WRLCK);
    try {
      write_journal();
      apply();
    } catch (...) {
      lock(file_, F_UNLCK);
      throw;
    }
    lock(file_, F_UNLCK);
  }
  pages_.clear();
  pages_kept_ = 0;
  if (is_named_) forget_beyond(size_);
  beginning_ = beginning;
  watch();
}

/// Others may shorten the file at any moment, and what is written behind its old end after that
/// makes it as long as it was, with a hole: so its length is looked at before each write, and its
/// first bytes before and after the pages in the middle are written, of which the first comes
/// first.
void JournaledFile::watch() {
  is_shortened_ = is_shortened_ || file_size(file_) < length_ ||
                  (beginning_ && beginning_on_disk() != *beginning_);
}

bool JournaledFile::put(std::uint64_t offset, const char* bytes, std::size_t count) {
  is_shortened_ = is_shortened_ || file_size(file_) < length_;
  if (!write_at(file_, bytes, count, offset)) return false;
  length_ = std::max<std::uint64_t>(length_, offset + count);
  return true;
}

bool JournaledFile::set_length() {
  is_shortened_ = is_shortened_ || file_size(file_) < length_;
  if (!cut(file_, size_)) return false;
  length_ = size_;
  return true;
}

JournaledFile::Beginning JournaledFile::beginning_on_disk() const {
  Beginning beginning = {};
  read_at(file_, beginning.data(), beginning.size(), 0);
  return beginning;
}

/// After the pages that wait are written.
JournaledFile::Beginning JournaledFile::next_beginning() const {
  const auto first = pages_.find(0);
  if (first == pages_.end()) return beginning_ ? *beginning_ : beginning_on_disk();
  Beginning beginning;
  std::copy_n(first->second.begin(), beginning.size(), beginning.begin());
  return beginning;
}

void JournaledFile::require_untouched() const {
  const bool is_named = is_still_named(file_, path_);
  if (is_named && !is_shortened_ && file_size(file_) >= length_) return;
  throw RunError(fmt::format("{}: was {} while the run wrote to it; its draws are lost", path_,
                             is_named ? "made shorter" : "removed or replaced"));
}

void JournaledFile::fail(int error_number) const {
  throw RunError(fmt::format("{}: cannot be written: {}", path_, std::strerror(error_number)));
}

void JournaledFile::recover(const std::string& path) {
  const std::string journal = journal_path(path);
  if (!is_taken(journal)) return;
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0 && errno != ENOENT) {
    throw UsageError(fmt::format("{}: the changes in '{}' must be applied, but: {}", path, journal,
                                 std::strerror(errno)));
  }
  if (descriptor < 0) {  // the journal of a file that was removed
    ::unlink(journal.c_str());
    return;
  }
  const OpenFile file(descriptor);
  lock(descriptor, F_WRLCK);  // waits for a commit that is going on, and for readers
  const auto changes = JournalRecord::read(journal, file_size(descriptor));
  if (changes && !changes->apply(descriptor)) {
    throw RunError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  }
  ::unlink(journal.c_str());
}

}  // namespace gadwall::files
