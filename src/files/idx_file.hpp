// IDX files, the format in which MNIST is distributed: bytes in an array of one to three axes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gadwall::files {

struct IdxBytes {
  std::vector<std::size_t> shape;  // the last axis runs fastest
  std::string bytes;               // the product of the shape of them

  std::uint8_t operator[](std::size_t i) const { return static_cast<std::uint8_t>(bytes[i]); }
};

/// The file, plain or gzip, must hold unsigned bytes in an array of `axes` axes, and nothing else:
///   0 0 8 axes   then one big-endian 32-bit length an axis   then the bytes.
/// UsageError that names the file, the offset, what is there and what is wanted.
IdxBytes read_idx(const std::string& path, std::size_t axes);

/// From the bytes of a file; `name` stands for it in messages.
IdxBytes parse_idx(std::string_view content, const std::string& name, std::size_t axes);

}  // namespace gadwall::files
