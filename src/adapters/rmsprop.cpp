#include "adapters/rmsprop.hpp"

#include <cmath>

#include "math/vector_root.hpp"

namespace gadwall {
namespace {

constexpr Index kRows = 8;     // two packs
constexpr int kMostPacks = 4;  // enough to hide latencies, few enough for the registers
constexpr Index kMostRows = Index{4} * kMostPacks;

/// One column of L. Held by value, so that the compiler knows that no store changes it.
struct Column {
  const double* left;   // products columns of n numbers
  const double* right;  // products numbers, n apart
  Index n, products;
  double* moment;
  double* lower;
  Pack4 kept, fresh, rate;
};

void ascend_one(const Column& column, Index i) {
  double gradient = 0;
  for (Index c = 0; c < column.products; ++c) {
    gradient += column.left[c * column.n + i] * column.right[c * column.n];
  }
  double& square = column.moment[i];
  square = column.kept[0] * square + column.fresh[0] * gradient * gradient;
  column.lower[i] += column.rate[0] * gradient / (1 + std::sqrt(square));
}

/// The gradient in rows i ... i + 4 V - 1. One product, the case of one chain, needs no sum.
template <int V>
GADWALL_INLINE void add_outer_products(const Column& column, Index i, Pack4 (&sum)[V]) {
  const Pack4 first = broadcast(column.right[0]);
  for (Index v = 0; v < V; ++v) sum[v] = load4(column.left + i + 4 * v) * first;
  for (Index c = 1; c < column.products; ++c) {
    const double* a = column.left + c * column.n + i;
    const Pack4 b = broadcast(column.right[c * column.n]);
    for (Index v = 0; v < V; ++v) sum[v] = multiply_add(load4(a + 4 * v), b, sum[v]);
  }
}

template <int V>
GADWALL_INLINE void ascend_packs(const Column& column, Index i, const Pack4 (&gradient)[V]) {
  Pack4 square[V], quotient[V];
  for (Index v = 0; v < V; ++v) {
    double* moment = column.moment + i + 4 * v;
    square[v] = multiply_add(gradient[v] * column.fresh, gradient[v], column.kept * load4(moment));
    store4(moment, square[v]);
  }
  one_over_one_plus_root(square, quotient);
  for (Index v = 0; v < V; ++v) {
    double* lower = column.lower + i + 4 * v;
    store4(lower, multiply_add(gradient[v] * column.rate, quotient[v], load4(lower)));
  }
}

template <int V>
GADWALL_INLINE void ascend_rows(const Column column, Index i) {
  Pack4 gradient[V];
  add_outer_products(column, i, gradient);
  ascend_packs(column, i, gradient);
}

/// kRows rows of which the first `skipped` lie above or on the diagonal: their gradient is 0.
GADWALL_INLINE void ascend_partly(const Column column, Index i, Index skipped) {
  static constexpr double window[2 * kRows] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
  const double* mask = window + kRows - skipped;
  Pack4 gradient[2];
  add_outer_products(column, i, gradient);
  for (Index v = 0; v < 2; ++v) gradient[v] *= load4(mask + 4 * v);
  ascend_packs(column, i, gradient);
}

/// The rows are counted from the bottom, so that what does not fill a block is at the top, where a
/// block may reach above the diagonal.
void ascend_column(const Column column, Index j) {
  Index i = j + 1;
  const Index odd = (column.n - i) % kRows;
  if (odd > 0 && i + odd >= kRows) {
    ascend_partly(column, i + odd - kRows, kRows - odd);
    i += odd;
  } else {
    for (const Index end = i + odd; i < end; ++i) ascend_one(column, i);
  }
  for (; i + kMostRows <= column.n; i += kMostRows) ascend_rows<kMostPacks>(column, i);
  if (i < column.n) ascend_rows<2>(column, i);
}

}  // namespace

void ascend_below_diagonal(const OuterProducts& gradient, const RmspropStep& step, Matrix& moment,
                           Matrix& lower) {
  const Index n = lower.rows();
  for (Index j = 0; j + 1 < n; ++j) {
    ascend_column(
        {gradient.left.data(), gradient.right.data() + j, n, gradient.count, moment.data() + j * n,
         lower.data() + j * n, broadcast(step.kept), broadcast(step.fresh), broadcast(step.rate)},
        j);
  }
}

}  // namespace gadwall
