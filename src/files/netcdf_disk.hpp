// The calls that change the disk, in one place, so that tests can make each of them fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace gadwall::files {

/// A descriptor, closed with its owner; negative where there is none.
class OpenFile {
 public:
  explicit OpenFile(int descriptor = -1) : descriptor_(descriptor) {}
  ~OpenFile();
  OpenFile(OpenFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OpenFile& operator=(OpenFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  operator int() const { return descriptor_; }  // NOLINT: it is what the system takes

 private:
  int descriptor_;
};

/// For tests: asked before every call that changes the disk; what is not 0 is the error number
/// that the call fails with.
extern int (*disk_fault)();

/// Sets errno and returns true where a test wants the next call to fail.
bool disk_fails();

// False, and errno, where the disk refuses.
bool write_at(int descriptor, const char* bytes, std::size_t count, std::uint64_t offset);
bool synchronise(int descriptor);
bool cut(int descriptor, std::uint64_t size);
bool rename_file(const std::string& path, const std::string& new_path);   // replaces what is there
bool link_file(const std::string& path, const std::string& second_path);  // replaces nothing
bool remove_file(const std::string& path);
bool synchronise_directory(const std::string& directory);

/// How many bytes there were.
std::size_t read_at(int descriptor, char* bytes, std::size_t count, std::uint64_t offset);

/// F_RDLCK, F_WRLCK or F_UNLCK on the open file description, so that neither HDF5's flock nor the
/// close of another descriptor touches it. Waits. A file system without locks does without.
void lock(int descriptor, short kind);

std::uint64_t file_size(int descriptor);

/// Whether the path still leads to the open file: nobody removed, moved or replaced it.
bool is_still_named(int descriptor, const std::string& path);

/// The path behind symbolic links; what does not exist stays as it is.
std::string resolve_links(const std::string& path);

}  // namespace gadwall::files
