// Shuffle and deflate with libdeflate, and by hand where libdeflate would only lose time.
#include "files/netcdf_chunk.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>

#include "files/netcdf_deflate.hpp"
#include "math/pack4.hpp"

namespace gadwall::files {
namespace {

constexpr int kLevel = 1;  // higher ones win 2 % and cost half the speed

// A run of new rows and one of repeated rows cost 9 bytes per plane: too much for short rows.
constexpr std::size_t kLeastWidth = 64;
constexpr std::size_t kFarthest = 32768;  // of a match
constexpr std::size_t kFewRuns = 8;
constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

template <std::size_t size>
void shuffle_elements(const char* from, std::size_t count, char* to) {
  for (std::size_t byte = 0; byte < size; ++byte) {
    for (std::size_t i = 0; i < count; ++i) to[byte * count + i] = from[i * size + byte];
  }
}

void unshuffle_doubles(const unsigned char* planes, std::size_t count, double* to) {
  static_assert(std::endian::native == std::endian::little);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t bits = 0;
    for (std::size_t byte = 0; byte < sizeof(double); ++byte) {
      bits |= std::uint64_t{planes[byte * count + i]} << (8 * byte);
    }
    to[i] = std::bit_cast<double>(bits);
  }
}

/// A tile of four rows and four columns.
void turn_four(const double* from, std::size_t width, double* to, std::size_t stride) {
  std::array<Pack4, 4> tile;
  for (std::size_t i = 0; i < 4; ++i) tile[i] = load4(from + i * width);
  transpose4(tile);
  for (std::size_t i = 0; i < 4; ++i) store4(to + i * stride, tile[i]);
}

/// Whether the bytes of a sample are spread about evenly: 256 sum p^2 is 1 then. At 2 a Huffman
/// code saves about 5 % at the most (the lowest byte of draws is near 1.3: trailing zeros).
class Histogram {
 public:
  void add(const char* bytes, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) ++counts_[static_cast<unsigned char>(bytes[i])];
    total_ += count;
  }
  bool is_flat() const {
    double sum = 0;
    for (const std::uint32_t count : counts_) sum += static_cast<double>(count) * count;
    const auto total = static_cast<double>(total_);
    return 256 * (sum - total) < 2 * total * (total - 1);  // unbiased for any total
  }

 private:
  std::array<std::uint32_t, 256> counts_{};
  std::size_t total_ = 0;
};

}  // namespace

ChunkCompressor::ChunkCompressor() : compressor_(libdeflate_alloc_compressor(kLevel)) {
  if (!compressor_) throw std::bad_alloc();
}

void ChunkCompressor::shuffle(std::span<const char> chunk, std::size_t element_size) {
  shuffled_.resize(chunk.size());
  if (element_size == sizeof(double)) {
    shuffle_elements<sizeof(double)>(chunk.data(), chunk.size() / sizeof(double), shuffled_.data());
  } else {  // bytes
    std::copy(chunk.begin(), chunk.end(), shuffled_.begin());
  }
}

/// Gives up beyond `most` runs.
void ChunkCompressor::find_repeats(std::span<const char> chunk, std::size_t row_size,
                                   std::size_t most) {
  runs_.assign(1, 1);
  for (std::size_t at = row_size; at < chunk.size() && runs_.size() <= most; at += row_size) {
    const char* const row = chunk.data() + at;
    const bool repeats = std::memcmp(row, row - row_size, row_size) == 0;
    if (repeats != (runs_.size() % 2 == 0)) runs_.push_back(0);
    ++runs_.back();
  }
}

/// How many of the first planes are noise, judged by the first row of every run of new rows.
std::size_t ChunkCompressor::count_noisy_planes(std::size_t planes, std::size_t width) const {
  const std::size_t plane_size = shuffled_.size() / planes;
  for (std::size_t plane = 0; plane < planes; ++plane) {
    Histogram histogram;
    std::size_t row = 0;
    for (std::size_t i = 0; i < runs_.size(); row += runs_[i++]) {
      if (i % 2 == 0) histogram.add(&shuffled_[plane * plane_size + row * width], width);
    }
    if (!histogram.is_flat()) return plane;
  }
  return planes;
}

void ChunkCompressor::append_deflated(std::span<const char> bytes) {
  const std::size_t before = compressed_.size();
  compressed_.resize(before + libdeflate_deflate_compress_bound(compressor_.get(), bytes.size()));
  const std::size_t size =
      libdeflate_deflate_compress(compressor_.get(), bytes.data(), bytes.size(),
                                  compressed_.data() + before, compressed_.size() - before);
  compressed_.resize(before + size);
}

