// Triangular products of many lanes: blocks of panel_product.hpp along the diagonal and below it.
#include <algorithm>

#include "math/panel_product.hpp"
#include "math/scratch.hpp"
#include "math/stack_product.hpp"
#include "math/triangular.hpp"

namespace gadwall {
namespace {

constexpr Index kMostLanes = 16;
constexpr Index kRows = 12;   // a multiple of the rows that panel_product takes together
constexpr Index kDepth = 48;  // columns of L that are read side by side

struct Range {
  Index begin, end;
};

/// out(rows, lanes) += L(rows, columns) v(columns, lanes); v, out: n x 4 V, lanes contiguous.
template <int V>
void add_block(const Matrix& lower, Range rows, Range columns, const double* v, double* out) {
  const Index n = lower.rows();
  panel_product<V, true>({lower.data() + rows.begin + columns.begin * n, rows.end - rows.begin,
                          columns.end - columns.begin, 1, n},
                         v + columns.begin * 4 * V, out + rows.begin * 4 * V);
}

template <int V>
void times(const Matrix& lower, const double* v, double* out) {
  const Index n = lower.rows();
  std::fill_n(out, n * 4 * V, 0.0);
  for (Index d = 0; d < n; d += kDepth) {
    const Index end = std::min(d + kDepth, n);
    for (Index r = d; r < end; r += kRows) {
      const Index last = std::min(r + kRows, end);
      add_block<V>(lower, {r, last}, {d, last}, v, out);
    }
    add_block<V>(lower, {end, n}, {d, end}, v, out);
  }
}

template <int V>
void transpose_times(const Matrix& lower, const double* g, double* out) {
  const Index n = lower.rows();
  for (Index r = 0; r < n; r += kRows) {
    const StridedPanel columns{lower.data() + r * n + r, std::min(kRows, n - r), n - r, n, 1};
    panel_product<V, false>(columns, g + r * 4 * V, out + r * 4 * V);
  }
}

/// Lanes that are missing to a multiple of four are computed as zeros and dropped.
template <class F>
void in_groups_of_lanes(ConstMatrixRef v, MatrixRef out, const F& product) {
  thread_local Vector in_memory, out_memory;
  const Index n = v.rows();
  for (Index k = 0; k < v.cols(); k += kMostLanes) {
    const Index lanes = std::min(kMostLanes, v.cols() - k);
    with_constant<kMostLanes / 4>(static_cast<int>((lanes + 3) / 4), [&](auto packs) {
      constexpr Index width = 4 * packs();
      Eigen::Map<Matrix> from(scratch(in_memory, kMostLanes * n), width, n);
      Eigen::Map<Matrix> to(scratch(out_memory, kMostLanes * n), width, n);
      from.topRows(lanes) = v.middleCols(k, lanes).transpose();
      from.bottomRows(width - lanes).setZero();
      product(packs, from.data(), to.data());
      out.middleCols(k, lanes) = to.topRows(lanes).transpose();
    });
  }
}

}  // namespace

void lower_times(const Matrix& lower, ConstMatrixRef v, MatrixRef out) {
  in_groups_of_lanes(
      v, out, [&](auto packs, const double* from, double* to) { times<packs()>(lower, from, to); });
}

void lower_transpose_times(const Matrix& lower, ConstMatrixRef g, MatrixRef out) {
  in_groups_of_lanes(g, out, [&](auto packs, const double* from, double* to) {
    transpose_times<packs()>(lower, from, to);
  });
}

void solve_lower(const Matrix& lower, MatrixRef x) {
  for (Index k = 0; k < x.cols(); k += kStackPanel) {
    auto lanes = x.middleCols(k, std::min(kStackPanel, x.cols() - k));
    for (Index i = 0; i < x.rows(); i += kStackPanel) {
      const Index rows = std::min(kStackPanel, x.rows() - i);
      auto now = lanes.middleRows(i, rows);
      subtract_product(lower.block(i, 0, rows, i), lanes.topRows(i), now);
      lower.block(i, i, rows, rows).triangularView<Eigen::Lower>().solveInPlace(now);
    }
  }
}

void add_lower_product(ConstMatrixRef a, ConstMatrixRef b, Matrix& lower) {
  for (Index j = 0; j < lower.cols(); j += kStackPanel) {
    const Index columns = std::min(kStackPanel, lower.cols() - j), below = j + columns;
    const auto right = b.middleCols(j, columns);
    lower.block(j, j, columns, columns).triangularView<Eigen::Lower>() +=
        a.middleRows(j, columns) * right;
    add_product(a.bottomRows(a.rows() - below), right,
                lower.block(below, j, lower.rows() - below, columns));
  }
}

}  // namespace gadwall
