// Two ways through the rows, both in panels that stay in the cache between three steps: margins,
// residuals and sums, gradient. So the rows come from memory once, not twice.
//
// Few lanes (one or two at a time): a register holds four columns of one row; bound by the loads of
// the rows, so the next panel is fetched while this one is used.
// Many lanes (4, 8, 12 or 16 at a time): a register holds four lanes; bound by the FMAs.
#include "targets/logistic_lanes.hpp"

#include <algorithm>

#include "math/panel_product.hpp"
#include "math/round_up.hpp"
#include "math/row_product.hpp"
#include "targets/logistic_sums.hpp"
#include "targets/rare_product.hpp"

namespace gadwall {
namespace {

constexpr Index kMostLanes = 16;
constexpr Index kFewLanes = 6;    // from 7 on, lanes side by side are faster, as measured
constexpr double kSurely = 1000;  // a margin that adds nothing: e^-1000 = 0

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
  constexpr Index numbers = 2048;
  return std::clamp<Index>(numbers / stride / SignedRows::kRowGroup, 1, 4) * SignedRows::kRowGroup;
}

/// Rows of a panel: it should fit well into the second-level cache (66 KB of 512 for 86 columns);
/// longer panels save reads and writes of the gradient.
Index many_lanes_panel(Index stride) {
  constexpr Index numbers = 16384;
  return std::clamp<Index>(numbers / stride / 12, 2, 8) * 12;
}

using RowSums = MarginSums<4>;  // 16 rows at a time

/// Of one panel: its numbers, whose memory goes on to a whole row group, and its list.
struct Panel {
  RowPanel padded;
  RarePanel rare;
};

Panel panel_of(const SignedRows& rows, Index first, Index most) {
  const Index now = std::min(most, rows.rows - first);
  return {{rows.padded.data() + first * rows.stride(), now, rows.stride()},
          {rows.rare.of_rows(first, now), first}};
}

/// Weights or a gradient: lanes are `stride` apart by padded columns, and by rare ones.
struct ByColumns {
  double* padded;
  double* rare;
};

/// Margins, sums and gradient of L lanes on one panel. A function of its own in the machine code:
/// the compiler then finds registers for all of it.
template <int L, bool residuals>
__attribute__((noinline)) void add_panel(const Panel& x, const ByColumns& w,
                                         const ByColumns& gradient, Index rare_stride,
                                         RowSums* sums, Index ahead) {
  constexpr Index most_rows = 4 * SignedRows::kRowGroup;
  alignas(32) double margins[L * most_rows];
  const LaneStrides lanes{most_rows, rare_stride};
  const Index rows = x.padded.rows, rounded = round_up(rows, SignedRows::kRowGroup);
  row_dots<L>({x.padded.data, rounded, x.padded.stride}, w.padded, margins, most_rows);
  add_rare<L>(x.rare, w.rare, margins, lanes);
  for (int lane = 0; lane < L; ++lane) {
    double* margin = margins + lane * most_rows;
    std::fill(margin + rows, margin + rounded, kSurely);
    sums[lane].add<residuals>(margin, rounded / SignedRows::kRowGroup);
  }
  if constexpr (residuals) {
    combine_rows<L>(x.padded, margins, most_rows, gradient.padded, ahead);
    combine_rare<L>(x.rare, margins, gradient.rare, lanes);
  }
}

template <bool residuals>
void few_lanes(const SignedRows& rows, Lanes& lanes) {
  thread_local Vector memory;
  const Index count = lanes.w.cols(), stride = rows.stride(), rare = rows.rare.count();
  const Index panel = few_lanes_panel(stride);
  double* start = scratch(memory, 2 * kFewLanes * (stride + rare));
  Eigen::Map<Matrix> w(start, stride, count), gradient(w.data() + w.size(), stride, count);
  Eigen::Map<Matrix> rare_w(gradient.data() + w.size(), rare, count);
  Eigen::Map<Matrix> rare_gradient(rare_w.data() + rare_w.size(), rare, count);
  w.bottomRows(stride - rows.width).setZero();
  rows.split(lanes.w, w, rare_w);
  gradient.setZero();
  rare_gradient.setZero();
  const auto lane_of = [&](auto& padded, auto& of_rare, Index lane) {
    return ByColumns{padded.data() + lane * stride, of_rare.data() + lane * rare};
  };
  RowSums sums[kFewLanes];
  for (Index i = 0; i < rows.rows; i += panel) {
    const Panel x = panel_of(rows, i, panel);
    Index ahead = i + 2 * panel <= rows.rows ? panel * stride : 0;
    Index lane = 0;
    for (; lane + 2 <= count; lane += 2, ahead = 0) {
      add_panel<2, residuals>(x, lane_of(w, rare_w, lane), lane_of(gradient, rare_gradient, lane),
                              rare, sums + lane, ahead);
    }
    if (lane < count) {
      add_panel<1, residuals>(x, lane_of(w, rare_w, lane), lane_of(gradient, rare_gradient, lane),
                              rare, sums + lane, ahead);
    }
  }
  for (Index k = 0; k < count; ++k) lanes.log_likelihood[k] = sums[k].sum();
  if constexpr (residuals) rows.join(gradient, rare_gradient, lanes.gradient);
}

/// Up to 4 V lanes; the lanes that are missing are computed with w = 0 and dropped.
template <int V, bool residuals>
void many_lanes(const SignedRows& rows, Lanes& lanes) {
  thread_local Vector memory, margin_memory;
  const Index count = lanes.w.cols(), n = rows.width, stride = rows.stride();
  const Index panel = many_lanes_panel(stride), rare = rows.rare.count();
  Eigen::Map<Matrix> w(scratch(memory, 2 * kMostLanes * (n + rare)), 4 * V, n);
  Eigen::Map<Matrix> gradient(w.data() + w.size(), 4 * V, n);
  Eigen::Map<Matrix> rare_w(gradient.data() + w.size(), 4 * V, rare);
  Eigen::Map<Matrix> rare_gradient(rare_w.data() + rare_w.size(), 4 * V, rare);
  double* margins = scratch(margin_memory, kMostLanes * panel);
  w.setZero();
  rare_w.setZero();
  rows.split(lanes.w, w.topRows(count).transpose(), rare_w.topRows(count).transpose());
  gradient.setZero();
  rare_gradient.setZero();
  MarginSums<V> sums;
  for (Index i = 0; i < rows.rows; i += panel) {
    const auto [x, entries] = panel_of(rows, i, panel);
    panel_product<V, false>({x.data, x.rows, n, stride, 1}, w.data(), margins);
    add_rare_side_by_side<V>(entries, rare_w.data(), margins);
    sums.template add<residuals>(margins, x.rows);
    if constexpr (residuals) {
      panel_product<V, true>({x.data, n, x.rows, 1, stride}, margins, gradient.data());
      combine_rare_side_by_side<V>(entries, margins, rare_gradient.data());
    }
  }
  alignas(32) double log_likelihood[4 * V];
  sums.store(log_likelihood);
  std::copy_n(log_likelihood, count, lanes.log_likelihood.data());
  if constexpr (residuals) {
    rows.join(gradient.topRows(count).transpose(), rare_gradient.topRows(count).transpose(),
              lanes.gradient);
  }
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

}  // namespace

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