/// Of zlib (RFC 1950).
void ChunkCompressor::begin_stream() {
  compressed_.assign({0x78, 0x01});
}

void ChunkCompressor::end_stream(std::span<const char> content) {
  const std::uint32_t sum = libdeflate_adler32(1, content.data(), content.size());
  for (const int shift : {24, 16, 8, 0}) compressed_.push_back(static_cast<char>(sum >> shift));
}

/// Numbers that stay the same but for a few changes: libdeflate clears 128 KB before it begins.
/// What is new in every row is one run too, and libdeflate's.
bool ChunkCompressor::append_few_runs(std::span<const char> bytes, std::size_t width) {
  if (width > kFarthest) return false;
  find_repeats(bytes, width, kFewRuns);
  if (runs_.size() > kFewRuns) return false;
  std::size_t new_rows = 0;
  for (std::size_t i = 0; i < runs_.size(); i += 2) new_rows += runs_[i];
  if (new_rows > kFewRuns) return false;
  DeflateBlocks blocks(compressed_);
  const char* at = bytes.data();
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const std::size_t size = runs_[i] * width;
    const bool is_long = i % 2 == 1 && size >= DeflateBlocks::kShortestRepeat;
    is_long ? blocks.repeat(size, width) : blocks.store(at, size);
    at += size;
  }
  blocks.align();
  append_deflated({});  // the last block
  return true;
}

std::span<const char> ChunkCompressor::compress(std::span<const char> chunk, std::size_t width) {
  begin_stream();
  if (!append_few_runs(chunk, width)) append_deflated(chunk);
  end_stream(chunk);
  return compressed_;
}

std::span<const char> ChunkCompressor::compress(std::span<const char> chunk,
                                                std::size_t element_size, std::size_t row_size) {
  const std::size_t width = row_size / element_size;  // bytes of a draw in a plane
  shuffle(chunk, element_size);
  begin_stream();
  if (width == 1 && append_few_runs(shuffled_, 1)) {
    end_stream(shuffled_);
    return compressed_;
  }
  std::size_t done = 0;
  if (width >= kLeastWidth && width <= kFarthest) {
    find_repeats(chunk, row_size, kAnyNumber);
    const std::size_t noisy = count_noisy_planes(element_size, width);
    DeflateBlocks blocks(compressed_);
    for (std::size_t plane = 0; plane < noisy; ++plane) {
      for (std::size_t i = 0; i < runs_.size(); ++i) {
        const std::size_t size = runs_[i] * width;
        if (i % 2 == 0) blocks.store(&shuffled_[done], size);
        if (i % 2 == 1) blocks.repeat(size, width);
        done += size;
      }
    }
    blocks.align();
  }
  append_deflated(std::span<const char>(shuffled_).subspan(done));
  end_stream(shuffled_);
  return compressed_;
}

ChunkExpander::ChunkExpander() : decompressor_(libdeflate_alloc_decompressor()) {
  if (!decompressor_) throw std::bad_alloc();
}

std::span<const double> ChunkExpander::expand(std::span<const char> compressed, std::size_t count,
                                              bool is_shuffled) {
  const std::size_t size = count * sizeof(double);
  numbers_.resize(count);
  planes_.resize(is_shuffled ? size : 0);
  void* const to = is_shuffled ? static_cast<void*>(planes_.data()) : numbers_.data();
  const auto result = libdeflate_zlib_decompress(decompressor_.get(), compressed.data(),
                                                 compressed.size(), to, size, nullptr);
  if (result != LIBDEFLATE_SUCCESS) return {};
  if (is_shuffled) unshuffle_doubles(planes_.data(), count, numbers_.data());
  return numbers_;
}

void turn_rows(std::span<const double> rows, std::size_t width, double* to, std::size_t stride) {
  constexpr std::size_t kTogether = 8;  // numbers of a row that are a line of the cache
  const std::size_t count = width == 0 ? 0 : rows.size() / width;
  const std::size_t tiled_rows = count / 4 * 4, tiled_columns = width / kTogether * kTogether;
  for (std::size_t k = 0; k < tiled_columns; k += kTogether) {
    for (std::size_t row = 0; row < tiled_rows; row += 4) {
      const double* const from = rows.data() + row * width + k;
      turn_four(from, width, to + k * stride + row, stride);
      turn_four(from + 4, width, to + (k + 4) * stride + row, stride);
    }
  }
  for (std::size_t k = 0; k < width; ++k) {
    const std::size_t first = k < tiled_columns ? tiled_rows : 0;
    for (std::size_t row = first; row < count; ++row) to[k * stride + row] = rows[row * width + k];
  }
}

}  // namespace gadwall::files
