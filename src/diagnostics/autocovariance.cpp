// Autocovariances averaged over chains, by dot products and by FFT.
#include "diagnostics/autocovariance.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "diagnostics/lagged_products.hpp"
#include "diagnostics/moments.hpp"

namespace gadwall {
namespace {

// Measured with 8 x 125,000 values, in ns per value: 8, 16, 32 lags by products .5, 1, 2; 1024,
// 8192, 65536 lags by transforms of blocks 2, 5, 15. So products for chains that mix well, and then
// not more transforms than are needed.
constexpr Index most_lags_by_products = 32;
constexpr Index least_lags_at_once = 8;
constexpr Index least_lags_by_fft = 1024;
constexpr Index growth_by_fft = 4;
constexpr Index piece = 1024;  // draws that stay in the first cache while the lags go over them

// sums_k += sum_i x_i x_{i + first + k}. Piece by piece, all lags at once: the shifted copies of a
// piece are the columns of a Hankel matrix, which lies in x with a stride of one.
void add_products(ConstVectorRef x, Index first, Vector& sums) {
  using Shifted = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>;
  const Index lags = sums.size();
  Index from = 0;
  for (; from + piece + first + lags <= x.size(); from += piece) {
    const Shifted shifted(x.data() + from + first, piece, lags, Eigen::OuterStride<>(1));
    sums.noalias() += shifted.transpose() * x.segment(from, piece);
  }
  for (Index k = 0; k < lags; ++k) {
    const Index length = x.size() - from - first - k;
    if (length > 0) sums[k] += x.segment(from, length).dot(x.tail(length));
  }
}

}  // namespace

MeanAutocovariance::MeanAutocovariance(Matrix chains)
    : centred_(std::move(chains)), means_(centred_.cols()) {
  for (Index c = 0; c < centred_.cols(); ++c) {
    means_[c] = mean_of(centred_.col(c));
    centred_.col(c).array() -= means_[c];
  }
}

double MeanAutocovariance::operator()(Index lag) {
  while (lag >= static_cast<Index>(values_.size())) {
    if (lag < most_lags_by_products) {
      const auto next = static_cast<Index>(values_.size());
      const Index some_more = std::max(next, least_lags_at_once);
      extend_by_products(std::min({next + some_more, most_lags_by_products, centred_.rows()}));
    } else {
      extend_by_fft(std::min(likely_lags(lag), centred_.rows()));
    }
  }
  return values_[static_cast<std::size_t>(lag)];
}

// As many as Geyer's sum will ask for, if correlations go on to fall as they did so far: exp(-t/T)
// is lost in the noise after a few T.
Index MeanAutocovariance::likely_lags(Index lag) const {
  Index lags = least_lags_by_fft;
  const auto known = static_cast<Index>(values_.size());
  const double last = known > 1 ? values_.back() / values_.front() : 0;
  const double time = last > 0 && last < 1 ? -static_cast<double>(known - 1) / std::log(last) : 0;
  while (lags <= lag || static_cast<double>(lags) < 4 * time) lags *= growth_by_fft;
  return lags;
}

void MeanAutocovariance::extend_by_products(Index lags) {
  const auto first = static_cast<Index>(values_.size());
  Vector sums = Vector::Zero(lags - first);
  for (Index c = 0; c < centred_.cols(); ++c) add_products(centred_.col(c), first, sums);
  for (const double sum : sums) values_.push_back(sum / static_cast<double>(centred_.size()));
}

void MeanAutocovariance::extend_by_fft(Index lags) {
  const Vector sums = lagged_products(centred_, lags);
  for (auto t = static_cast<Index>(values_.size()); t < lags; ++t) {
    values_.push_back(sums[t] / static_cast<double>(centred_.size()));
  }
}

}  // namespace gadwall
