// What every target asks: any bytes are either refused with one line, or taken and sound.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "gadwall/error.hpp"

namespace gadwall::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

inline void require_one_line(const std::string& message) {
  require(!message.empty() && message.size() < 2000);
  require(std::none_of(message.begin(), message.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 32 && c != '\x1b'; }));
}

/// Reads, or is refused in the ways that the program explains.
template <class Read>
void expect_sound_or_refused(Read read) {
  try {
    read();
  } catch (const UsageError& error) {
    require(error.what()[0] != '\0');
  } catch (const RunError& error) {
    require(error.what()[0] != '\0');
  }
}

/// For readers that take a path: a file of this process, in memory where that is possible.
inline std::string path_with(const std::uint8_t* bytes, std::size_t size,
                             const std::string& ending) {
  static const std::string directory = ::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : ".";
  const std::string path = directory + "/gadwall_fuzz_" + std::to_string(::getpid()) + ending;
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  return path;
}

}  // namespace gadwall::fuzz
