// A chunk of draws, compressed by files/netcdf_chunk.hpp (repeated rows copied by hand, the rest by
// libdeflate) and by libdeflate alone after the same shuffle. Rejected proposals repeat their row:
// random walks reject three in four, Langevin samplers four in ten, nuts hardly any. The two take
// turns; the best of the processor times.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <random>
#include <vector>

#include "files/netcdf_chunk.hpp"

namespace {

constexpr std::size_t kBytes = 1 << 19;  // of a chunk
constexpr int kRounds = 40;

std::vector<char> draws(std::size_t width, double repeats) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  std::vector<double> values(kBytes / sizeof(double) / width * width);
  for (std::size_t row = 0; row < values.size(); row += width) {
    const bool is_copy = row > 0 && uniform(generator) < repeats;
    for (std::size_t j = 0; j < width; ++j) {
      values[row + j] = is_copy ? values[row + j - width] : normal(generator);
    }
  }
  std::vector<char> bytes(values.size() * sizeof(double));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::vector<char> shuffled(const std::vector<char>& bytes) {
  std::vector<char> planes(bytes.size());
  const std::size_t count = bytes.size() / sizeof(double);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t b = 0; b < sizeof(double); ++b) {
      planes[b * count + i] = bytes[i * sizeof(double) + b];
    }
  }
  return planes;
}

template <class F>
double best_milliseconds(F compress) {
  double best = 1e300;
  for (int round = 0; round < kRounds; ++round) {
    const std::clock_t begin = std::clock();
    compress();
    best = std::min(best, 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return best;
}

}  // namespace

int main() {
  fmt::print(
      "half a megabyte of draws        by hand and libdeflate   libdeflate 1 alone    6 alone\n");
  for (const std::size_t width : {25UL, 100UL}) {
    for (const double repeats : {0.75, 0.4, 0.02}) {
      const std::vector<char> bytes = draws(width, repeats);
      gadwall::files::ChunkCompressor ours;
      std::size_t size = 0;
      const double time = best_milliseconds(
          [&] { size = ours.compress(bytes, sizeof(double), width * sizeof(double)).size(); });
      fmt::print("{:3} values, {:2.0f} % repeated    {:7.2f} ms {:7} bytes", width, 100 * repeats,
                 time, size);
      for (const int level : {1, 6}) {
        libdeflate_compressor* alone = libdeflate_alloc_compressor(level);
        std::vector<char> room(libdeflate_zlib_compress_bound(alone, bytes.size()));
        const double alone_time = best_milliseconds([&] {
          const std::vector<char> planes = shuffled(bytes);
          size = libdeflate_zlib_compress(alone, planes.data(), planes.size(), room.data(),
                                          room.size());
        });
        libdeflate_free_compressor(alone);
        fmt::print("  {:7.2f} ms {:7} bytes", alone_time, size);
      }
      fmt::print("\n");
    }
  }
}
