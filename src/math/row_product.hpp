// Products of row-major rows with one or two lanes, four columns side by side in a register.
#pragma once

#include <Eigen/Core>

#include "math/pack4.hpp"
#include "math/with_constant.hpp"

namespace gadwall {

/// Rows of `stride` numbers, a multiple of 4, the padding included.
struct RowPanel {
  const double* data;
  Eigen::Index rows, stride;
};

/// For one use a load is free as the operand of the FMA; for two it should happen once.
template <int uses>
GADWALL_INLINE Pack4 load_for(const double* from) {
  return uses == 1 ? load4(from) : keep_in_register(load4(from));
}

/// out(i, lane) = X_i . w_lane, for R rows (a multiple of 4) and L lanes. Lanes are `stride` apart
/// in w and `out_stride` apart in out. R L = 8 sums hide the latency of the FMAs.
template <int R, int L>
GADWALL_INLINE void dots_of_rows(const double* x, Eigen::Index stride, const double* w, double* out,
                                 Eigen::Index out_stride) {
  Pack4 sum[L][R];
  for (int l = 0; l < L; ++l) {
    for (int r = 0; r < R; ++r) sum[l][r] = Pack4{};
  }
  for (Eigen::Index j = 0; j < stride; j += 4) {
    Pack4 weight[L];
    for (int l = 0; l < L; ++l) weight[l] = keep_in_register(load4(w + l * stride + j));
    for (int r = 0; r < R; ++r) {
      const Pack4 row = load_for<L>(x + r * stride + j);
      for (int l = 0; l < L; ++l) sum[l][r] = multiply_add(row, weight[l], sum[l][r]);
    }
  }
  for (int l = 0; l < L; ++l) {
    for (int r = 0; r < R; r += 4) {
      store4(out + l * out_stride + r,
             sums4(sum[l][r], sum[l][r + 1], sum[l][r + 2], sum[l][r + 3]));
    }
  }
}

/// The same for all rows of x, whose number must be a multiple of 8.
template <int L>
GADWALL_INLINE void row_dots(const RowPanel& x, const double* w, double* out,
                             Eigen::Index out_stride) {
  constexpr int R = 8 / L;
  for (Eigen::Index i = 0; i < x.rows; i += R) {
    dots_of_rows<R, L>(x.data + i * x.stride, x.stride, w, out + i, out_stride);
  }
}

/// g_lane += sum_i q(i, lane) X_i on 4 C columns. The sums stay in registers for all the rows. On
/// the way the columns `ahead` numbers further on are fetched into the first-level cache.
template <int C, int L>
GADWALL_INLINE void combine_columns(const RowPanel& x, const double* q, Eigen::Index q_stride,
                                    double* g, Eigen::Index ahead) {
  Pack4 sum[L][C];
  for (int l = 0; l < L; ++l) {
    for (int c = 0; c < C; ++c) sum[l][c] = load4(g + l * x.stride + 4 * c);
  }
  const double* row = x.data;
  for (Eigen::Index i = 0; i < x.rows; ++i, row += x.stride) {
    Pack4 factor[L];
    for (int l = 0; l < L; ++l) factor[l] = broadcast(q[l * q_stride + i]);
    for (int c = 0; c < C; c += 2)
      __builtin_prefetch(row + ahead + 4 * c);  // 64 bytes per cache line
    for (int c = 0; c < C; ++c) {
      const Pack4 entries = load_for<L>(row + 4 * c);
      for (int l = 0; l < L; ++l) sum[l][c] = multiply_add(entries, factor[l], sum[l][c]);
    }
  }
  for (int l = 0; l < L; ++l) {
    for (int c = 0; c < C; ++c) store4(g + l * x.stride + 4 * c, sum[l][c]);
  }
}

/// The same on all columns, in blocks of nearly equal width: a narrow last block would wait for
/// its own sums.
template <int L>
GADWALL_INLINE void combine_rows(RowPanel x, const double* q, Eigen::Index q_stride, double* g,
                                 Eigen::Index ahead) {
  constexpr int widest = L == 1 ? 14 : 6;  // L C sums, L factors, entries: 15 of 16 registers
  auto packs = static_cast<int>(x.stride / 4);
  for (int blocks = (packs + widest - 1) / widest; blocks > 0; --blocks) {
    const int width = (packs + blocks - 1) / blocks;
    with_constant<widest>(
        width, [&](auto columns) { combine_columns<columns(), L>(x, q, q_stride, g, ahead); });
    packs -= width;
    x.data += 4 * width;
    g += 4 * width;
  }
}

}  // namespace gadwall
