// A file whose changes become visible all at once: what HDF5 writes through between two flushes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "files/journal_record.hpp"
#include "files/netcdf_disk.hpp"

namespace gadwall::files {

/// All that is written waits in memory as pages. Those beyond the end of the last commit go to the
/// disk when they are many, as nothing refers to them yet; commit() writes what is left of them,
/// and the changes below that end to a journal beside the file, applies them and removes the
/// journal. A process killed at any moment leaves either the state of the last commit or a complete
/// journal, which recover() applies and readers read as part of the file, so that they write
/// nothing.
///
/// A lock on the file (open file description, so that neither HDF5's flock nor the close of
/// another descriptor touches it) is held while a journal is applied. Readers hold one as long as
/// they live, which keeps commits out.
class JournaledFile : public std::enable_shared_from_this<JournaledFile> {
 public:
  /// Opens a file that exists; UsageError where that fails. try_out: as `write`, but all changes
  /// stay in memory, and commit() does nothing.
  enum class Mode { read, write, try_out };
  JournaledFile(std::string path, Mode mode);

  /// Bytes that were never written are zero.
  void read(std::uint64_t offset, char* bytes, std::size_t count) const;

  /// Never fails: what the disk refuses waits in memory and error() says so.
  void write(std::uint64_t offset, const char* bytes, std::size_t count);

  bool is_writable() const { return mode_ != Mode::read; }
  std::uint64_t size() const { return size_; }
  void resize(std::uint64_t size);

  /// The file ends here as far as its content goes; the rest was left by a killed process.
  void forget_beyond(std::uint64_t end);

  /// The number of the error that the disk gave since the last commit; 0: none.
  int error() const { return error_; }

  /// Makes everything written so far durable. Throws RunError, naming the file, where the disk
  /// refuses; the file then is as after the last commit, and commit() may be tried again.
  void commit();

  /// RunError where others have removed, replaced or shortened the file: what was written is lost.
  void require_untouched() const;

  /// The file is to have this name, of which messages speak. Until it has it nobody else knows it,
  /// and commits change it without a journal, which would lie beside another's file.
  void await_name(const std::string& path);
  void got_name();

  /// Applies the journal that a killed process left beside the file, if there is one.
  static void recover(const std::string& path);

  /// Beside the file itself where the path is a symbolic link to it.
  static std::string journal_path(const std::string& path);

 private:
  static constexpr std::size_t kPage = JournalRecord::kPage;
  static constexpr std::size_t kMostWaiting = 64;  // pages
  using Page = std::array<char, kPage>;

  void read_with_journal();
  Page& page(std::uint64_t number);
  using Beginning = std::array<char, 8>;
  int write_appended_pages();
  void watch();
  bool put(std::uint64_t offset, const char* bytes, std::size_t count);
  bool set_length();
  Beginning beginning_on_disk() const;
  Beginning next_beginning() const;
  void write_journal();
  void apply();
  [[noreturn]] void fail(int error_number) const;

  std::string path_;
  Mode mode_;
  bool is_named_ = true;
  OpenFile file_;
  std::uint64_t size_ = 0;
  std::uint64_t boundary_ = 0;  // end of the last commit, rounded up to a page; 0 without a name
  std::uint64_t length_ = 0;    // how long we have made the file
  bool is_shortened_ = false;   // it was shorter than that, or began with other bytes, once
  std::optional<Beginning> beginning_;  // what the last commit left there
  std::uint64_t on_disk_ = 0;           // what is written beyond it since then ends here
  std::size_t pages_kept_ = 0;          // of those below the boundary, when it was last counted
  int error_ = 0;
  std::map<std::uint64_t, Page> pages_;  // by number: offset / kPage
};

}  // namespace gadwall::files
