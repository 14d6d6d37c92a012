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
#include <vector>

#include "diagnostics/lane_fft.hpp"

namespace gadwall {
namespace {

constexpr std::size_t kStreams = 8;

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

/// The block of draws from, from + 1, ... of all streams, each times its factor where there are
/// factors; zeros where a stream is at its end.
class BlockOfDraws {
 public:
  BlockOfDraws(const Streams& streams, Index from, const Factor1* factors) : factors_(factors) {
    static constexpr double nothing = 0;
    for (std::size_t s = 0; s < kStreams; ++s) {
      counts_[s] = static_cast<std::size_t>(std::max<Index>(streams[s].count - from, 0));
      values_[s] = counts_[s] > 0 ? streams[s].values + from : &nothing;
    }
    least_ = std::ranges::min(counts_);
  }

  /// Eight of them.
  void operator()(std::size_t at, Lanes* to) const {
    if (at + kTogether <= least_) {
      load_four(at, to);
      load_four(at + 4, to + 4);
    } else {
      for (std::size_t i = 0; i < kTogether; ++i) to[i] = single(at + i);
    }
    if (factors_ == nullptr) return;
    for (std::size_t i = 0; i < kTogether; ++i) to[i] = times(to[i], factors_[at + i]);
  }

 private:
  void load_four(std::size_t at, Lanes* to) const {
    std::array<Pack4, 4> re, im;
    for (std::size_t s = 0; s < 4; ++s) {
      re[s] = load4(values_[2 * s] + at);
      im[s] = load4(values_[2 * s + 1] + at);
    }
    transpose4(re);
    transpose4(im);
    for (std::size_t i = 0; i < 4; ++i) to[i] = {re[i], im[i]};
  }

  Lanes single(std::size_t at) const {
    std::array<double, kStreams> v;
    for (std::size_t s = 0; s < kStreams; ++s) v[s] = at < counts_[s] ? values_[s][at] : 0;
    return {Pack4{v[0], v[2], v[4], v[6]}, Pack4{v[1], v[3], v[5], v[7]}};
  }

  const Factor1* factors_;
  std::array<const double*, kStreams> values_;
  std::array<std::size_t, kStreams> counts_;
  std::size_t least_;
};

double sum_of(Pack4 lanes) {
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

/// The even or the odd frequencies of the spectra's sum over all streams.
class HalfOfSpectrum {
 public:
  HalfOfSpectrum(const Roots& roots, bool odd)
      : rows_{roots.halves.size()},
        steps_(roots.steps.data()),
        factors_(odd ? roots.halves.data() : nullptr),
        sums_(rows_.memory()) {}

  /// Products that begin in the first `blocks` blocks of the streams.
  void add(const Streams& streams, Index blocks) {
    const std::size_t size = rows_.memory();
    thread_local std::array<std::vector<Lanes>, 2> memory;
    for (std::vector<Lanes>& block : memory) block.resize(std::max(block.size(), size));
    Lanes *now = memory[0].data(), *next = memory[1].data();
    const auto length = static_cast<Index>(rows_.size);
    if (!reach(streams, length)) {
      transform(BlockOfDraws(streams, 0, factors_), now, rows_, steps_,
                [&](const Lanes* x, std::size_t count) {
                  add_powers(x, count, static_cast<std::size_t>(x - now));
                });
      return;
    }
    transform(BlockOfDraws(streams, 0, factors_), now, rows_, steps_,
              [](const Lanes*, std::size_t) {});
    for (Index block = 1; block <= blocks; ++block) {
      if (!reach(streams, block * length)) return add_powers(now, size, 0);
      transform(BlockOfDraws(streams, block * length, factors_), next, rows_, steps_,
                [&](const Lanes* y, std::size_t count) {
                  const auto first = static_cast<std::size_t>(y - next);
                  add_pairs(now + first, y, count, first);
                });
      std::swap(now, next);
    }
  }

  Factor1 sum(std::size_t frequency) const { return sums_[rows_.place(frequency)]; }

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

  RowsApart rows_;
  const Factor1* steps_;
  const Factor1* factors_;  // none for even frequencies
  std::vector<Factor1> sums_;
};

Vector products_of(const Roots& roots, const HalfOfSpectrum& even, const HalfOfSpectrum& odd,
                   Index lags) {
  std::vector<Complex<Pack2>> sums(roots.halves.size());  // even and odd frequencies
  for (std::size_t f = 0; f < sums.size(); ++f) {
    const Factor1 a = even.sum(f), b = odd.sum(f);
    sums[f] = {Pack2{a.re, b.re}, Pack2{a.im, b.im}};
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
  const auto size = std::bit_ceil(std::max(static_cast<std::size_t>(lags), kTogether));
  const auto block = static_cast<Index>(size);
  const Index blocks = (columns.rows() + block - 1) / block;
  // Few columns are cut, so that no stream is idle.
  const Index pieces = std::min(blocks, std::max<Index>(1, Index{kStreams} / columns.cols()));
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
