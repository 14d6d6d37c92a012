// Autocovariances of zeros and ones, counted in words of 64 bits.
#pragma once

#include <cstdint>
#include <vector>

#include "gadwall/types.hpp"

namespace gadwall {

/// What MeanAutocovariance computes, for the indicators value <= limit of an n x m matrix: with
/// b in {0, 1} and mean p,
///
///   sum_i (b_i - p)(b_{i+t} - p) = #{i: b_i b_{i+t} = 1} - p (sum_{i < n-t} b_i + sum_{i >= t}
///   b_i)
///                                  + (n - t) p^2.
///
/// A lag costs n / 64 steps.
class IndicatorAutocovariance {
 public:
  IndicatorAutocovariance(const Matrix& values, double limit);

  /// 0 <= lag < n
  double operator()(Index lag) const;

  const Vector& chain_means() const { return means_; }
  bool is_constant() const;

 private:
  using Words = std::vector<std::uint64_t>;

  Index rows_;
  std::vector<Words> chains_;  // bit i of word w: draw 64 w + i; zeros behind the last
  std::vector<Index> ones_;    // of each chain
  Vector means_;               // p = ones / rows
};

}  // namespace gadwall
