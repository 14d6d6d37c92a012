#include "math/triangular.hpp"

#include <algorithm>

namespace gadwall {
namespace {

using Packet = Eigen::Array<double, 4, 1>;

Packet load(const double* from) {
  return Eigen::Map<const Packet>(from);
}

/// out += L v for the columns j ... j + 3 (fewer at the end) of L. Functions of their own in the
/// machine code, so that every product that is made of them rounds in the same way.
__attribute__((noinline)) void add_columns(const Matrix& lower, Index j, const double* __restrict v,
                                           double* __restrict out) {
  const Index n = lower.rows();
  if (j + 4 > n) {
    for (; j < n; ++j) {
      for (Index i = j; i < n; ++i) out[i] += lower(i, j) * v[j];
    }
    return;
  }
  const double* __restrict c0 = lower.data() + j * n;
  const double* __restrict c1 = c0 + n;
  const double* __restrict c2 = c1 + n;
  const double* __restrict c3 = c2 + n;
  const double v0 = v[j], v1 = v[j + 1], v2 = v[j + 2], v3 = v[j + 3];
  out[j] += c0[j] * v0;
  out[j + 1] += c0[j + 1] * v0 + c1[j + 1] * v1;
  out[j + 2] += c0[j + 2] * v0 + c1[j + 2] * v1 + c2[j + 2] * v2;
  for (Index i = j + 3; i < n; ++i) out[i] += c0[i] * v0 + c1[i] * v1 + c2[i] * v2 + c3[i] * v3;
}

/// out[j] ... out[j + 3] (fewer at the end) = these columns of L times g.
__attribute__((noinline)) void dot_columns(const Matrix& lower, Index j, const double* __restrict g,
                                           double* __restrict out) {
  const Index n = lower.rows();
  if (j + 4 > n) {
    for (; j < n; ++j) {
      out[j] = 0;
      for (Index i = j; i < n; ++i) out[j] += lower(i, j) * g[i];
    }
    return;
  }
  const double* c0 = lower.data() + j * n;
  const double* c1 = c0 + n;
  const double* c2 = c1 + n;
  const double* c3 = c2 + n;
  Packet s0 = Packet::Zero(), s1 = s0, s2 = s0, s3 = s0;
  Index i = j + 3;  // rows j + 3 and below belong to all four columns
  for (; i + 4 <= n; i += 4) {
    const Packet x = load(g + i);
    s0 += load(c0 + i) * x;
    s1 += load(c1 + i) * x;
    s2 += load(c2 + i) * x;
    s3 += load(c3 + i) * x;
  }
  double sums[4] = {s0.sum(), s1.sum(), s2.sum(), s3.sum()};
  for (; i < n; ++i) {
    sums[0] += c0[i] * g[i];
    sums[1] += c1[i] * g[i];
    sums[2] += c2[i] * g[i];
    sums[3] += c3[i] * g[i];
  }
  out[j] = sums[0] + c0[j] * g[j] + c0[j + 1] * g[j + 1] + c0[j + 2] * g[j + 2];
  out[j + 1] = sums[1] + c1[j + 1] * g[j + 1] + c1[j + 2] * g[j + 2];
  out[j + 2] = sums[2] + c2[j + 2] * g[j + 2];
  out[j + 3] = sums[3];
}

}  // namespace

void lower_times(const Matrix& lower, const double* v, double* out) {
  std::fill_n(out, lower.rows(), 0.0);
  for (Index j = 0; j < lower.rows(); j += 4) add_columns(lower, j, v, out);
}

void lower_transpose_times(const Matrix& lower, const double* g, double* out) {
  for (Index j = 0; j < lower.rows(); j += 4) dot_columns(lower, j, g, out);
}

void lower_both_times(const Matrix& lower, const double* g, double half, const BothProducts& both) {
  const Index n = lower.rows();
  std::fill_n(both.moved, n, 0.0);
  for (Index j = 0; j < n; j += 4) {
    dot_columns(lower, j, g, both.whitened);
    for (Index i = j; i < std::min(j + 4, n); ++i) both.move[i] += half * both.whitened[i];
    add_columns(lower, j, both.move, both.moved);
  }
}

}  // namespace gadwall
