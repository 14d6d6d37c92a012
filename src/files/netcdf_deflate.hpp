// Deflate (RFC 1951) for bytes that are noise, save for rows that repeat the row before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gadwall::files {

/// Puts deflate blocks together: bytes as they are, and copies of what stands `distance` before.
/// A general compressor searches noise for matches in vain; here the caller knows where they are.
class DeflateBlocks {
 public:
  explicit DeflateBlocks(std::vector<char>& out) : out_(out) {}

  void store(const char* bytes, std::size_t count);

  static constexpr std::size_t kShortestRepeat = 3;

  /// A distance of 1 to 32768.
  void repeat(std::size_t length, std::size_t distance);

  /// Ends at a whole byte, where another stream may follow.
  void align();

 private:
  void put(std::uint32_t bits, int count);       // lowest bit first
  void put_code(std::uint32_t code, int count);  // Huffman codes go highest bit first
  void put_match(std::size_t length, std::size_t distance);
  void fill_byte();

  std::vector<char>& out_;
  std::uint64_t bits_ = 0;
  int count_ = 0;
};

}  // namespace gadwall::files
