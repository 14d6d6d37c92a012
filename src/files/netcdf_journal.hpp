// A file whose changes become visible all at once: what HDF5 writes through between two flushes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace gadwall::files {

/// Bytes beyond the end of the last commit go straight to the disk, where nothing refers to them
/// yet. Changes below that end wait in memory as pages; commit() writes them to a journal beside
/// the file, applies them and removes the journal. A process killed at any moment leaves either
/// the state of the last commit or a complete journal, which recover() applies.
///
/// A lock on the file (open file description, so that neither HDF5's flock nor the close of
/// another descriptor touches it) is held while a journal is applied; ReadLock keeps commits out.
class JournaledFile {
 public:
  /// Creates an empty file, replacing what is there, or opens one that exists.
  enum class Mode { create, existing };
  JournaledFile(std::string path, Mode mode);
  ~JournaledFile();
  JournaledFile(const JournaledFile&) = delete;
  JournaledFile& operator=(const JournaledFile&) = delete;

  /// Bytes that were never written are zero.
  void read(std::uint64_t offset, char* bytes, std::size_t count) const;

  /// Never fails: what the disk refuses waits in memory and error() says so.
  void write(std::uint64_t offset, const char* bytes, std::size_t count);

  std::uint64_t size() const { return size_; }
  void resize(std::uint64_t size);

  /// The file ends here as far as its content goes; the rest was left by a killed process.
  void forget_beyond(std::uint64_t end);

  /// The number of the error that the disk gave since the last commit; 0: none.
  int error() const { return error_; }

  /// Makes everything written so far durable. Throws RunError, naming the file, where the disk
  /// refuses; the file then is as after the last commit, and commit() may be tried again.
  void commit();

  /// The file has, or is about to have, another name.
  void rename(const std::string& path) { path_ = path; }

  /// Applies the journal that a killed process left beside the file, if there is one.
  static void recover(const std::string& path);

  /// Beside the file itself where the path is a symbolic link to it.
  static std::string journal_path(const std::string& path);

 private:
  static constexpr std::size_t kPage = 4096;
  using Page = std::array<char, kPage>;

  Page& page(std::uint64_t number);
  bool write_directly(std::uint64_t offset, const char* bytes, std::size_t count);
  void write_appended_pages();
  void write_journal();
  void apply();
  [[noreturn]] void fail(int error_number) const;

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::uint64_t boundary_ = 0;  // end of the last commit, rounded up to a page
  int error_ = 0;
  std::map<std::uint64_t, Page> pages_;  // by number: offset / kPage
};

/// While it lives no commit and no recovery touches the file. Taken after recovery.
class ReadLock {
 public:
  explicit ReadLock(const std::string& path);
  ~ReadLock();
  ReadLock(const ReadLock&) = delete;
  ReadLock& operator=(const ReadLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace gadwall::files
