// Transforms of a power of two of complex numbers, four at once in the lanes of the processor.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "math/pack4.hpp"

namespace gadwall::lane_fft {

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

inline Factor1 conjugate(Factor1 w) {
  return {w.re, -w.im};
}

inline Factor1 unit_root(double turn) {
  return {std::cos(2 * std::numbers::pi * turn), std::sin(2 * std::numbers::pi * turn)};
}

/// The factors of a transform of a power of two, kept for the lengths that were met.
struct Roots {
  std::vector<Factor1>
      steps;  // per step of span s, i < s / 4: w^i, w^2i, w^3i with w = e^(-2 pi i / s)
  std::vector<Factor1> halves;  // e^(-pi i k / size)
};

inline Roots roots_of(std::size_t size) {
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

inline const Roots& kept_roots(std::size_t size) {
  thread_local std::array<Roots, 64> kept;
  Roots& roots = kept[static_cast<std::size_t>(std::countr_zero(size))];
  if (roots.halves.empty()) roots = roots_of(size);
  return roots;
}

constexpr std::size_t kNear = 256;  // numbers of four lanes that stay in the first cache
constexpr std::size_t kFar = 4096;  // in the second

/// Four numbers of the transform by decimation in frequency.
template <class Real>
GADWALL_INLINE void split_four(Complex<Real>& x0, Complex<Real>& x1, Complex<Real>& x2,
                               Complex<Real>& x3, const Factor1* w) {
  const Complex<Real> sum = x0 + x2, gap = x0 - x2;
  const Complex<Real> other_sum = x1 + x3, other_gap = times_i(x1 - x3);
  x0 = sum + other_sum;
  x1 = times(gap - other_gap, w[0]);
  x2 = times(sum - other_sum, w[1]);
  x3 = times(gap + other_gap, w[2]);
}

/// A step: four interleaved parts become blocks.
inline void split_in_four(Lanes* x, std::size_t size, const Factor1* w) {
  const std::size_t quarter = size / 4;
  for (std::size_t i = 0; i < quarter; ++i) {
    split_four(x[i], x[i + quarter], x[i + 2 * quarter], x[i + 3 * quarter], w + 3 * i);
  }
}

constexpr std::size_t kTogether = 8;  // numbers of a row in one go: whole lines of the cache
using Tile = std::array<std::array<Lanes, kTogether>, 64>;

/// Three steps on one column of the tile, with what the first of them has as factors.
GADWALL_INLINE void split_column(Tile& tile, std::size_t k, std::size_t columns, std::size_t column,
                                 const Factor1* w) {
  const Factor1* const second = w + 3 * (columns * 16);
  const Factor1* const third = second + 3 * (columns * 4);
  std::array<Lanes, 64> near;
  for (std::size_t r = 0; r < 64; ++r) near[r] = tile[r][k];
  for (std::size_t r = 0; r < 16; ++r) {
    split_four(near[r], near[r + 16], near[r + 32], near[r + 48], w + 3 * (column + r * columns));
  }
  for (std::size_t part = 0; part < 64; part += 16) {
    for (std::size_t r = part; r < part + 4; ++r) {
      split_four(near[r], near[r + 4], near[r + 8], near[r + 12],
                 second + 3 * (column + (r - part) * columns));
    }
  }
  for (std::size_t r = 0; r < 64; r += 4) {
    split_four(near[r], near[r + 1], near[r + 2], near[r + 3], third + 3 * column);
  }
  for (std::size_t r = 0; r < 64; ++r) tile[r][k] = near[r];
}

/// Three steps while 64 rows of some numbers are at hand: what is larger than a cache is read and
/// written once. load(at, to) puts numbers at, at + 1, ... there; rows go to x with this stride.
template <class Load>
void split_in_64(Load load, Lanes* x, std::size_t columns, std::size_t stride, const Factor1* w) {
  Tile tile;
  for (std::size_t i = 0; i < columns; i += kTogether) {
    for (std::size_t r = 0; r < 64; ++r) load(i + r * columns, tile[r].data());
    for (std::size_t k = 0; k < kTogether; ++k) split_column(tile, k, columns, i + k, w);
    for (std::size_t r = 0; r < 64; ++r) {
      std::copy(tile[r].begin(), tile[r].end(), x + i + r * stride);
    }
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

inline const Factor1* after_steps(const Factor1* w, std::size_t size, std::size_t part) {
  for (std::size_t span = size; span > part; span /= 4) w += 3 * (span / 4);
  return w;
}

/// In place: frequencies come out with their digits reversed. What is larger than a cache is done
/// part by part; `done` takes each as soon as it is made.
template <class Done>
void transform(Lanes* x, std::size_t size, const Factor1* w, Done done) {
  if (size > kNear) {
    const std::size_t parts = size > kFar ? 64 : 4, part = size / parts;
    const auto load = [x](std::size_t at, Lanes* to) { std::copy_n(x + at, kTogether, to); };
    if (size > kFar) split_in_64(load, x, part, part, w);
    if (size <= kFar) split_in_four(x, size, w);
    w = after_steps(w, size, part);
    for (std::size_t i = 0; i < parts; ++i) transform(x + i * part, part, w, done);
    return;
  }
  std::size_t span = size;
  for (; span >= 4; span /= 4) {
    for (std::size_t first = 0; first < size; first += span) split_in_four(x + first, span, w);
    w += 3 * (span / 4);
  }
  for (std::size_t i = 0; span == 2 && i < size; i += 2) add_and_subtract(x + i);
  done(x, size);
}

/// Where the frequencies of a large transform lie: rows a power of two apart would all want the
/// same places in the caches.
struct RowsApart {
  std::size_t size;
  std::size_t part = size > kFar ? size / 64 : size;
  std::size_t stride = size > kFar ? part + kTogether : part;

  std::size_t memory() const { return size / part * stride; }
  std::size_t place(std::size_t frequency) const {
    return frequency / part * stride + frequency % part;
  }
};

/// The same of what load(at, to) brings, eight numbers at a time, into rows apart.
template <class Load, class Done>
void transform(Load load, Lanes* x, const RowsApart& rows, const Factor1* w, Done done) {
  if (rows.part == rows.size) {
    for (std::size_t at = 0; at < rows.size; at += kTogether) load(at, x + at);
    return transform(x, rows.size, w, done);
  }
  split_in_64(load, x, rows.part, rows.stride, w);
  w = after_steps(w, rows.size, rows.part);
  for (std::size_t r = 0; r < 64; ++r) transform(x + r * rows.stride, rows.part, w, done);
}

/// The steps of transform() undone in turn: size times the inverse.
template <class Real>
void transform_back(Complex<Real>* x, std::size_t size, const Factor1* w) {
  if (size == 2) add_and_subtract(x);
  if (size < 4) return;
  const std::size_t quarter = size / 4;
  for (std::size_t i = 0; i < size; i += quarter) transform_back(x + i, quarter, w + 3 * quarter);
  join_four(x, size, w);
}

}  // namespace gadwall::lane_fft
