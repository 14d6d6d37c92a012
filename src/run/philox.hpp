// Philox4x32-10 (Salmon, Moraes, Dror & Shaw, SC 2011): a counter-based generator. W counters go
// through the rounds side by side so that their latencies overlap. The tests compare it with the
// Random123 library.
#pragma once

#include <cstdint>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace gadwall {

/// W counters of four 32-bit words, each in the low half of a 64-bit lane: what is in the high
/// halves never matters, so that products need no unpacking.
template <int W>
struct PhiloxCounters {
  alignas(32) std::uint64_t word[4][W];
};

namespace philox {

constexpr int kRounds = 10;
constexpr std::uint32_t kMultiplier0 = 0xD2511F53U;
constexpr std::uint32_t kMultiplier1 = 0xCD9E8D57U;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9U;  // golden ratio
constexpr std::uint32_t kWeyl1 = 0xBB67AE85U;  // sqrt(3) - 1

template <int W>
inline void rounds(PhiloxCounters<W>& c, std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < kRounds; ++round, key0 += kWeyl0, key1 += kWeyl1) {
    for (int i = 0; i < W; ++i) {
      const std::uint64_t product0 =
          std::uint64_t{kMultiplier0} * static_cast<std::uint32_t>(c.word[0][i]);
      const std::uint64_t product1 =
          std::uint64_t{kMultiplier1} * static_cast<std::uint32_t>(c.word[2][i]);
      c.word[0][i] = (product1 >> 32) ^ c.word[1][i] ^ key0;
      c.word[1][i] = product1;
      c.word[2][i] = (product0 >> 32) ^ c.word[3][i] ^ key1;
      c.word[3][i] = product0;
    }
  }
}

#ifdef __AVX2__
/// Four counters a vector. The compiler does not find vpmuludq by itself.
template <int W>
inline void rounds_avx2(PhiloxCounters<W>& c, std::uint32_t key0, std::uint32_t key1) {
  constexpr int kVectors = W / 4;
  __m256i w[4][kVectors];
  for (int j = 0; j < 4; ++j) {
    for (int v = 0; v < kVectors; ++v) {
      w[j][v] = _mm256_load_si256(reinterpret_cast<const __m256i*>(&c.word[j][4 * v]));
    }
  }
  const __m256i multiplier0 = _mm256_set1_epi64x(kMultiplier0);
  const __m256i multiplier1 = _mm256_set1_epi64x(kMultiplier1);
  for (int round = 0; round < kRounds; ++round, key0 += kWeyl0, key1 += kWeyl1) {
    const __m256i k0 = _mm256_set1_epi64x(key0);
    const __m256i k1 = _mm256_set1_epi64x(key1);
    for (int v = 0; v < kVectors; ++v) {
      const __m256i product0 = _mm256_mul_epu32(multiplier0, w[0][v]);
      const __m256i product1 = _mm256_mul_epu32(multiplier1, w[2][v]);
      w[0][v] = _mm256_xor_si256(_mm256_srli_epi64(product1, 32), _mm256_xor_si256(w[1][v], k0));
      w[1][v] = product1;
      w[2][v] = _mm256_xor_si256(_mm256_srli_epi64(product0, 32), _mm256_xor_si256(w[3][v], k1));
      w[3][v] = product0;
    }
  }
  for (int j = 0; j < 4; ++j) {
    for (int v = 0; v < kVectors; ++v) {
      _mm256_store_si256(reinterpret_cast<__m256i*>(&c.word[j][4 * v]), w[j][v]);
    }
  }
}
#endif

}  // namespace philox

template <int W>
inline void philox4x32(PhiloxCounters<W>& c, std::uint32_t key0, std::uint32_t key1) {
#ifdef __AVX2__
  if constexpr (W % 4 == 0) {
    philox::rounds_avx2(c, key0, key1);
    return;
  }
#endif
  philox::rounds(c, key0, key1);
}

}  // namespace gadwall
