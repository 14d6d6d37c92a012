// Philox bits -> uniform -> normal, sixteen normals at a time.
#include "gadwall/noise.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "math/vector_normal.hpp"
#include "run/philox.hpp"

namespace gadwall {
namespace {

/// Counter layout: block | iteration, low half | iteration, high 24 bits, and purpose | chain.
template <int W>
void make_blocks(const NoiseKey& key, Purpose purpose, std::uint32_t first_block,
                 PhiloxCounters<W>& c) {
  const auto iteration_low = static_cast<std::uint32_t>(key.iteration);
  const auto iteration_high = static_cast<std::uint32_t>(key.iteration >> 32);
  const std::uint32_t mixed = iteration_high << 8 | static_cast<std::uint32_t>(purpose);
  for (int i = 0; i < W; ++i) {
    c.word[0][i] = first_block + static_cast<std::uint32_t>(i);
    c.word[1][i] = iteration_low;
    c.word[2][i] = mixed;
    c.word[3][i] = key.chain;
  }
  philox4x32(c, static_cast<std::uint32_t>(key.seed), static_cast<std::uint32_t>(key.seed >> 32));
}

/// As open_uniform4, of one number.
inline double open_uniform(std::uint64_t high, std::uint64_t low) {
  const std::uint64_t bits = (high << 32 | (low & 0xFFFFFFFFU)) >> 12;
  return std::bit_cast<double>(bits | 0x3FF0000000000000U) - (1.0 - 0x1p-53);
}

Bits4 load_bits(const std::uint64_t* from) {
  Bits4 bits;
  std::memcpy(&bits, from, sizeof bits);
  return bits;
}

/// 8 V normals from 4 V blocks, in groups of 16: of each group first the cosines, then the sines.
template <int V>
void normals_of_blocks(const NoiseKey& key, Purpose purpose, std::uint32_t first_block,
                       double* out) {
  PhiloxCounters<4 * V> c;
  make_blocks(key, purpose, first_block, c);
  Pack4 radius[V], turn[V], sine[V], cosine[V];
  for (int v = 0; v < V; ++v) {
    radius[v] = open_uniform4(load_bits(&c.word[0][4 * v]), load_bits(&c.word[1][4 * v]));
    turn[v] = open_uniform4(load_bits(&c.word[2][4 * v]), load_bits(&c.word[3][4 * v]));
  }
  log_of_fraction(radius);
  for (int v = 0; v < V; ++v) radius[v] = sqrt4(-2.0 * radius[v]);
  sine_cosine_of_turn(turn, sine, cosine);
  for (int v = 0; v < V; ++v) {
    double* group = out + v / 2 * 16 + v % 2 * 4;
    store4(group, radius[v] * cosine[v]);
    store4(group + 8, radius[v] * sine[v]);
  }
}

}  // namespace

void fill_normal(const NoiseKey& key, Purpose purpose, VectorRef out) {
  std::uint32_t block = 0;
  Index done = 0;
  for (; out.size() - done >= 32; done += 32, block += 16) {
    normals_of_blocks<4>(key, purpose, block, out.data() + done);
  }
  for (; out.size() - done >= 16; done += 16, block += 8) {
    normals_of_blocks<2>(key, purpose, block, out.data() + done);
  }
  if (done == out.size()) return;
  double last[16];
  normals_of_blocks<2>(key, purpose, block, last);
  std::copy_n(last, out.size() - done, out.data() + done);
}

void fill_normal(const LaneNoise& noise, Purpose purpose, MatrixRef out) {
  for (Index k = 0; k < out.cols(); ++k) fill_normal(noise.lane(k), purpose, out.col(k));
}

UniformStream::UniformStream(const NoiseKey& key, Purpose purpose) : key_(key), purpose_(purpose) {}

double UniformStream::next() {
  if (waiting_ >= 0) return std::exchange(waiting_, -1.0);
  PhiloxCounters<1> counter;
  make_blocks(key_, purpose_, block_++, counter);
  waiting_ = open_uniform(counter.word[2][0], counter.word[3][0]);
  return open_uniform(counter.word[0][0], counter.word[1][0]);
}

}  // namespace gadwall
