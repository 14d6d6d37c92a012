// Four doubles that move together: one AVX2 register, or whatever the compiler makes of it.
#pragma once

#include <array>
#include <cmath>
#include <cstring>
#if defined(__AVX2__) && defined(__FMA__)
#define GADWALL_AVX2
#include <immintrin.h>
#endif

// GCC warns that without AVX the calling convention of 32-byte vectors depends on the flags. No
// function that takes or returns one is called across translation units.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace gadwall {

// The vector extension of GCC and Clang: + - * / and comparisons act on the four in parallel, and
// a scalar operand is broadcast. A comparison gives a Mask4 of 0 (false) or -1 (true).
using Pack4 = double __attribute__((vector_size(32)));
using Mask4 = long long __attribute__((vector_size(32)));

#define GADWALL_INLINE inline __attribute__((always_inline))

GADWALL_INLINE Pack4 broadcast(double value) {
  return Pack4{value, value, value, value};
}

GADWALL_INLINE Pack4 load4(const double* from) {
  Pack4 pack;
  std::memcpy(&pack, from, sizeof pack);
  return pack;
}

GADWALL_INLINE void store4(double* to, Pack4 pack) {
  std::memcpy(to, &pack, sizeof pack);
}

/// Stops the compiler from reading a pack from memory again at each use. Zen and Haswell start two
/// loads and two FMAs a cycle: a product that loads an operand for every FMA is bound by its loads.
GADWALL_INLINE Pack4 keep_in_register(Pack4 pack) {
#ifdef GADWALL_AVX2
  asm("" : "+x"(pack));
#endif
  return pack;
}

/// a b + c, rounded once where the processor has FMA.
GADWALL_INLINE Pack4 multiply_add(Pack4 a, Pack4 b, Pack4 c) {
#ifdef GADWALL_AVX2
  return _mm256_fmadd_pd(a, b, c);
#else
  return a * b + c;
#endif
}

/// c - a b, likewise.
GADWALL_INLINE Pack4 negative_multiply_add(Pack4 a, Pack4 b, Pack4 c) {
#ifdef GADWALL_AVX2
  return _mm256_fnmadd_pd(a, b, c);
#else
  return c - a * b;
#endif
}

GADWALL_INLINE Pack4 bits_as_pack(Mask4 bits) {
  Pack4 pack;
  std::memcpy(&pack, &bits, sizeof pack);
  return pack;
}

GADWALL_INLINE Mask4 pack_as_bits(Pack4 pack) {
  Mask4 bits;
  std::memcpy(&bits, &pack, sizeof bits);
  return bits;
}

GADWALL_INLINE Pack4 negative_abs(Pack4 a) {
  return bits_as_pack(pack_as_bits(a) | pack_as_bits(broadcast(-0.0)));
}

/// a < b ? a : b, so b where a is NaN.
GADWALL_INLINE Pack4 min4(Pack4 a, Pack4 b) {
#ifdef GADWALL_AVX2
  return _mm256_min_pd(a, b);
#else
  return a < b ? a : b;
#endif
}

GADWALL_INLINE Pack4 sqrt4(Pack4 a) {
#ifdef GADWALL_AVX2
  return _mm256_sqrt_pd(a);
#else
  return Pack4{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
#endif
}

GADWALL_INLINE double sum4(Pack4 a) {
  return (a[0] + a[1]) + (a[2] + a[3]);
}

/// {sum4(a), sum4(b), sum4(c), sum4(d)}
GADWALL_INLINE Pack4 sums4(Pack4 a, Pack4 b, Pack4 c, Pack4 d) {
#ifdef GADWALL_AVX2
  const Pack4 ab = _mm256_hadd_pd(a, b);  // a0+a1, b0+b1, a2+a3, b2+b3
  const Pack4 cd = _mm256_hadd_pd(c, d);
  return _mm256_add_pd(_mm256_blend_pd(ab, cd, 0b1100), _mm256_permute2f128_pd(ab, cd, 0x21));
#else
  return Pack4{sum4(a), sum4(b), sum4(c), sum4(d)};
#endif
}

/// Rows become columns.
GADWALL_INLINE void transpose4(std::array<Pack4, 4>& x) {
  const Pack4 even_ab = __builtin_shufflevector(x[0], x[1], 0, 4, 2, 6);
  const Pack4 even_cd = __builtin_shufflevector(x[2], x[3], 0, 4, 2, 6);
  const Pack4 odd_ab = __builtin_shufflevector(x[0], x[1], 1, 5, 3, 7);
  const Pack4 odd_cd = __builtin_shufflevector(x[2], x[3], 1, 5, 3, 7);
  x = {__builtin_shufflevector(even_ab, even_cd, 0, 1, 4, 5),
       __builtin_shufflevector(odd_ab, odd_cd, 0, 1, 4, 5),
       __builtin_shufflevector(even_ab, even_cd, 2, 3, 6, 7),
       __builtin_shufflevector(odd_ab, odd_cd, 2, 3, 6, 7)};
}

}  // namespace gadwall
