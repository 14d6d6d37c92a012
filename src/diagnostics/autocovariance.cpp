// Autocovariances averaged over chains, by dot products and by FFT.
#include "diagnostics/autocovariance.hpp"

#include <algorithm>
#include <complex>
#include <unsupported/Eigen/FFT>
#include <utility>

#include "diagnostics/moments.hpp"

namespace gadwall {
namespace {

// A guess, not tuned: chains that mix well need fewer lags than this, and products of pieces are
// cheap; beyond, FFTs bring many lags at once.
constexpr Index most_lags_by_products = 256;
constexpr Index least_lags_at_once = 8;
constexpr Index most_lags_at_once = 64;
constexpr Index piece = 1024;  // draws that stay in the first cache while the lags go over them

using ComplexVector = std::vector<std::complex<double>>;

// The smallest 2^a 3^b 5^c that is not below size: lengths the FFT has fast steps for.
Index good_fft_size(Index size) {
  const auto leaves_one = [](Index n) {
    for (const Index factor : {2, 3, 5}) {
      while (n % factor == 0) n /= factor;
    }
    return n == 1;
  };
  while (!leaves_one(size)) ++size;
  return size;
}

void transform(ComplexVector& output, const ComplexVector& input) {
  thread_local Eigen::FFT<double> fft;  // keeps the twiddle factors of every length it has met
  fft.fwd(output.data(), input.data(), static_cast<Index>(input.size()));
}

// sum_c |F x_c|^2 for columns padded with zeros. Two real chains a, b share one transform, of
// z = a + i b: |A_k|^2 + |B_k|^2 = (|Z_k|^2 + |Z_{-k}|^2) / 2. The symmetrisation is left to
// the caller, who takes a real part.
ComplexVector power_spectrum(const Matrix& columns, std::size_t fft_size) {
  ComplexVector power(fft_size), padded(fft_size), transformed(fft_size);
  for (Index c = 0; c < columns.cols(); c += 2) {
    const bool paired = c + 1 < columns.cols();
    for (Index i = 0; i < columns.rows(); ++i) {
      padded[static_cast<std::size_t>(i)] = {columns(i, c), paired ? columns(i, c + 1) : 0.0};
    }
    transform(transformed, padded);
    for (std::size_t k = 0; k < fft_size; ++k) power[k] += std::norm(transformed[k]);
  }
  return power;
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
    const auto next = static_cast<Index>(values_.size());
    const Index some = centred_.rows() / 8;
    if (next < most_lags_by_products) {
      const Index some_more = std::clamp(next, least_lags_at_once, most_lags_at_once);
      extend_by_products(std::min({next + some_more, most_lags_by_products, centred_.rows()}));
    } else {
      extend_by_fft(lag < some ? some : centred_.rows());
    }
  }
  return values_[static_cast<std::size_t>(lag)];
}

void MeanAutocovariance::extend_by_products(Index lags) {
  const auto first = static_cast<Index>(values_.size());
  Vector sums = Vector::Zero(lags - first);
  for (Index c = 0; c < centred_.cols(); ++c) add_products(centred_.col(c), first, sums);
  for (const double sum : sums) values_.push_back(sum / static_cast<double>(centred_.size()));
}

void MeanAutocovariance::extend_by_fft(Index lags) {
  // Padding by lags - 1 zeros keeps the products that wrap around out of the lags wanted.
  const auto fft_size = static_cast<std::size_t>(good_fft_size(centred_.rows() + lags - 1));
  const ComplexVector power = power_spectrum(centred_, fft_size);
  // The power is real, so the real parts of the transform and of its inverse are the same.
  ComplexVector sums(fft_size);
  transform(sums, power);
  const double scale = 1.0 / (static_cast<double>(fft_size) * static_cast<double>(centred_.size()));
  for (std::size_t t = values_.size(); t < static_cast<std::size_t>(lags); ++t) {
    values_.push_back(sums[t].real() * scale);
  }
}

}  // namespace gadwall
