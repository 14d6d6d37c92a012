// log(1 + x) of four numbers in [0, 1] at once, to a few units in the last place.
#pragma once

#include "math/pack4.hpp"

namespace gadwall {

/// x[v] becomes log(1 + x[v]). With z = x / (2 + x), 0 <= z <= 1/3, it is
/// log((1 + z) / (1 - z)) = 2 z sum_k z^2k / (2k + 1); what is left out is below 2e-18 of it. NaN
/// gives NaN. V packs go through each step together, as in exp_nonpositive.
template <int V>
GADWALL_INLINE void log1p_unit(Pack4 (&x)[V]) {
  constexpr int kTerms = 17;
  Pack4 z[V], square[V], sum[V];
  for (int v = 0; v < V; ++v) {
    z[v] = x[v] / (x[v] + 2.0);
    square[v] = z[v] * z[v];
    sum[v] = broadcast(1.0 / (2 * kTerms - 1));
  }
  for (int k = kTerms - 2; k >= 0; --k) {
    for (int v = 0; v < V; ++v) {
      sum[v] = multiply_add(sum[v], square[v], broadcast(1.0 / (2 * k + 1)));
    }
  }
  for (int v = 0; v < V; ++v) x[v] = 2.0 * z[v] * sum[v];
}

}  // namespace gadwall
