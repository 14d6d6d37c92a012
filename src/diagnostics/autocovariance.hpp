// Autocovariances averaged over chains, computed as far as they are asked for.
#pragma once

#include <vector>

#include "gadwall/types.hpp"

namespace gadwall {

/// a_t = 1/m sum_c 1/n sum_i (x_ic - mean_c)(x_{i+t,c} - mean_c) for the m columns (chains) of an
/// n x m matrix. The first lags are plain dot products, which suffice for chains that mix well;
/// beyond, FFTs of blocks bring as many at once as are likely to be asked for.
class MeanAutocovariance {
 public:
  explicit MeanAutocovariance(Matrix chains);

  /// 0 <= lag < n
  double operator()(Index lag);

  const Vector& chain_means() const { return means_; }

 private:
  Index likely_lags(Index lag) const;
  void extend_by_products(Index lags);
  void extend_by_fft(Index lags);

  Matrix centred_;  // n x m
  Vector means_;    // m
  std::vector<double> values_;
};

}  // namespace gadwall
