// Deflate blocks (RFC 1951): stored ones, and ones of matches in the fixed Huffman code.
#include "files/netcdf_deflate.hpp"

#include <algorithm>
#include <bit>

namespace gadwall::files {
namespace {

constexpr std::size_t kLongestStored = 65535;
constexpr std::size_t kLongestMatch = 258;

/// A symbol and the bits that follow it.
struct Symbol {
  std::uint32_t number;
  std::uint32_t extra;
  int extra_bits;
};

/// Symbols double their range every 4 (lengths) or 2 (distances): 2^steps in a power of two.
Symbol symbol_of(std::uint32_t value, int steps) {
  const std::uint32_t groups = std::uint32_t{1} << steps;
  if (value < 2 * groups) return {value, 0, 0};
  const int extra_bits = std::bit_width(value) - 1 - steps;
  const std::uint32_t within = value >> extra_bits;  // groups ... 2 groups - 1
  return {static_cast<std::uint32_t>(extra_bits) * groups + within,
          value & ((std::uint32_t{1} << extra_bits) - 1), extra_bits};
}

}  // namespace

void DeflateBlocks::put(std::uint32_t bits, int count) {
  bits_ |= static_cast<std::uint64_t>(bits) << count_;
  count_ += count;
  while (count_ >= 8) {
    out_.push_back(static_cast<char>(bits_ & 0xFF));
    bits_ >>= 8;
    count_ -= 8;
  }
}

void DeflateBlocks::put_code(std::uint32_t code, int count) {
  std::uint32_t reversed = 0;
  for (int i = 0; i < count; ++i) reversed |= ((code >> i) & 1U) << (count - 1 - i);
  put(reversed, count);
}

void DeflateBlocks::fill_byte() {
  if (count_ > 0) put(0, 8 - count_);
}

void DeflateBlocks::store(const char* bytes, std::size_t count) {
  while (count > 0) {
    const std::size_t part = std::min(count, kLongestStored);
    put(0, 3);  // not the last block, stored
    fill_byte();
    put(static_cast<std::uint32_t>(part), 16);
    put(static_cast<std::uint32_t>(part) ^ 0xFFFFU, 16);
    out_.insert(out_.end(), bytes, bytes + part);
    bytes += part;
    count -= part;
  }
}

void DeflateBlocks::put_match(std::size_t length, std::size_t distance) {
  Symbol symbol = symbol_of(static_cast<std::uint32_t>(length - DeflateBlocks::kShortestRepeat), 2);
  if (length == kLongestMatch) symbol = {28, 0, 0};  // has a symbol of its own
  if (symbol.number < 23) {
    put_code(symbol.number + 1, 7);
  } else {
    put_code(0xC0 + symbol.number - 23, 8);
  }
  put(symbol.extra, symbol.extra_bits);
  const Symbol back = symbol_of(static_cast<std::uint32_t>(distance - 1), 1);
  put_code(back.number, 5);
  put(back.extra, back.extra_bits);
}

void DeflateBlocks::repeat(std::size_t length, std::size_t distance) {
  put(2, 3);  // not the last block, fixed code
  while (length > 0) {
    std::size_t part = std::min(length, kLongestMatch);
    if (length > part && length - part < DeflateBlocks::kShortestRepeat)
      part = length - DeflateBlocks::kShortestRepeat;
    put_match(part, distance);
    length -= part;
  }
  put_code(0, 7);  // end of block
}

void DeflateBlocks::align() {
  if (count_ == 0) return;
  put(0, 3);  // an empty stored block
  fill_byte();
  put(0, 16);
  put(0xFFFF, 16);
}

}  // namespace gadwall::files
