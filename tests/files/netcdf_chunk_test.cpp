// What ChunkCompressor makes is undone by zlib and an unshuffle, for every kind of data.
#include "files/netcdf_chunk.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "files/netcdf_deflate.hpp"
#include "files/netcdf_testing.hpp"

namespace gadwall::files {
namespace {

std::vector<char> inflate_and_unshuffle(std::span<const char> bytes, std::size_t size,
                                        std::size_t element_size) {
  std::vector<char> planes(size);
  uLongf length = size;
  const int status = ::uncompress(reinterpret_cast<Bytef*>(planes.data()), &length,
                                  reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  if (status != Z_OK || length != size) return {};
  std::vector<char> chunk(size);
  const std::size_t count = size / element_size;
  for (std::size_t i = 0; i < size; ++i) chunk[i % count * element_size + i / count] = planes[i];
  return chunk;
}

/// The size that a chunk of so many rows takes, 0 where it does not come back.
std::size_t size_of(const std::vector<double>& values, Index dim) {
  std::vector<char> chunk(values.size() * sizeof(double));
  std::memcpy(chunk.data(), values.data(), chunk.size());
  ChunkCompressor compressor;
  const auto bytes =
      compressor.compress(chunk, sizeof(double), static_cast<std::size_t>(dim) * sizeof(double));
  return inflate_and_unshuffle(bytes, chunk.size(), sizeof(double)) == chunk ? bytes.size() : 0;
}

TEST(ChunkCompressor, IsUndoneByZlibForChainsOfAnyWidth) {
  for (const Index dim : {1, 2, 63, 64, 65, 100, 257, 259, 260, 261, 517, 4097, 32768, 32769}) {
    EXPECT_GT(size_of(make_chain(dim, 70, 3).values, dim), 0U) << dim;
  }
}

TEST(ChunkCompressor, UsesRepeatedRows) {
  const std::size_t size = size_of(make_chain(100, 512, 4).values, 100);
  EXPECT_GT(size, 0U);
  EXPECT_LT(size, 512U * 100U * 9 / 2);  // 4.5 bytes per value
}

TEST(ChunkCompressor, CompressesWholeNumbersAndConstants) {
  std::vector<double> values(512 * 100);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * 7 % 50);
  const std::size_t whole = size_of(values, 100);
  EXPECT_GT(whole, 0U);
  EXPECT_LT(whole, values.size());
  const std::size_t constant = size_of(std::vector<double>(512 * 100, 0.1), 100);
  EXPECT_GT(constant, 0U);
  EXPECT_LT(constant, 4000U);
}

TEST(ChunkCompressor, TakesSingleBytes) {
  std::vector<char> flags(4096);
  for (std::size_t i = 0; i < flags.size(); i += 3) flags[i] = 1;
  ChunkCompressor compressor;
  EXPECT_EQ(inflate_and_unshuffle(compressor.compress(flags, 1, 1), flags.size(), 1), flags);
}

std::vector<char> inflated(std::span<const char> bytes, std::size_t size) {
  return inflate_and_unshuffle(bytes, size, 1);
}

TEST(ChunkCompressor, TakesWhatHardlyChangesWithoutAShuffle) {
  ChunkCompressor compressor;
  for (const std::size_t width : {1, 2, 8, 24, 104}) {
    for (const std::size_t changes : {0, 1, 2, 3, 7, 8, 60}) {
      std::vector<char> chunk(256 * width);
      for (std::size_t i = 0; i < chunk.size(); ++i) {
        const std::size_t row = i / width;  // its part of the rows, and a number of that part
        chunk[i] = static_cast<char>(row * (changes + 1) / 256 * 5 + i % width);
      }
      const auto bytes = compressor.compress(chunk, width);
      EXPECT_EQ(inflated(bytes, chunk.size()), chunk) << width << ' ' << changes;
      const std::size_t most = 100 + (changes + 1) * (width + 40) + chunk.size() / 90;
      EXPECT_LT(bytes.size(), most) << width << ' ' << changes;
    }
  }
}

TEST(ChunkCompressor, LeavesToLibdeflateWhatIsNewInEveryRow) {
  ChunkCompressor compressor;
  std::vector<char> chunk(256 * 8);  // 2, 3, 2, 3, ... as doubles
  for (std::size_t row = 0; row < 256; ++row) {
    const auto count = static_cast<double>(row % 2 + 2);
    std::memcpy(&chunk[row * 8], &count, 8);
  }
  const auto bytes = compressor.compress(chunk, 8);
  EXPECT_EQ(inflated(bytes, chunk.size()), chunk);
  EXPECT_LT(bytes.size(), chunk.size() / 10);
}

TEST(ChunkCompressor, TakesWholeNumbersThatHardlyChange) {
  ChunkCompressor compressor;
  std::vector<std::int64_t> values(256, 7);
  std::fill(values.begin() + 250, values.end(), 0);
  std::vector<char> chunk(values.size() * sizeof(std::int64_t));
  std::memcpy(chunk.data(), values.data(), chunk.size());
  const auto bytes = compressor.compress(chunk, sizeof(std::int64_t), sizeof(std::int64_t));
  EXPECT_EQ(inflate_and_unshuffle(bytes, chunk.size(), sizeof(std::int64_t)), chunk);
  EXPECT_LT(bytes.size(), 120U);
}

TEST(DeflateBlocks, AreReadByZlibForEveryLengthAndManyDistances) {
  std::mt19937 generator(1);
  std::vector<char> noise(32768);
  for (char& byte : noise) byte = static_cast<char>(generator());
  for (const std::size_t distance : {1, 2, 3, 4, 5, 8, 9, 97, 128, 129, 1000, 16385, 32768}) {
    std::vector<char> expected = noise;
    std::vector<char> stream;
    DeflateBlocks blocks(stream);
    blocks.store(noise.data(), noise.size());
    for (std::size_t length = 3; length < 600; ++length) {
      blocks.repeat(length, distance);
      for (std::size_t i = 0; i < length; ++i)
        expected.push_back(expected[expected.size() - distance]);
    }
    blocks.align();
    std::vector<char> found(expected.size() + 1);
    z_stream inflater = {};
    ASSERT_EQ(inflateInit2(&inflater, -15), Z_OK);
    inflater.next_in = reinterpret_cast<Bytef*>(stream.data());
    inflater.avail_in = static_cast<uInt>(stream.size());
    inflater.next_out = reinterpret_cast<Bytef*>(found.data());
    inflater.avail_out = static_cast<uInt>(found.size());
    ::inflate(&inflater, Z_SYNC_FLUSH);
    EXPECT_EQ(inflater.total_out, expected.size()) << distance;
    EXPECT_EQ(inflater.avail_in, 0U);
    inflateEnd(&inflater);
    found.resize(expected.size());
    EXPECT_TRUE(found == expected) << distance;
  }
}

}  // namespace
}  // namespace gadwall::files
