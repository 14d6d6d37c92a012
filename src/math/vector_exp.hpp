// e^x of four non-positive numbers at once, to one unit in the last place.
#pragma once

#include "math/pack4.hpp"

namespace gadwall {

/// Below this e^x is no normal number any more (e^-708.396 = 2^-1022) and we return 0.
constexpr double kLowestExponent = -708.396;

/// x[v] becomes e^x[v], for x <= 0. With k = round(x / ln 2), r = x - k ln 2, |r| <= ln(2) / 2:
/// e^x = 2^k e^r, e^r = 1 + r + r^2 Q(r). Q has degree 9 and interpolates (e^r - 1 - r) / r^2 at
/// the Chebyshev nodes: relative error of e^r 1.6e-17. NaN gives NaN.
///
/// V packs go through each step together: one load of a constant serves V operations, and Horner's
/// chains of dependent operations overlap.
template <int V>
GADWALL_INLINE void exp_nonpositive(Pack4 (&x)[V]) {
  // From the highest power down; Q(r) = even(r^2) + r odd(r^2), two chains half as long as one.
  constexpr double odd[] = {0x1.af38a9b0ec855p-26, 0x1.71de0dae63bb3p-19, 0x1.a01a01a7c41d5p-13,
                            0x1.11111111109b3p-7, 0x1.5555555555556p-3};
  constexpr double even[] = {0x1.289185613a3d6p-22, 0x1.a019b90d2ae7ap-16, 0x1.6c16c1788bd90p-10,
                             0x1.5555555553d63p-5, 0x1.0000000000001p-1};
  // Adding 1.5 * 2^52 rounds to an integer, which then sits in the low bits of the sum; with the
  // exponent's bias in it as well, a shift by 52 makes it the number 2^k.
  constexpr double shifter = 0x1.8p52 + 1023;
  Pack4 shifted[V], r[V], r2[V], q_even[V], q_odd[V];
  for (int v = 0; v < V; ++v) {
    shifted[v] = multiply_add(x[v], broadcast(1.4426950408889634), broadcast(shifter));
    const Pack4 k = shifted[v] - shifter;
    // ln 2 = high + low; high has 32 bits, so that k * high is exact (Cody and Waite).
    r[v] = negative_multiply_add(k, broadcast(0x1.62e42feep-1), x[v]);
    r[v] = negative_multiply_add(k, broadcast(1.9082149292705877e-10), r[v]);
    r2[v] = r[v] * r[v];
    q_even[v] = broadcast(even[0]);
    q_odd[v] = broadcast(odd[0]);
  }
  for (int c = 1; c < 5; ++c) {
    for (int v = 0; v < V; ++v) {
      q_even[v] = multiply_add(q_even[v], r2[v], broadcast(even[c]));
      q_odd[v] = multiply_add(q_odd[v], r2[v], broadcast(odd[c]));
    }
  }
  for (int v = 0; v < V; ++v) {
    const Pack4 q = multiply_add(q_odd[v], r[v], q_even[v]);
    const Pack4 power = bits_as_pack(pack_as_bits(shifted[v]) << 52);
    const Pack4 result = power * (multiply_add(r2[v], q, r[v]) + 1.0);
    x[v] = bits_as_pack(~(x[v] < kLowestExponent) & pack_as_bits(result));
  }
}

}  // namespace gadwall
