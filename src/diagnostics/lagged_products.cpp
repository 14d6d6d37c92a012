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
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "math/pack4.hpp"

namespace gadwall {
namespace {

constexpr Index kStreams = 8;

template <class Real>
struct Complex {
  Real re, im;
};

using Pack2 = double __attribute__((vector_size(16)));
using Lanes = Complex<Pack4>;
using Factor1 = Complex<double>;

template <class Real>
GADWALL_INLINE Complex<Real> operator+(Complex<Real> a, Complex<Real> b) {
  return {a.re + b.re, a.im + b.im};
}

template <class Real>
GADWALL_INLINE Complex<Real> operator-(Complex<Real> a, Complex<Real> b) {
  return {a.re - b.re, a.im - b.im};
}

template <class Real>
GADWALL_INLINE Complex<Real> times(Complex<Real> a, Factor1 w) {
  return {a.re * w.re - a.im * w.im, a.re * w.im + a.im * w.re};
}

template <class Real>
GADWALL_INLINE Complex<Real> times_i(Complex<Real> a) {
  return {-a.im, a.re};
}

Factor1 conjugate(Factor1 w) {
  return {w.re, -w.im};
}

Factor1 unit_root(double turn) {
  return {std::cos(2 * std::numbers::pi * turn), std::sin(2 * std::numbers::pi * turn)};
}

/// The factors of a transform of a power of two, kept for the lengths that were met.
struct Roots {
  std::vector<Factor1>
      steps;  // per step of span s, i < s / 4: w^i, w^2i, w^3i with w = e^(-2 pi i / s)
  std::vector<Factor1> halves;  // e^(-pi i k / size)
};

Roots roots_of(std::size_t size) {
  Roots roots;
  for (std::size_t span = size; span >= 4; span /= 4) {
    for (std::size_t i = 0; i < span / 4; ++i) {
      for (const double multiple : {1, 2, 3}) {
        roots.steps.push_back(
            unit_root(-multiple * static_cast<double>(i) / static_cast<double>(span)));
      }
    }
  }
  for (std::size_t k = 0; k < size; ++k) {
    roots.halves.push_back(unit_root(-0.5 * static_cast<double>(k) / static_cast<double>(size)));
  }
  return roots;
}

const Roots& kept_roots(std::size_t size) {
  thread_local std::array<Roots, 64> kept;
  Roots& roots = kept[static_cast<std::size_t>(std::countr_zero(size))];
  if (roots.halves.empty()) roots = roots_of(size);
  return roots;
}

constexpr std::size_t kNear = 4096;  // numbers of four lanes that stay in the second cache

/// A step of the transform by decimation in frequency: four interleaved parts become blocks.
template <class Real>
void split_in_four(Complex<Real>* x, std::size_t size, const Factor1* w) {
  const std::size_t quarter = size / 4;
  for (std::size_t i = 0; i < quarter; ++i) {
    Complex<Real>* const at = x + i;
    const Complex<Real> sum = at[0] + at[2 * quarter], gap = at[0] - at[2 * quarter];
    const Complex<Real> other_sum = at[quarter] + at[3 * quarter];
    const Complex<Real> other_gap = times_i(at[quarter] - at[3 * quarter]);
    at[0] = sum + other_sum;
    at[quarter] = times(gap - other_gap, w[3 * i]);
    at[2 * quarter] = times(sum - other_sum, w[3 * i + 1]);
    at[3 * quarter] = times(gap + other_gap, w[3 * i + 2]);
  }
}

/// Its inverse, times four.
template <class Real>
void join_four(Complex<Real>* x, std::size_t size, const Factor1* w) {
  const std::size_t quarter = size / 4;
  for (std::size_t i = 0; i < quarter; ++i) {
    Complex<Real>* const at = x + i;
    const Complex<Real> a = at[0];
    const Complex<Real> b = times(at[quarter], conjugate(w[3 * i]));
    const Complex<Real> c = times(at[2 * quarter], conjugate(w[3 * i + 1]));
    const Complex<Real> d = times(at[3 * quarter], conjugate(w[3 * i + 2]));
    const Complex<Real> sum = a + c, gap = a - c, other_sum = b + d, other_gap = times_i(b - d);
    at[0] = sum + other_sum;
    at[quarter] = gap + other_gap;
    at[2 * quarter] = sum - other_sum;
    at[3 * quarter] = gap - other_gap;
  }
}

template <class Real>
void add_and_subtract(Complex<Real>* x) {
  const Complex<Real> a = x[0], b = x[1];
  x[0] = a + b;
  x[1] = a - b;
}

/// In place: frequencies come out with their digits reversed. What is larger than a cache is done
/// part by part, the rest step by step.
template <class Real>
void transform(Complex<Real>* x, std::size_t size, const Factor1* w) {
  if (size > kNear) {
    split_in_four(x, size, w);
    for (std::size_t part = 0; part < 4; ++part) {
      transform(x + part * (size / 4), size / 4, w + 3 * (size / 4));
    }
    return;
  }
  std::size_t span = size;
  for (; span >= 4; span /= 4) {
    for (std::size_t first = 0; first < size; first += span) split_in_four(x + first, span, w);
    w += 3 * (span / 4);
  }
  for (std::size_t i = 0; span == 2 && i < size; i += 2) add_and_subtract(x + i);
}

/// The steps of transform() undone in turn: size times the inverse.
template <class Real>
void transform_back(std::vector<Complex<Real>>& values, const Roots& roots) {
  const std::size_t size = values.size();
  const bool has_pairs = std::countr_zero(size) % 2 == 1;
  for (std::size_t i = 0; has_pairs && i < size; i += 2) add_and_subtract(values.data() + i);
  const Factor1* w = roots.steps.data() + roots.steps.size();
  for (std::size_t span = has_pairs ? 8 : 4; span <= size; span *= 4) {
    w -= 3 * (span / 4);
    for (std::size_t first = 0; first < size; first += span) {
      join_four(values.data() + first, span, w);
    }
  }
}

/// What is left of a column where a stream begins.
struct Stream {
  const double* values = nullptr;
  Index count = 0;
};

using Streams = std::array<Stream, kStreams>;

/// The transforms of one block of all streams.
struct BlockTransform {
  std::vector<Lanes> even, odd;

