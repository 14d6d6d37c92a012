// Box & Muller's transform (1958) of many uniform numbers at once. The logarithm, sine and cosine
// are our own, so that the numbers depend on no library. Polynomials interpolate at the Chebyshev
// nodes. V packs go through each step together: their chains of dependent operations overlap.
#pragma once

#include <numbers>

#include "math/pack4.hpp"

namespace gadwall {

using Bits4 = unsigned long long __attribute__((vector_size(32)));

/// p(x) with the coefficients from the highest power down.
template <int V, int N>
GADWALL_INLINE void polynomial(const double (&coefficient)[N], const Pack4 (&x)[V],
                               Pack4 (&sum)[V]) {
  for (int v = 0; v < V; ++v) sum[v] = broadcast(coefficient[0]);
  for (int c = 1; c < N; ++c) {
    for (int v = 0; v < V; ++v) sum[v] = multiply_add(sum[v], x[v], broadcast(coefficient[c]));
  }
}

/// 52 random bits to the midpoints of a grid on (0, 1): never 0, never 1. The bits come from the
/// low halves of two words.
GADWALL_INLINE Pack4 open_uniform4(Bits4 high, Bits4 low) {
  const Bits4 bits = (high << 32 | (low & 0xFFFFFFFFU)) >> 12 | 0x3FF0000000000000U;
  return bits_as_pack(reinterpret_cast<Mask4>(bits)) - (1.0 - 0x1p-53);
}

/// u becomes log u, for u in (0, 1): u = m 2^e with m in [1/sqrt 2, sqrt 2) and
/// log m = 2 atanh s = 2 s + 2 s^3 p(s^2), s = (m - 1)/(m + 1), |s| < 0.172; p to 5e-18 s^-2.
template <int V>
GADWALL_INLINE void log_of_fraction(Pack4 (&u)[V]) {
  constexpr unsigned long long root_half = 0x3FE6A09E667F3BCDU;  // bits of 1/sqrt 2
  static constexpr double coefficient[] = {
      0x1.2b5900de53b32p-4, 0x1.39fe51a7c18f9p-4, 0x1.7462b51cb66b1p-4, 0x1.c71c62e3f11e6p-4,
      0x1.2492492df281ap-3, 0x1.99999999952d7p-3, 0x1.5555555555558p-2};
  Pack4 exponent[V], s[V], s2[V], p[V];
  for (int v = 0; v < V; ++v) {
    const Bits4 shifted = reinterpret_cast<Bits4>(pack_as_bits(u[v])) - root_half;
    const Bits4 mantissa = (shifted & 0x000FFFFFFFFFFFFFU) + root_half;
    const Pack4 m = bits_as_pack(reinterpret_cast<Mask4>(mantissa));
    // The exponent lies in the top bits of `shifted` (a small negative number in two's complement);
    // adding 2048 keeps it positive so that it can be placed in the mantissa of 2^52.
    const Bits4 biased = (((shifted >> 52) + 2048U) & 0xFFFU) | 0x4330000000000000U;
    exponent[v] = bits_as_pack(reinterpret_cast<Mask4>(biased)) - (0x1p52 + 2048.0);
    s[v] = (m - 1.0) / (m + 1.0);
    s2[v] = s[v] * s[v];
  }
  polynomial(coefficient, s2, p);
  for (int v = 0; v < V; ++v) {
    const Pack4 twice = s[v] + s[v];
    const Pack4 log_m = multiply_add(twice * s2[v], p[v], twice);
    u[v] = multiply_add(exponent[v], broadcast(std::numbers::ln2), log_m);
  }
}

/// sine and cosine of 2 pi u: u = (q + f)/4 with q whole, |f| <= 1/2, x = f pi/2 and
/// sin x = x + x^3 p(x^2), cos x = 1 - x^2/2 + x^4 p(x^2), to 2e-17.
template <int V>
GADWALL_INLINE void sine_cosine_of_turn(const Pack4 (&u)[V], Pack4 (&sine)[V], Pack4 (&cosine)[V]) {
  constexpr double round = 0x1.8p52;  // adding it rounds to a whole number, kept in the low bits
  static constexpr double sine_coefficient[] = {0x1.5e0b05bff20f2p-33, -0x1.ae600aca92c64p-26,
                                                0x1.71de379654304p-19, -0x1.a01a019e83816p-13,
                                                0x1.1111111110bb2p-7,  -0x1.5555555555555p-3};
  static constexpr double cosine_coefficient[] = {-0x1.907d8f29fe831p-37, 0x1.1eeb68cd22f56p-29,
                                                  -0x1.27e4fa17bf139p-22, 0x1.a01a019f4e9b4p-16,
                                                  -0x1.6c16c16c16967p-10, 0x1.5555555555555p-5};
  Pack4 x[V], x2[V];
  Mask4 quarter[V];
  for (int v = 0; v < V; ++v) {
    const Pack4 shifted = multiply_add(u[v], broadcast(4), broadcast(round));
    quarter[v] = pack_as_bits(shifted);
    x[v] = multiply_add(u[v], broadcast(4), -(shifted - round)) * (std::numbers::pi / 2);
    x2[v] = x[v] * x[v];
  }
  polynomial(sine_coefficient, x2, sine);
  polynomial(cosine_coefficient, x2, cosine);
  for (int v = 0; v < V; ++v) {
    const Pack4 s = multiply_add(x[v] * x2[v], sine[v], x[v]);
    const Pack4 c = multiply_add(x2[v] * x2[v], cosine[v],
                                 negative_multiply_add(x2[v], broadcast(0.5), broadcast(1)));
    // Quadrant q: (s, c), (c, -s), (-s, -c), (-c, s); the signs go in by their bit.
    const Mask4 odd = (quarter[v] & 1) != 0;
    sine[v] = bits_as_pack(pack_as_bits(odd ? c : s) ^ (quarter[v] & 2) << 62);
    cosine[v] = bits_as_pack(pack_as_bits(odd ? s : c) ^ ((quarter[v] + 1) & 2) << 62);
  }
}

}  // namespace gadwall
