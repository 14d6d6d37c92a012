// Sums of products at many lags, by FFTs of blocks.
//
// A column is cut into blocks b_0, b_1, ... of B values. For k < B the products that begin in b_j
// end in b_j or b_{j+1}, so with transforms X_j of 2B points, b_j and then B zeros,
//
//   sum_i x_i x_{i+k}  is the inverse transform of  sum_j conj(X_j) (X_j + (-1)^f X_{j+1}).
//
// The X_j at even f are the transform of b_j of B points, those at odd f that of b_j(i) w^i with
// w = exp(-i pi / B): no zero is ever transformed. Frequencies stay in the order in which the
// forward transform leaves them and the inverse takes them. Eight streams (columns, or pieces of
// them) go through the same steps: four lanes, each the real and the imaginary part of a complex
// number; the real part of the inverse of conj(Z) Z' is the sum of both streams' products.
#include "diagnostics/lagged_products.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <vector>

#include "diagnostics/lane_fft.hpp"

namespace gadwall {
namespace {

constexpr Index kStreams = 8;

using namespace lane_fft;

/// What is left of a column where a stream begins.
struct Stream {
  const double* values = nullptr;
  Index count = 0;
};

using Streams = std::array<Stream, kStreams>;

bool reach(const Streams& streams, Index from) {
  return std::ranges::any_of(streams, [=](const Stream& s) { return s.count > from; });
}

/// Draws from, from + 1, ... of all streams, each times its factor where there are factors.
void load(const Streams& streams, Index from, const Factor1* factors, std::span<Lanes> block) {
  const auto size = static_cast<Index>(block.size());
  static constexpr double nothing = 0;
  std::array<const double*, kStreams> values{};
  std::array<Index, kStreams> counts{};
  for (std::size_t s = 0; s < streams.size(); ++s) {
    counts[s] = std::clamp<Index>(streams[s].count - from, 0, size);
    values[s] = counts[s] > 0 ? streams[s].values + from : &nothing;
  }
  const auto put = [&](Index i, const std::array<double, kStreams>& v) {
    const auto at = static_cast<std::size_t>(i);
    const Lanes x = {Pack4{v[0], v[2], v[4], v[6]}, Pack4{v[1], v[3], v[5], v[7]}};
    block[at] = factors == nullptr ? x : times(x, factors[at]);
  };
  const auto [least, most] = std::ranges::minmax(counts);
  for (Index i = 0; i < least; ++i) {
    put(i, {values[0][i], values[1][i], values[2][i], values[3][i], values[4][i], values[5][i],
            values[6][i], values[7][i]});
  }
  for (Index i = least; i < most; ++i) {
    std::array<double, kStreams> v{};
    for (std::size_t s = 0; s < v.size(); ++s) v[s] = i < counts[s] ? values[s][i] : 0;
    put(i, v);
  }
  std::fill(block.begin() + most, block.end(), Lanes{});
}

double sum_of(Pack4 lanes) {
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

/// The even or the odd frequencies of the spectra's sum over all streams.
class HalfOfSpectrum {
 public:
  HalfOfSpectrum(const Roots& roots, bool odd)
      : steps_(roots.steps.data()),
        factors_(odd ? roots.halves.data() : nullptr),
        sums_(roots.halves.size()) {}

  /// Products that begin in the first `blocks` blocks of the streams.
  void add(const Streams& streams, Index blocks) {
    const std::size_t size = sums_.size();
    thread_local std::array<std::vector<Lanes>, 2> memory;
    for (std::vector<Lanes>& block : memory) block.resize(std::max(block.size(), size));
    std::span<Lanes> now(memory[0].data(), size), next(memory[1].data(), size);
    const auto length = static_cast<Index>(size);
    load(streams, 0, factors_, now);
    if (!reach(streams, length)) {
      transform(now.data(), size, steps_, [&](const Lanes* x, std::size_t count) {
        add_powers(x, count, static_cast<std::size_t>(x - now.data()));
      });
      return;
    }
    transform(now.data(), size, steps_, [](const Lanes*, std::size_t) {});
    for (Index block = 1; block <= blocks; ++block) {
      if (!reach(streams, block * length)) return add_powers(now.data(), size, 0);
      load(streams, block * length, factors_, next);
      transform(next.data(), size, steps_, [&](const Lanes* y, std::size_t count) {
        const auto first = static_cast<std::size_t>(y - next.data());
        add_pairs(now.data() + first, y, count, first);
      });
      std::swap(now, next);
    }
  }

  const std::vector<Factor1>& sums() const { return sums_; }

 private:
  /// sums += conj(x) x
  void add_powers(const Lanes* x, std::size_t count, std::size_t first) {
    for (std::size_t f = 0; f < count; ++f) {
      sums_[first + f].re += sum_of(x[f].re * x[f].re + x[f].im * x[f].im);
    }
  }

  /// sums += conj(x) (x + y) at even frequencies, conj(x) (x - y) at odd ones
  void add_pairs(const Lanes* x, const Lanes* y, std::size_t count, std::size_t first) {
    const double sign = factors_ == nullptr ? 1 : -1;
    for (std::size_t f = 0; f < count; ++f) {
      const Lanes both = {x[f].re + sign * y[f].re, x[f].im + sign * y[f].im};
      sums_[first + f].re += sum_of(x[f].re * both.re + x[f].im * both.im);
      sums_[first + f].im += sum_of(x[f].re * both.im - x[f].im * both.re);
    }
  }

  const Factor1* steps_;
  const Factor1* factors_;  // none for even frequencies
  std::vector<Factor1> sums_;
};

Vector products_of(const Roots& roots, const HalfOfSpectrum& even, const HalfOfSpectrum& odd,
                   Index lags) {
  std::vector<Complex<Pack2>> sums(roots.halves.size());  // even and odd frequencies
  for (std::size_t f = 0; f < sums.size(); ++f) {
    sums[f] = {Pack2{even.sums()[f].re, odd.sums()[f].re},
               Pack2{even.sums()[f].im, odd.sums()[f].im}};
  }
  transform_back(sums.data(), sums.size(), roots.steps.data());
  Vector result(lags);
  for (Index k = 0; k < lags; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const Complex<Pack2> both = sums[at];
    const Factor1 turned = times(Factor1{both.re[1], both.im[1]}, conjugate(roots.halves[at]));
    result[k] = (both.re[0] + turned.re) / static_cast<double>(2 * sums.size());
  }
  return result;
}

}  // namespace

Vector lagged_products(const Matrix& columns, Index lags) {
  const auto size = std::bit_ceil(static_cast<std::size_t>(lags));
  const auto block = static_cast<Index>(size);
  const Index blocks = (columns.rows() + block - 1) / block;
  // Few columns are cut, so that no stream is idle.
  const Index pieces = std::min(blocks, std::max<Index>(1, kStreams / columns.cols()));
  const Index blocks_of_piece = (blocks + pieces - 1) / pieces;
  const Roots& roots = kept_roots(size);
  HalfOfSpectrum even(roots, false), odd(roots, true);
  Streams streams;
  std::size_t taken = 0;
  const auto flush = [&] {
    even.add(streams, blocks_of_piece);
    odd.add(streams, blocks_of_piece);
    streams = {};
    taken = 0;
  };
  for (Index c = 0; c < columns.cols(); ++c) {
    for (Index from = 0; from < columns.rows(); from += blocks_of_piece * block) {
      streams[taken++] = {columns.col(c).data() + from, columns.rows() - from};
      if (taken == streams.size()) flush();
    }
  }
  if (taken > 0) flush();
  return products_of(roots, even, odd, lags);
}

}  // namespace gadwall
