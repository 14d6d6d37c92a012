// Products of a small panel with 4 to 16 lanes, the lanes side by side in the vector registers.
#pragma once

#include <Eigen/Core>

#include "math/pack4.hpp"
#include "math/with_constant.hpp"

namespace gadwall {

/// A view of rows x depth numbers: element (r, d) is data[r * row_step + d * depth_step]. A
/// row-major panel and its transpose are both of this kind.
struct StridedPanel {
  const double* data;
  Eigen::Index rows, depth, row_step, depth_step;
};

/// out(r, lane) = or += sum_d a(r, d) b(d, lane) for R rows and 4 V lanes; lanes are contiguous in
/// b (depth x 4 V) and out (R x 4 V). Of AVX2's 16 registers the R V = 12 sums take twelve; the
/// shorter side of the block and one number of the longer side take the rest.
template <int V, int R, bool add>
void product_of_rows(const StridedPanel& a, const double* b, double* out) {
  Pack4 sum[R][V];
  for (int r = 0; r < R; ++r) {
    for (int v = 0; v < V; ++v) sum[r][v] = add ? load4(out + 4 * (r * V + v)) : Pack4{};
  }
  const double* at = a.data;
  for (Eigen::Index d = 0; d < a.depth; ++d, at += a.depth_step, b += 4 * V) {
    if constexpr (R < V) {
      Pack4 left[R];
      for (int r = 0; r < R; ++r) left[r] = broadcast(at[r * a.row_step]);
      for (int v = 0; v < V; ++v) {
        const Pack4 right = keep_in_register(load4(b + 4 * v));
        for (int r = 0; r < R; ++r) sum[r][v] = multiply_add(left[r], right, sum[r][v]);
      }
    } else {
      Pack4 right[V];
      for (int v = 0; v < V; ++v) right[v] = keep_in_register(load4(b + 4 * v));
      for (int r = 0; r < R; ++r) {
        const Pack4 left = broadcast(at[r * a.row_step]);
        for (int v = 0; v < V; ++v) sum[r][v] = multiply_add(left, right[v], sum[r][v]);
      }
    }
  }
  for (int r = 0; r < R; ++r) {
    for (int v = 0; v < V; ++v) store4(out + 4 * (r * V + v), sum[r][v]);
  }
}

/// The same for all rows of a, 12 / V at a time.
template <int V, bool add>
void panel_product(StridedPanel a, const double* b, double* out) {
  constexpr int R = 12 / V;
  for (; a.rows >= R; a.rows -= R, a.data += R * a.row_step, out += R * 4 * V) {
    product_of_rows<V, R, add>(a, b, out);
  }
  with_constant<R - 1>(static_cast<int>(a.rows),
                       [&](auto rows) { product_of_rows<V, rows(), add>(a, b, out); });
}

}  // namespace gadwall