  explicit BlockTransform(std::size_t size) : even(size), odd(size) {}

  /// False where no stream reaches the block.
  bool load(const Streams& streams, Index from, const Roots& roots) {
    const auto size = static_cast<Index>(even.size());
    alignas(32) static constexpr std::array<double, 1> nothing{};
    std::array<const double*, kStreams> values{};
    std::array<Index, kStreams> counts{};
    Index most = 0, least = size;
    for (std::size_t s = 0; s < streams.size(); ++s) {
      counts[s] = std::clamp<Index>(streams[s].count - from, 0, size);
      values[s] = counts[s] > 0 ? streams[s].values + from : nothing.data();
      most = std::max(most, counts[s]);
      least = std::min(least, counts[s]);
    }
    if (most == 0) return false;
    const auto put = [&](Index i, const std::array<double, kStreams>& v) {
      const auto at = static_cast<std::size_t>(i);
      even[at] = {Pack4{v[0], v[2], v[4], v[6]}, Pack4{v[1], v[3], v[5], v[7]}};
      odd[at] = times(even[at], roots.halves[at]);
    };
    for (Index i = 0; i < least; ++i) {
      put(i, {values[0][i], values[1][i], values[2][i], values[3][i], values[4][i], values[5][i],
              values[6][i], values[7][i]});
    }
    for (Index i = least; i < size; ++i) {
      std::array<double, kStreams> v{};
      for (std::size_t s = 0; s < v.size(); ++s) v[s] = i < counts[s] ? values[s][i] : 0;
      put(i, v);
    }
    transform(even.data(), even.size(), roots.steps.data());
    transform(odd.data(), odd.size(), roots.steps.data());
    return true;
  }
};

/// sums += conj(x) (x + sign next)
void add_powers(std::vector<Lanes>& sums, const std::vector<Lanes>& x) {
  for (std::size_t f = 0; f < sums.size(); ++f) {
    sums[f].re += x[f].re * x[f].re + x[f].im * x[f].im;
  }
}

template <int sign>
void add_powers(std::vector<Lanes>& sums, const std::vector<Lanes>& x,
                const std::vector<Lanes>& next) {
  for (std::size_t f = 0; f < sums.size(); ++f) {
    const Lanes both = sign > 0 ? x[f] + next[f] : x[f] - next[f];
    sums[f].re += x[f].re * both.re + x[f].im * both.im;
    sums[f].im += x[f].re * both.im - x[f].im * both.re;
  }
}

/// Spectra of the sums, and the memory for making them.
class ProductSpectra {
 public:
  explicit ProductSpectra(std::size_t size)
      : roots_(kept_roots(size)), now_(size), next_(size), even_(size), odd_(size) {}

  /// Products that begin in the first `blocks` blocks of the streams.
  void add(const Streams& streams, Index blocks) {
    const auto size = static_cast<Index>(even_.size());
    if (!now_.load(streams, 0, roots_)) return;
    for (Index block = 1; block <= blocks; ++block) {
      if (!next_.load(streams, block * size, roots_)) {
        add_powers(even_, now_.even);
        add_powers(odd_, now_.odd);
        return;
      }
      add_powers<+1>(even_, now_.even, next_.even);
      add_powers<-1>(odd_, now_.odd, next_.odd);
      std::swap(now_, next_);
    }
  }

  Vector products(Index lags) const {
    std::vector<Both> sums(even_.size());
    for (std::size_t f = 0; f < sums.size(); ++f) {
      sums[f] = {Pack2{sum_of(even_[f].re), sum_of(odd_[f].re)},
                 Pack2{sum_of(even_[f].im), sum_of(odd_[f].im)}};
    }
    transform_back(sums, roots_);
    Vector result(lags);
    for (Index k = 0; k < lags; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const Both both = sums[at];
      const Factor1 turned = times(Factor1{both.re[1], both.im[1]}, conjugate(roots_.halves[at]));
      result[k] = (both.re[0] + turned.re) / static_cast<double>(2 * sums.size());
    }
    return result;
  }

 private:
  using Both = Complex<Pack2>;  // even and odd frequencies

  static double sum_of(Pack4 lanes) { return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]); }

  const Roots& roots_;
  BlockTransform now_, next_;
  std::vector<Lanes> even_, odd_;
};

}  // namespace

Vector lagged_products(const Matrix& columns, Index lags) {
  const auto size = std::bit_ceil(static_cast<std::size_t>(lags));
  const auto block = static_cast<Index>(size);
  const Index blocks = (columns.rows() + block - 1) / block;
  // Few columns are cut, so that no stream is idle.
  const Index pieces = std::min(blocks, std::max<Index>(1, kStreams / columns.cols()));
  const Index blocks_of_piece = (blocks + pieces - 1) / pieces;
  ProductSpectra spectra(size);
  Streams streams;
  std::size_t taken = 0;
  const auto flush = [&] {
    spectra.add(streams, blocks_of_piece);
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
  return spectra.products(lags);
}

}  // namespace gadwall
