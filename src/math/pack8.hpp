// Eight floats that move together, for arithmetic that needs no more digits.
#pragma once

#include <cmath>

#include "math/pack4.hpp"

namespace gadwall {

using Pack8 = float __attribute__((vector_size(32)));

GADWALL_INLINE Pack8 broadcast8(float value) {
  return Pack8{value, value, value, value, value, value, value, value};
}

GADWALL_INLINE Pack8 load8(const float* from) {
  Pack8 pack;
  std::memcpy(&pack, from, sizeof pack);
  return pack;
}

GADWALL_INLINE void store8(float* to, Pack8 pack) {
  std::memcpy(to, &pack, sizeof pack);
}

/// a b + c, rounded once where the processor has FMA.
GADWALL_INLINE Pack8 multiply_add(Pack8 a, Pack8 b, Pack8 c) {
#ifdef GADWALL_AVX2
  return _mm256_fmadd_ps(a, b, c);
#else
  return a * b + c;
#endif
}

GADWALL_INLINE Pack8 sqrt8(Pack8 a) {
#ifdef GADWALL_AVX2
  return _mm256_sqrt_ps(a);
#else
  for (int i = 0; i < 8; ++i) a[i] = std::sqrt(a[i]);
  return a;
#endif
}

/// Adds the eight to eight doubles.
GADWALL_INLINE void add8(double* to, Pack8 pack) {
  using Half = float __attribute__((vector_size(16)));
  const Half low = {pack[0], pack[1], pack[2], pack[3]};
  const Half high = {pack[4], pack[5], pack[6], pack[7]};
  store4(to, load4(to) + __builtin_convertvector(low, Pack4));
  store4(to + 4, load4(to + 4) + __builtin_convertvector(high, Pack4));
}

}  // namespace gadwall
