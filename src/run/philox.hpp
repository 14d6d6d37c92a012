// Philox4x32-10 (Salmon, Moraes, Dror & Shaw, SC 2011): a counter-based generator. W counters go
// through the rounds side by side, as structure of arrays, so that the compiler vectorises them.
// The tests compare it with the Random123 library.
#pragma once

#include <cstdint>

namespace gadwall {

template <int W>
struct PhiloxCounters {
  std::uint32_t word[4][W];
};

template <int W>
inline void philox4x32(PhiloxCounters<W>& c, std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
#pragma GCC unroll 1
    for (int i = 0; i < W; ++i) {
      const std::uint64_t product0 = std::uint64_t{0xD2511F53U} * c.word[0][i];
      const std::uint64_t product1 = std::uint64_t{0xCD9E8D57U} * c.word[2][i];
      const auto high0 = static_cast<std::uint32_t>(product0 >> 32);
      const auto high1 = static_cast<std::uint32_t>(product1 >> 32);
      c.word[0][i] = high1 ^ c.word[1][i] ^ key0;
      c.word[1][i] = static_cast<std::uint32_t>(product1);
      c.word[2][i] = high0 ^ c.word[3][i] ^ key1;
      c.word[3][i] = static_cast<std::uint32_t>(product0);
    }
    key0 += 0x9E3779B9U;  // Weyl sequences: golden ratio and sqrt(3) - 1
    key1 += 0xBB67AE85U;
  }
}

}  // namespace gadwall
