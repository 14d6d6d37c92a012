// The journal of a file: pages that are to be changed, and its size afterwards.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace gadwall::files {

class JournalRecord {
 public:
  static constexpr std::size_t kPage = 4096;

  /// What is beside a file of this size. Nothing where there is none, or one that is not complete,
  /// which was never the truth; and where it reaches beyond the file, which grows before its
  /// journal is written: that belongs to another file. UsageError where it cannot be read; never
  /// waits, follows no link.
  static std::optional<JournalRecord> read(const std::string& path, std::uint64_t file_size);

  /// Puts it there whole, or not at all: then false, and errno. pages: each as number and bytes.
  static bool write(const std::string& path, std::string_view pages, std::uint64_t size);

  /// Changes the file; false, and errno, where the disk refuses.
  bool apply(int descriptor) const;

  std::uint64_t size() const { return size_; }

  /// visit(number, bytes); ends with false where that does.
  template <class Visit>
  bool each_page(Visit visit) const {
    for (std::size_t at = first_; at < text_.size(); at += sizeof(std::uint64_t) + kPage) {
      std::uint64_t number = 0;
      std::memcpy(&number, text_.data() + at, sizeof number);
      if (!visit(number, text_.data() + at + sizeof number)) return false;
    }
    return true;
  }

 private:
  std::string text_;
  std::size_t first_ = 0;  // where the pages begin
  std::uint64_t size_ = 0;
};

}  // namespace gadwall::files
