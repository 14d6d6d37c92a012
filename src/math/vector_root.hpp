// 1 / (1 + sqrt G), the denominator of RMSprop, of many numbers at once.
#pragma once

#include <cmath>

#include "math/pack4.hpp"

namespace gadwall {

GADWALL_INLINE Pack4 sqrt4(Pack4 a) {
#ifdef GADWALL_AVX2
  return _mm256_sqrt_pd(a);
#else
  return Pack4{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
#endif
}

/// result = 1 / (1 + sqrt(square)) for numbers >= 0, to two units in the last place. Root and
/// division are the slowest instructions by far; two quotients share a division, by
/// 1 / d = d' (1 / (d d')). Of an overflown square (inf) the root counts as 1e150, so that d d'
/// stays finite: the result is nothing, as it should be.
template <int V>
GADWALL_INLINE void one_over_one_plus_root(const Pack4 (&square)[V], Pack4 (&result)[V]) {
  static_assert(V % 2 == 0);
  Pack4 denominator[V];
  for (int v = 0; v < V; ++v) denominator[v] = min4(sqrt4(square[v]), broadcast(1e150)) + 1.0;
  for (int v = 0; v < V; v += 2) {
    const Pack4 inverse = 1.0 / (denominator[v] * denominator[v + 1]);
    result[v] = denominator[v + 1] * inverse;
    result[v + 1] = denominator[v] * inverse;
  }
}

}  // namespace gadwall
