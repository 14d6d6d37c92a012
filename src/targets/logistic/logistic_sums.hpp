// From margins to residuals and log likelihood, many at a time and with hardly any logarithm.
#pragma once

#include <Eigen/Core>
#include <cmath>

#include "math/vector_exp.hpp"

namespace gadwall {

/// log p = -sum log(1 + e^-m) = sum min(m, 0) - log prod (1 + t), with t = e^-|m|. The product of
/// 1000 factors in [1, 2] does not overflow, so one logarithm serves 1000 margins. What is kept is
/// the product less one, P' = P (1 + t) + t: where all t are tiny it is their sum, to full relative
/// accuracy, and log1p(P) is then as good as a sum of log1p(t).
///
/// Each of the 4 V positions has sums of its own.
template <int V>
class MarginSums {
 public:
  static constexpr Eigen::Index kPositions = 4 * V;

  /// margins: steps x 4 V numbers. Where residuals are wanted they replace the margins:
  /// q = 1 / (1 + e^m), which is t / (1 + t) for m > 0 and 1 / (1 + t) for m < 0.
  template <bool residuals>
  void add(double* margins, Eigen::Index steps) {
    while (steps > 0) {
      if (room_ == 0) take_logarithms();
      const Eigen::Index now = steps < room_ ? steps : room_;
      multiply<residuals>(margins, now);
      margins += now * 4 * V;
      steps -= now;
      room_ -= now;
    }
  }

  /// The log likelihood at each of the positions.
  void store(double* log_likelihood) {
    take_logarithms();
    for (int v = 0; v < V; ++v) store4(log_likelihood + 4 * v, total_[v]);
  }

  /// ... and their sum.
  double sum() {
    take_logarithms();
    double result = 0;
    for (int v = 0; v < V; ++v) result += sum4(total_[v]);
    return result;
  }

 private:
  static constexpr Eigen::Index kFactors = 1000;

  template <bool residuals>
  GADWALL_INLINE void multiply(double* margins, Eigen::Index steps) {
    Pack4 product[V], total[V];  // in registers, as far as they go
    for (int v = 0; v < V; ++v) {
      product[v] = product_less_one_[v];
      total[v] = total_[v];
    }
    for (Eigen::Index step = 0; step < steps; ++step, margins += 4 * V) {
      one_step<residuals>(margins, product, total);
    }
    for (int v = 0; v < V; ++v) {
      product_less_one_[v] = product[v];
      total_[v] = total[v];
    }
  }

  template <bool residuals>
  static GADWALL_INLINE void one_step(double* margins, Pack4* product, Pack4* total) {
    Pack4 tail[V];
    for (int v = 0; v < V; ++v) tail[v] = negative_abs(load4(margins + 4 * v));
    exp_nonpositive(tail);
    for (int v = 0; v < V; ++v) {
      const Pack4 margin = load4(margins + 4 * v);
      const Pack4 factor = tail[v] + 1.0;
      product[v] = multiply_add(product[v], factor, tail[v]);
      total[v] += min4(margin, Pack4{});
      if constexpr (residuals) {
        const Pack4 numerator = margin < 0.0 ? broadcast(1) : tail[v];
        store4(margins + 4 * v, numerator / factor);
      }
    }
  }

  void take_logarithms() {
    for (int v = 0; v < V; ++v) {
      for (int i = 0; i < 4; ++i) total_[v][i] -= std::log1p(product_less_one_[v][i]);
      product_less_one_[v] = Pack4{};
    }
    room_ = kFactors;
  }

  Pack4 product_less_one_[V] = {};
  Pack4 total_[V] = {};
  Eigen::Index room_ = kFactors;
};

constexpr double kSurely = 1000;  // a margin that adds nothing: e^-1000 = 0
using RowSums = MarginSums<4>;    // of one lane, 16 rows at a time

}  // namespace gadwall
