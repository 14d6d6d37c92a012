// The chunks of a dataset, compressed as HDF5's shuffle and deflate filters do it, and expanded.
#pragma once

#include <libdeflate.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace gadwall::files {

/// Shuffled bytes (byte 0 of all elements, then byte 1, ...) in zlib's format. The low bytes of
/// draws are noise and only repeat as a whole row, when a proposal was rejected: those rows are
/// copied by hand, and libdeflate compresses the rest.
class ChunkCompressor {
 public:
  ChunkCompressor();

  /// Deflated alone, without a shuffle. row_size: bytes of one draw. Valid until the next call, as
  /// below.
  std::span<const char> compress(std::span<const char> chunk, std::size_t row_size);

  /// Shuffled and deflated. row_size: bytes of one draw.
  std::span<const char> compress(std::span<const char> chunk, std::size_t element_size,
                                 std::size_t row_size);

 private:
  struct Free {
    void operator()(libdeflate_compressor* compressor) const {
      libdeflate_free_compressor(compressor);
    }
  };

  void shuffle(std::span<const char> chunk, std::size_t element_size);
  void find_repeats(std::span<const char> chunk, std::size_t row_size, std::size_t most);
  std::size_t count_noisy_planes(std::size_t planes, std::size_t width) const;
  void begin_stream();
  bool append_few_runs(std::span<const char> bytes, std::size_t width);
  void append_deflated(std::span<const char> bytes);
  void end_stream(std::span<const char> content);

  std::unique_ptr<libdeflate_compressor, Free> compressor_;
  std::vector<char> shuffled_;
  std::vector<std::size_t> runs_;  // lengths in rows: new rows, repeated rows, new rows, ...
  std::vector<char> compressed_;
};

/// The way back, for numbers.
class ChunkExpander {
 public:
  ChunkExpander();

  /// So many numbers in their order; empty where the bytes are damaged or make another number of
  /// them. Valid until the next call.
  std::span<const double> expand(std::span<const char> compressed, std::size_t count,
                                 bool is_shuffled);

 private:
  struct Free {
    void operator()(libdeflate_decompressor* decompressor) const {
      libdeflate_free_decompressor(decompressor);
    }
  };

  std::unique_ptr<libdeflate_decompressor, Free> decompressor_;
  std::vector<unsigned char> planes_;
  std::vector<double> numbers_;
};

/// Rows of so many values become columns, each `stride` after the one before.
void turn_rows(std::span<const double> rows, std::size_t width, double* to, std::size_t stride);

}  // namespace gadwall::files
