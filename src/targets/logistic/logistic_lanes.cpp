// Two ways through the rows, both in panels that stay in the cache between three steps: margins,
// residuals and sums, gradient. So the rows come from memory once, not twice.
//
// Few lanes (one or two at a time): a register holds four columns of one row; bound by the loads of
// the rows, so the next panel is fetched while this one is used.
// Many lanes (4, 8, 12 or 16 at a time): a register holds four lanes; bound by the FMAs.
//
// Few lanes of rows that can be coded have a way of their own, logistic_coded.cpp.
#include "targets/logistic/logistic_lanes.hpp"

#include <algorithm>

#include "math/panel_product.hpp"
#include "math/round_up.hpp"
#include "math/row_product.hpp"
#include "math/scratch.hpp"
#include "targets/logistic/logistic_coded.hpp"
#include "targets/logistic/logistic_sums.hpp"
#include "targets/logistic/rare_product.hpp"

namespace gadwall {
namespace {

constexpr Index kMostLanes = 16;
constexpr Index kFewLanes = 6;  // from 7 on, lanes side by side are faster, as measured

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

/// Weights and gradient of some lanes, by the padded columns and by the rare ones. All begin as 0.
struct LaneArrays {
  struct Shape {
    Index rows, cols;
  };
  LaneArrays(Vector& memory, Shape padded, Shape rare)
      : w(zeros(memory, 2 * (padded.rows * padded.cols + rare.rows * rare.cols)), padded.rows,
          padded.cols),
        gradient(w.data() + w.size(), padded.rows, padded.cols),
        rare_w(gradient.data() + gradient.size(), rare.rows, rare.cols),
        rare_gradient(rare_w.data() + rare_w.size(), rare.rows, rare.cols) {}

  Eigen::Map<Matrix> w, gradient, rare_w, rare_gradient;
};

/// Margins, sums and gradient of the L lanes from `lane` on, on one panel. A function of its own
/// in the machine code: the compiler then finds registers for all of it.
template <int L, bool residuals>
__attribute__((noinline)) void add_panel(const Panel& x, Index lane, LaneArrays& lanes,
                                         RowSums* sums, Index ahead) {
  constexpr Index most_rows = 4 * SignedRows::kRowGroup;
  alignas(32) double margins[L * most_rows];
  const LaneStrides strides{most_rows, lanes.rare_w.rows()};
  const Index rows = x.padded.rows, rounded = round_up(rows, SignedRows::kRowGroup);
  row_dots<L>({x.padded.data, rounded, x.padded.stride}, lanes.w.col(lane).data(), margins,
              most_rows);
  add_rare<L>(x.rare, lanes.rare_w.col(lane).data(), margins, strides);
  for (int l = 0; l < L; ++l) {
    double* margin = margins + l * most_rows;
    std::fill(margin + rows, margin + rounded, kSurely);
    sums[lane + l].add<residuals>(margin, rounded / SignedRows::kRowGroup);
  }
  if constexpr (residuals) {
    combine_rows<L>(x.padded, margins, most_rows, lanes.gradient.col(lane).data(), ahead);
    combine_rare<L>(x.rare, margins, lanes.rare_gradient.col(lane).data(), strides);
  }
}

template <bool residuals>
void few_lanes(const SignedRows& rows, Lanes& lanes) {
  thread_local Vector memory;
  const Index count = lanes.w.cols(), stride = rows.stride(), panel = few_lanes_panel(stride);
  LaneArrays arrays(memory, {stride, count}, {rows.rare.count(), count});
  rows.split(lanes.w, arrays.w, arrays.rare_w);
  RowSums sums[kFewLanes];
  for (Index i = 0; i < rows.rows; i += panel) {
    const Panel x = panel_of(rows, i, panel);
    Index ahead = i + 2 * panel <= rows.rows ? panel * stride : 0;
    Index lane = 0;
    for (; lane + 2 <= count; lane += 2, ahead = 0) {
      add_panel<2, residuals>(x, lane, arrays, sums, ahead);
    }
    if (lane < count) add_panel<1, residuals>(x, lane, arrays, sums, ahead);
  }
  for (Index k = 0; k < count; ++k) lanes.log_likelihood[k] = sums[k].sum();
  if constexpr (residuals) rows.join(arrays.gradient, arrays.rare_gradient, lanes.gradient);
}

/// Up to 4 V lanes; the lanes that are missing are computed with w = 0 and dropped.
template <int V, bool residuals>
void many_lanes(const SignedRows& rows, Lanes& lanes) {
  thread_local Vector memory, margin_memory;
  constexpr Index wide = Index{4} * V;
  const Index count = lanes.w.cols(), n = rows.width, stride = rows.stride();
  const Index panel = many_lanes_panel(stride);
  LaneArrays arrays(memory, {wide, n}, {wide, rows.rare.count()});
  const auto used = [&](auto& array) { return array.topRows(count).transpose(); };
  rows.split(lanes.w, used(arrays.w), used(arrays.rare_w));
  double* margins = scratch(margin_memory, wide * panel);
  MarginSums<V> sums;
  for (Index i = 0; i < rows.rows; i += panel) {
    const auto [x, rare] = panel_of(rows, i, panel);
    panel_product<V, false>({x.data, x.rows, n, stride, 1}, arrays.w.data(), margins);
    add_rare_side_by_side<V>(rare, arrays.rare_w.data(), margins);
    sums.template add<residuals>(margins, x.rows);
    if constexpr (residuals) {
      panel_product<V, true>({x.data, n, x.rows, 1, stride}, margins, arrays.gradient.data());
      combine_rare_side_by_side<V>(rare, margins, arrays.rare_gradient.data());
    }
  }
  alignas(32) double log_likelihood[wide];
  sums.store(log_likelihood);
  std::copy_n(log_likelihood, count, lanes.log_likelihood.data());
  if constexpr (residuals) {
    rows.join(used(arrays.gradient), used(arrays.rare_gradient), lanes.gradient);
  }
}

template <bool residuals>
void block_of_lanes(const SignedRows& rows, Lanes& lanes) {
  const auto count = static_cast<int>(lanes.w.cols());
  if (count <= kFewLanes && rows.coded) {
    add_up_coded(*rows.coded, lanes.w, lanes.log_likelihood, lanes.gradient);
  } else if (count <= kFewLanes) {
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
