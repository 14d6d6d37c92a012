// Two ways through the rows, both in panels that stay in the cache between three steps: margins,
// residuals and sums, gradient. So the rows come from memory once, not twice.
//
// Few lanes (one or two at a time): a register holds four columns of one row; bound by the loads of
// the rows, so the next panel is fetched while this one is used.
// Many lanes (4, 8, 12 or 16 at a time): a register holds four lanes; bound by the FMAs.
#include "targets/logistic_lanes.hpp"

#include <algorithm>

#include "math/panel_product.hpp"
#include "math/row_product.hpp"
#include "targets/logistic_sums.hpp"

namespace gadwall {
namespace {

constexpr Index kMostLanes = 16;
constexpr Index kFewLanes = 6;    // from 7 on, lanes side by side are faster, as measured
constexpr double kSurely = 1000;  // a margin that adds nothing: e^-1000 = 0

Index round_up(Index value, Index multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// Memory that lives on between calls and only ever grows.
double* scratch(Vector& memory, Index size) {
  if (memory.size() < size) memory.resize(size);
  return memory.data();
}

/// The lanes of one call: columns of w and, unless empty, of the gradient.
struct Lanes {
  ConstMatrixRef w;
  VectorRef log_likelihood;
  MatrixRef gradient;
};

/// Rows of a panel: this one and the next (which is on its way) share 32 KB of first-level cache.
Index few_lanes_panel(Index stride) {
  constexpr Index numbers = 1536;
  return std::clamp<Index>(numbers / stride / SignedRows::kRowGroup, 1, 4) * SignedRows::kRowGroup;
}

/// Rows of a panel: it should fit well into the second-level cache (66 KB of 512 for 86 columns);
/// longer panels save reads and writes of the gradient.
Index many_lanes_panel(Index stride) {
  constexpr Index numbers = 16384;
  return std::clamp<Index>(numbers / stride / 12, 2, 8) * 12;
}

using RowSums = MarginSums<4>;  // 16 rows at a time

/// Margins, sums and gradient of L lanes on one panel; lanes are x.stride apart in w and gradient.
/// x.rows need not be a multiple of the row group, but its memory goes on to one. A function of its
/// own in the machine code: the compiler then finds registers for all of it.
template <int L, bool residuals>
__attribute__((noinline)) void add_panel(const RowPanel& x, const double* w, double* gradient,
                                         RowSums* sums, Index ahead) {
  constexpr Index most_rows = 4 * SignedRows::kRowGroup;
  alignas(32) double margins[L * most_rows];
  const Index rounded = round_up(x.rows, SignedRows::kRowGroup);
  row_dots<L>({x.data, rounded, x.stride}, w, margins, most_rows);
  for (int lane = 0; lane < L; ++lane) {
    double* margin = margins + lane * most_rows;
    std::fill(margin + x.rows, margin + rounded, kSurely);
    sums[lane].add<residuals>(margin, rounded / SignedRows::kRowGroup);
  }
  if constexpr (residuals) combine_rows<L>(x, margins, most_rows, gradient, ahead);
}

template <bool residuals>
void few_lanes(const SignedRows& rows, Lanes& lanes) {
  thread_local Vector w_memory, gradient_memory;
  const Index count = lanes.w.cols(), stride = rows.stride(), panel = few_lanes_panel(stride);
  double* w = scratch(w_memory, kFewLanes * stride);
  double* gradient = scratch(gradient_memory, kFewLanes * stride);
  Eigen::Map<Matrix> w_map(w, stride, count), gradient_map(gradient, stride, count);
  w_map.bottomRows(stride - rows.columns).setZero();
  w_map.topRows(rows.columns) = lanes.w;
  gradient_map.setZero();
  RowSums sums[kFewLanes];
  for (Index i = 0; i < rows.rows; i += panel) {
    const RowPanel x{rows.padded.data() + i * stride, std::min(panel, rows.rows - i), stride};
    Index ahead = i + 2 * panel <= rows.rows ? panel * stride : 0;
    Index lane = 0;
    for (; lane + 2 <= count; lane += 2, ahead = 0) {
      add_panel<2, residuals>(x, w + lane * stride, gradient + lane * stride, sums + lane, ahead);
    }
    if (lane < count) {
      add_panel<1, residuals>(x, w + lane * stride, gradient + lane * stride, sums + lane, ahead);
    }
  }
  for (Index k = 0; k < count; ++k) lanes.log_likelihood[k] = sums[k].sum();
  if constexpr (residuals) lanes.gradient = gradient_map.topRows(rows.columns);
}

/// Up to 4 V lanes; the lanes that are missing are computed with w = 0 and dropped.
template <int V, bool residuals>
void many_lanes(const SignedRows& rows, Lanes& lanes) {
  thread_local Vector w_memory, gradient_memory, margin_memory;
  const Index count = lanes.w.cols(), n = rows.columns, stride = rows.stride();
  const Index panel = many_lanes_panel(stride);
  Eigen::Map<Matrix> w(scratch(w_memory, kMostLanes * n), 4 * V, n);
  Eigen::Map<Matrix> gradient(scratch(gradient_memory, kMostLanes * n), 4 * V, n);
  double* margins = scratch(margin_memory, kMostLanes * panel);
  w.bottomRows(4 * V - count).setZero();
  w.topRows(count) = lanes.w.transpose();
  gradient.setZero();
  MarginSums<V> sums;
  for (Index i = 0; i < rows.rows; i += panel) {
    const double* x = rows.padded.data() + i * stride;
    const Index now = std::min(panel, rows.rows - i);
    panel_product<V, false>({x, now, n, stride, 1}, w.data(), margins);
    sums.template add<residuals>(margins, now);
    if constexpr (residuals) {
      panel_product<V, true>({x, n, now, 1, stride}, margins, gradient.data());
    }
  }
  alignas(32) double log_likelihood[4 * V];
  sums.store(log_likelihood);
  std::copy_n(log_likelihood, count, lanes.log_likelihood.data());
  if constexpr (residuals) lanes.gradient = gradient.topRows(count).transpose();
}

template <bool residuals>
void block_of_lanes(const SignedRows& rows, Lanes& lanes) {
  const auto count = static_cast<int>(lanes.w.cols());
  if (count <= kFewLanes) {
    few_lanes<residuals>(rows, lanes);
  } else {
    with_constant<4>((count + 3) / 4,
                     [&](auto packs) { many_lanes<packs(), residuals>(rows, lanes); });
  }
}

/// Rows a multiple of 4096 bytes apart would all meet in the same few lines of the cache.
Index padded_columns(Index columns) {
  const Index padded = round_up(columns, 4);
  return padded % 512 == 0 ? padded + 4 : padded;
}

}  // namespace

SignedRows::SignedRows(const Matrix& design, const Vector& labels)
    : rows(design.rows()), columns(design.cols()) {
  padded.setZero(round_up(rows, kRowGroup), padded_columns(columns));
  padded.topLeftCorner(rows, columns) = (2 * labels.array() - 1).matrix().asDiagonal() * design;
}

void add_up_likelihood(const SignedRows& rows, ConstMatrixRef w, VectorRef log_likelihood,
                       MatrixRef gradient) {
  const bool wanted = gradient.size() != 0;
  for (Index k = 0; k < w.cols(); k += kMostLanes) {
    const Index count = std::min(kMostLanes, w.cols() - k);
    Lanes lanes{w.middleCols(k, count), log_likelihood.segment(k, count),
                wanted ? gradient.middleCols(k, count) : gradient.leftCols(0)};
    wanted ? block_of_lanes<true>(rows, lanes) : block_of_lanes<false>(rows, lanes);
  }
}

}  // namespace gadwall
