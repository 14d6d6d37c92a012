// Philox bits -> uniform -> normal (Box & Muller 1958), sixteen normals at a time. The logarithm,
// sine and cosine are our own so that the numbers depend on no library and the loops vectorise.
#include "gadwall/noise.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

#include "run/philox.hpp"

namespace gadwall {
namespace {

constexpr int kWidth = 8;  // Philox blocks at a time; each gives two normals

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

/// 52 random bits to the midpoints of a grid on (0, 1): never 0, never 1. The bits come from the
/// low halves of two words.
inline double open_uniform(std::uint64_t high, std::uint64_t low) {
  const std::uint64_t bits = (high << 32 | (low & 0xFFFFFFFFU)) >> 12;
  return std::bit_cast<double>(bits | 0x3FF0000000000000U) - (1.0 - 0x1p-53);
}

/// log u for u in (0, 1), from log m = 2 atanh((m - 1)/(m + 1)) with u = m 2^e and m in
/// [1/sqrt 2, sqrt 2): the odd series to s^21 is exact to rounding for |s| < 0.172.
inline double fast_log(double u) {
  const auto bits = std::bit_cast<std::uint64_t>(u);
  const std::uint64_t shifted = bits - 0x3FE6A09E667F3BCDU;  // bits of 1/sqrt 2
  const double m = std::bit_cast<double>((shifted & 0x000FFFFFFFFFFFFFU) + 0x3FE6A09E667F3BCDU);
  // The exponent lies in the top bits of `shifted` (a small negative number in two's complement);
  // adding 2048 keeps it positive so that it can be placed in the mantissa of 2^52.
  const std::uint64_t biased = ((shifted >> 52) + 2048) & 0xFFF;
  const double e = std::bit_cast<double>(biased | 0x4330000000000000U) - (0x1p52 + 2048.0);
  const double s = (m - 1.0) / (m + 1.0);
  const double s2 = s * s;
  double p = 1.0 / 21;
  p = p * s2 + 1.0 / 19;
  p = p * s2 + 1.0 / 17;
  p = p * s2 + 1.0 / 15;
  p = p * s2 + 1.0 / 13;
  p = p * s2 + 1.0 / 11;
  p = p * s2 + 1.0 / 9;
  p = p * s2 + 1.0 / 7;
  p = p * s2 + 1.0 / 5;
  p = p * s2 + 1.0 / 3;
  return e * std::numbers::ln2 + (2.0 * s + 2.0 * s * s2 * p);
}

struct SineCosine {
  double sine, cosine;
};

/// sin and cos of 2 pi u: u = (q + f)/4 with q whole and |f| <= 1/2, Taylor series at f pi/2.
inline SineCosine sine_cosine_of_turn(double u) {
  constexpr double kRound = 0x1.8p52;  // adding it rounds to a whole number, kept in the low bits
  const double quarters = 4.0 * u + kRound;
  const auto q = std::bit_cast<std::uint64_t>(quarters);
  const double x = (4.0 * u - (quarters - kRound)) * (std::numbers::pi / 2);
  const double x2 = x * x;
  double s = 1.0 / 355687428096000;
  s = s * x2 - 1.0 / 1307674368000;
  s = s * x2 + 1.0 / 6227020800;
  s = s * x2 - 1.0 / 39916800;
  s = s * x2 + 1.0 / 362880;
  s = s * x2 - 1.0 / 5040;
  s = s * x2 + 1.0 / 120;
  s = s * x2 - 1.0 / 6;
  s = x + x * x2 * s;
  double c = 1.0 / 20922789888000;
  c = c * x2 - 1.0 / 87178291200;
  c = c * x2 + 1.0 / 479001600;
  c = c * x2 - 1.0 / 3628800;
  c = c * x2 + 1.0 / 40320;
  c = c * x2 - 1.0 / 720;
  c = c * x2 + 1.0 / 24;
  c = 1.0 - 0.5 * x2 + x2 * x2 * c;
  // Quadrant q: (s, c), (c, -s), (-s, -c), (-c, s); the signs go in by their bit.
  const bool odd = (q & 1) != 0;
  const std::uint64_t sine_sign = (q & 2) << 62;
  const std::uint64_t cosine_sign = ((q + 1) & 2) << 62;
  return {std::bit_cast<double>(std::bit_cast<std::uint64_t>(odd ? c : s) ^ sine_sign),
          std::bit_cast<double>(std::bit_cast<std::uint64_t>(odd ? s : c) ^ cosine_sign)};
}

/// 2 * kWidth normals: the first of each pair in the first half of out, the second in the second.
inline void normal_pairs(const PhiloxCounters<kWidth>& c, double* out) {
  for (int i = 0; i < kWidth; ++i) {
    const double radius = std::sqrt(-2.0 * fast_log(open_uniform(c.word[0][i], c.word[1][i])));
    const SineCosine turn = sine_cosine_of_turn(open_uniform(c.word[2][i], c.word[3][i]));
    out[i] = radius * turn.cosine;
    out[kWidth + i] = radius * turn.sine;
  }
}

}  // namespace

void fill_normal(const NoiseKey& key, Purpose purpose, VectorRef out) {
  constexpr Index kNormals = 2 * kWidth;
  PhiloxCounters<kWidth> counters;
  std::uint32_t block = 0;
  for (Index done = 0; done < out.size(); done += kNormals, block += kWidth) {
    make_blocks(key, purpose, block, counters);
    if (out.size() - done >= kNormals) {
      normal_pairs(counters, out.data() + done);
    } else {
      double last[kNormals];
      normal_pairs(counters, last);
      std::copy_n(last, out.size() - done, out.data() + done);
    }
  }
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
