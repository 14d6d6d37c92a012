// The calls that change the disk, in one place, so that tests can make each of them fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace gadwall::files {

/// For tests: asked before every call that changes the disk; what is not 0 is the error number
/// that the call fails with.
extern int (*disk_fault)();

/// Sets errno and returns true where a test wants the next call to fail.
bool disk_fails();

// False, and errno, where the disk refuses.
bool write_at(int descriptor, const char* bytes, std::size_t count, std::uint64_t offset);
bool synchronise(int descriptor);
bool cut(int descriptor, std::uint64_t size);

/// F_RDLCK, F_WRLCK or F_UNLCK on the open file description, so that neither HDF5's flock nor the
/// close of another descriptor touches it. Waits. A file system without locks does without.
void lock(int descriptor, short kind);

std::uint64_t file_size(int descriptor);

/// The path behind symbolic links; what does not exist stays as it is.
std::string resolve_links(const std::string& path);

}  // namespace gadwall::files
