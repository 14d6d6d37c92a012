// Autocovariances averaged over chains, by dot products and by FFT.
#include "diagnostics/autocovariance.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "diagnostics/lagged_products.hpp"
#include "diagnostics/moments.hpp"

namespace gadwall {
namespace {

// Products for chains that mix well: transforms of blocks cost as much as some 20 lags.
constexpr Index most_lags_by_products = 32;
constexpr Index least_lags_at_once = 8;
constexpr double slow = 0.5;  // a correlation that far away from which products are not tried
constexpr Index least_lags_by_fft = 1024;
constexpr Index growth_by_fft = 4;
constexpr Index piece = 1024;  // draws that stay in the first cache while the lags go over them
constexpr Index coarseness = 16;

// x_j = mean of draws 16 j, ..., 16 j + 15: the same chains as seen from afar.
Matrix means_of_sixteen(const Matrix& centred, const Vector& means) {
  const Index rows = centred.rows() / coarseness;
  Matrix coarse(rows, centred.cols());
  for (Index c = 0; c < centred.cols(); ++c) {
    const Eigen::Map<const Matrix> draws(centred.col(c).data(), coarseness, rows);
    coarse.col(c) = draws.colwise().mean().transpose().array() + means[c];
  }
  return coarse;
}

// The lag at which Geyer's sum of rho_t = 1 - (W - a_t) / var_plus ends (diagnostics/ess.cpp).
Index end_of_sum(MeanAutocovariance& a, Index rows) {
  const Vector& means = a.chain_means();
  const double spread = means.size() > 1 ? variance_of(means) : 0;
  const double above = spread - a(0) / static_cast<double>(rows - 1);  // var_plus - W
  Index t = 0;
  while (t + 3 < rows && a(t) + a(t + 1) + 2 * above > 0) t += 2;
  return t;
}

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
    const auto known = static_cast<Index>(values_.size());
    const bool is_slow = known > 0 && values_.back() > slow * values_.front();
    if (lag < most_lags_by_products && !(is_slow && centred_.rows() > least_lags_by_fft)) {
      const Index some_more = std::max(known, least_lags_at_once);
      extend_by_products(std::min({known + some_more, most_lags_by_products, centred_.rows()}));
    } else {
      extend_by_fft(std::min(likely_lags(lag), centred_.rows()));
    }
  }
  return values_[static_cast<std::size_t>(lag)];
}

// As many as Geyer's sum will ask for, foretold by that of chains of a sixteenth of the length.
Index MeanAutocovariance::likely_lags(Index lag) const {
  const auto known = static_cast<Index>(values_.size());
  const bool is_first = known <= most_lags_by_products;
  if (!is_first) return std::max(lag + 1, growth_by_fft * known);
  Index lags = std::max(lag + 1, least_lags_by_fft);
  const Index rows = centred_.rows() / coarseness;
  if (centred_.rows() > least_lags_by_fft) {
    MeanAutocovariance coarse(means_of_sixteen(centred_, means_));
    lags = std::max(lags, coarseness * (end_of_sum(coarse, rows) + 2));
  }
  return static_cast<Index>(std::bit_ceil(static_cast<std::size_t>(lags)));
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
