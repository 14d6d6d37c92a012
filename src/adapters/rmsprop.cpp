#include "adapters/rmsprop.hpp"

#include <cmath>

#include "math/pack8.hpp"

namespace gadwall {
namespace {

constexpr Index kRows = 8;         // a pack
constexpr double kLargest = 1e18;  // of the gradient; its square is a float

/// One column of L. Held by value, so that the compiler knows that no store changes it.
struct Column {
  const float* left;   // products columns of n numbers
  const float* right;  // products numbers, n apart
  const float* units;
  Index n, products;
  float* moment;
  double* lower;
  Pack8 kept, fresh, rate;
};

void ascend_one(const Column& column, Index i) {
  float gradient = 0;
  for (Index c = 0; c < column.products; ++c) {
    gradient += column.left[c * column.n + i] * column.right[c * column.n];
  }
  float& square = column.moment[i];
  square = column.kept[0] * square + column.fresh[0] * gradient * gradient;
  column.lower[i] += column.units[i] * (column.rate[0] * gradient / (1 + std::sqrt(square)));
}

/// The gradient in rows i ... i + 8 V - 1. One product, the case of one chain, needs no sum.
template <int V>
GADWALL_INLINE void add_outer_products(const Column& column, Index i, Pack8 (&sum)[V]) {
  const Pack8 first = broadcast8(column.right[0]);
  for (Index v = 0; v < V; ++v) sum[v] = load8(column.left + i + kRows * v) * first;
  for (Index c = 1; c < column.products; ++c) {
    const float* a = column.left + c * column.n + i;
    const Pack8 b = broadcast8(column.right[c * column.n]);
    for (Index v = 0; v < V; ++v) sum[v] = multiply_add(load8(a + kRows * v), b, sum[v]);
  }
}

template <int V>
GADWALL_INLINE void ascend_packs(const Column& column, Index i, const Pack8 (&gradient)[V]) {
  for (Index v = 0; v < V; ++v) {
    float* moment = column.moment + i + kRows * v;
    const Pack8 square =
        multiply_add(gradient[v] * column.fresh, gradient[v], column.kept * load8(moment));
    store8(moment, square);
    const Pack8 step = column.rate * gradient[v] / (1.0F + sqrt8(square));
    add8(column.lower + i + kRows * v, load8(column.units + i + kRows * v) * step);
  }
}

template <int V>
GADWALL_INLINE void ascend_rows(const Column column, Index i) {
  Pack8 gradient[V];
  add_outer_products(column, i, gradient);
  ascend_packs(column, i, gradient);
}

/// kRows rows of which the first `skipped` lie above or on the diagonal: their gradient is 0.
GADWALL_INLINE void ascend_partly(const Column column, Index i, Index skipped) {
  static constexpr float window[2 * kRows] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
  Pack8 gradient[1];
  add_outer_products(column, i, gradient);
  gradient[0] *= load8(window + kRows - skipped);
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
  for (; i + 2 * kRows <= column.n; i += 2 * kRows) ascend_rows<2>(column, i);
  if (i < column.n) ascend_rows<1>(column, i);
}

}  // namespace

void RmspropTriangle::start(const Vector& units) {
  units_ = units;
  step_units_ = units.cast<float>();
  moment_.setZero(units.size(), units.size());
}

/// As floats: the right factors are at most 1, the left ones as large as the gradient may be.
bool RmspropTriangle::take(const OuterProducts& gradient) {
  const auto peak = [](const auto& column) { return column.template lpNorm<Eigen::Infinity>(); };
  double largest = 0;
  for (Index c = 0; c < gradient.count; ++c) {
    largest += peak(gradient.left.col(c).cwiseProduct(units_)) * peak(gradient.right.col(c));
  }
  if (!std::isfinite(largest)) return false;
  const double shrunk = largest > kLargest ? kLargest / largest : 1;
  left_.resize(gradient.left.rows(), gradient.left.cols());
  right_.resize(gradient.right.rows(), gradient.right.cols());
  for (Index c = 0; c < gradient.count; ++c) {
    const double top = peak(gradient.right.col(c));
    left_.col(c) = (shrunk * top * gradient.left.col(c).cwiseProduct(units_)).cast<float>();
    right_.col(c) = (gradient.right.col(c) / (top > 0 ? top : 1)).cast<float>();
  }
  return true;
}

void RmspropTriangle::ascend(const OuterProducts& gradient, const RmspropStep& step,
                             Matrix& lower) {
  if (!take(gradient)) return;
  const Index n = lower.rows();
  for (Index j = 0; j + 1 < n; ++j) {
    ascend_column(
        {left_.data(), right_.data() + j, step_units_.data(), n, gradient.count,
         moment_.data() + j * n, lower.data() + j * n, broadcast8(static_cast<float>(step.kept)),
         broadcast8(static_cast<float>(step.fresh)), broadcast8(static_cast<float>(step.rate))},
        j);
  }
}

void RmspropTriangle::archive(Archive& a) {
  a("units", units_);
  step_units_ = units_.cast<float>();
  Matrix moment = mean_squares();  // every float is a double
  a("second moment", moment);
  moment_ = moment.cast<float>();
}

}  // namespace gadwall
