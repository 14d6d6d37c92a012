// With v_j = step_j w_j and o = usual . w the margin of row i is s_i o + code_i . v, and with its
// residual q_i the gradient is sum_i q_i (s_i usual + step * code_i). Codes become doubles on their
// way into a register, for the margins and again for the gradient: a panel of doubles would be four
// times as large and leave the first-level cache.
#include "targets/logistic/logistic_coded.hpp"

#include <algorithm>

#include "math/pack4.hpp"
#include "math/scratch.hpp"
#include "math/with_constant.hpp"
#include "targets/logistic/logistic_sums.hpp"

namespace gadwall {
namespace {

constexpr int kMostLanes = 4;

/// Four codes as doubles. The way by 8-byte integers has one step less that moves numbers between
/// lanes, of which a processor starts one a cycle.
GADWALL_INLINE Pack4 widen4(const std::int16_t* codes) {
#ifdef GADWALL_AVX2
  const __m128i four = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes));
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
  return _mm256_cvtepi64_pd(_mm256_cvtepi16_epi64(four));
#else
  return _mm256_cvtepi32_pd(_mm_cvtepi16_epi32(four));
#endif
#else
  return Pack4{double(codes[0]), double(codes[1]), double(codes[2]), double(codes[3])};
#endif
}

/// v and o of L lanes, and the sums that make up their gradients.
template <int L>
struct CodedLanes {
  CodedLanes(const CodedRows& rows, ConstMatrixRef w, Vector& memory)
      : v(zeros(memory, 2 * L * rows.padded_columns()), rows.padded_columns(), L),
        code_sums(v.data() + v.size(), v.rows(), L) {
    for (int l = 0; l < L; ++l) {
      v.col(l).head(w.rows()) = rows.step().cwiseProduct(w.col(l));
      usual[l] = rows.usual().dot(w.col(l));
    }
  }

  Eigen::Map<Matrix> v, code_sums;     // padded columns x L: v; sum_i q_i code_i
  double usual[L], sign_sums[L] = {};  // o; sum_i q_i s_i
  RowSums sums[L];
};

template <int L>
GADWALL_INLINE void add_block(const CodedRow& row, std::size_t block, const Eigen::Map<Matrix>& v,
                              Pack4 (&sum)[L]) {
  const Pack4 codes = widen4(row.codes + 4 * block);
  const double* at = v.data() + 4 * Index{row.places[block]};
  for (int l = 0; l < L; ++l, at += v.rows()) sum[l] = multiply_add(codes, load4(at), sum[l]);
}

/// code . v of each lane. Four sums in all, or nearly, hide the latency of the FMAs.
template <int L>
GADWALL_INLINE void dot_codes(const CodedRow& row, const Eigen::Map<Matrix>& v, double (&dots)[L]) {
  constexpr std::size_t U = 4 / L;
  Pack4 sum[U][L] = {};
  std::size_t block = 0;
  for (; block + U <= row.blocks; block += U) {
    for (std::size_t u = 0; u < U; ++u) add_block<L>(row, block + u, v, sum[u]);
  }
  for (; block < row.blocks; ++block) add_block<L>(row, block, v, sum[0]);
  for (int l = 0; l < L; ++l) {
    for (std::size_t u = 1; u < U; ++u) sum[0][l] += sum[u][l];
    dots[l] = sum4(sum[0][l]);
  }
}

/// code_sums += q code of each lane.
template <int L>
GADWALL_INLINE void add_codes(const CodedRow& row, const double (&q)[L], Eigen::Map<Matrix>& sums) {
  Pack4 factor[L];
  for (int l = 0; l < L; ++l) factor[l] = broadcast(q[l]);
  for (std::size_t block = 0; block < row.blocks; ++block) {
    const Pack4 codes = widen4(row.codes + 4 * block);
    double* at = sums.data() + 4 * Index{row.places[block]};
    for (int l = 0; l < L; ++l, at += sums.rows()) {
      store4(at, multiply_add(codes, factor[l], load4(at)));
    }
  }
}

/// Margins, sums and gradient of one panel of rows.
template <int L, bool residuals>
void add_panel(const CodedRows& rows, Index first, CodedLanes<L>& lanes) {
  alignas(32) double margins[L][RowSums::kPositions];
  const Index count = std::min(RowSums::kPositions, rows.signs().size() - first);
  for (Index i = 0; i < count; ++i) {
    double dots[L];
    dot_codes<L>(rows.row(first + i), lanes.v, dots);
    for (int l = 0; l < L; ++l) margins[l][i] = dots[l] + rows.signs()[first + i] * lanes.usual[l];
  }
  for (int l = 0; l < L; ++l) {
    std::fill(margins[l] + count, margins[l] + RowSums::kPositions, kSurely);
    lanes.sums[l].template add<residuals>(margins[l], 1);
  }
  if constexpr (!residuals) return;
  for (Index i = 0; i < count; ++i) {
    double q[L];
    for (int l = 0; l < L; ++l) q[l] = margins[l][i];
    add_codes<L>(rows.row(first + i), q, lanes.code_sums);
    for (int l = 0; l < L; ++l) lanes.sign_sums[l] += rows.signs()[first + i] * q[l];
  }
}

template <int L, bool residuals>
void some_lanes(const CodedRows& rows, ConstMatrixRef w, VectorRef log_likelihood,
                MatrixRef gradient, Vector& memory) {
  CodedLanes<L> lanes(rows, w, memory);
  for (Index i = 0; i < rows.signs().size(); i += RowSums::kPositions) {
    add_panel<L, residuals>(rows, i, lanes);
  }
  for (int l = 0; l < L; ++l) log_likelihood[l] = lanes.sums[l].sum();
  if constexpr (!residuals) return;
  for (int l = 0; l < L; ++l) {
    gradient.col(l) = rows.step().cwiseProduct(lanes.code_sums.col(l).head(w.rows())) +
                      lanes.sign_sums[l] * rows.usual();
  }
}

}  // namespace

void add_up_coded(const CodedRows& rows, ConstMatrixRef w, VectorRef log_likelihood,
                  MatrixRef gradient) {
  thread_local Vector memory;
  scratch(memory, 2 * kMostLanes * rows.padded_columns());  // enough for calls of any lanes
  const bool wanted = gradient.size() != 0;
  for (Index k = 0; k < w.cols(); k += kMostLanes) {
    with_constant<kMostLanes>(
        static_cast<int>(std::min<Index>(kMostLanes, w.cols() - k)), [&](auto lanes) {
          constexpr int L = lanes();
          const auto sums = log_likelihood.segment<L>(k);
          wanted ? some_lanes<L, true>(rows, w.middleCols<L>(k), sums, gradient.middleCols<L>(k),
                                       memory)
                 : some_lanes<L, false>(rows, w.middleCols<L>(k), sums, gradient, memory);
        });
  }
}

}  // namespace gadwall
