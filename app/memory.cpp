// Settings of glibc's allocator, and the most that it gets.
#include "memory.hpp"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

namespace gadwall::app {
namespace {

constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();

/// Bytes that can be had without swapping, and what can be swapped.
std::uint64_t free_memory() {
  std::ifstream file("/proc/meminfo");
  std::uint64_t sum = 0;
  std::string name, unit;
  for (std::uint64_t kilobytes = 0; file >> name >> kilobytes; std::getline(file, unit)) {
    if (name == "MemAvailable:" || name == "SwapFree:") sum += 1024 * kilobytes;
  }
  return sum == 0 ? kUnknown : sum;
}

/// Bytes of writable memory that this process has asked for, used or not.
std::uint64_t own_memory() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t pages = 0;
  for (int field = 0; field < 6; ++field) file >> pages;  // the sixth: data and stack
  return file ? pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : kUnknown;
}

}  // namespace

void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kLargest = 1 << 30;  // bytes
  mallopt(M_MMAP_THRESHOLD, kLargest);
  mallopt(M_TRIM_THRESHOLD, kLargest);
  mallopt(M_ARENA_MAX, 1);  // threads would have places of their own, which are small
#endif
}

void ask_in_large_pieces() {
#ifdef __GLIBC__
  mallopt(M_TOP_PAD, 1 << 20);  // bytes
  mallopt(M_MMAP_THRESHOLD, 1 << 22);
  mallopt(M_TRIM_THRESHOLD, 1 << 24);
#endif
}

void limit_memory_to_machine() {
  const std::uint64_t free = free_memory();
  if (free == kUnknown) return;
  const std::uint64_t most = free / 10 * 9;  // the rest for what others ask for meanwhile
  if (own_memory() >= most) return;          // sanitizers ask for terabytes and use little
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur <= most) return;
  limit.rlim_cur = most;
  setrlimit(RLIMIT_DATA, &limit);
}

}  // namespace gadwall::app
