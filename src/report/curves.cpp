// Densities, ranks and autocorrelations for drawing.
#include "report/curves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "diagnostics/ranks.hpp"
#include "math/aligned_copy.hpp"

namespace gadwall::report {
namespace {

std::vector<double> finite_values(const ConstVectorRef& x) {
  std::vector<double> values;
  for (const double value : x) {
    if (std::isfinite(value)) values.push_back(value);
  }
  return values;
}

/// The order statistic at share p; a kernel's width needs no interpolation, nor a sort.
double rough_quantile(std::vector<double>& values, double p) {
  const auto place =
      values.begin() + static_cast<std::ptrdiff_t>(p * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, place);
  return *place;
}

double bandwidth(std::vector<double> values) {
  const Vector x = aligned_copy(values);
  const double n = static_cast<double>(x.size());
  const double sd = std::sqrt((x.array() - x.mean()).square().sum() / std::max(1.0, n - 1));
  const double iqr = rough_quantile(values, 0.75) - rough_quantile(values, 0.25);
  const double spread = iqr > 0 ? std::min(sd, iqr / 1.34) : sd;
  return 0.9 * spread * std::pow(n, -0.2);
}

/// The share of the values in each cell around a grid point, split linearly between neighbours;
/// values outside the grid are in none.
Vector bin_linearly(const std::vector<double>& values, double low, double step, Index points) {
  Vector mass = Vector::Zero(points);
  for (const double value : values) {
    const double place = (value - low) / step;
    if (!(place >= 0 && place <= static_cast<double>(points - 1))) continue;
    const Index left = std::min(static_cast<Index>(place), points - 2);
    const double share = place - static_cast<double>(left);
    mass[left] += 1 - share;
    mass[left + 1] += share;
  }
  return mass / static_cast<double>(values.size());
}

/// sum_j mass_j N(x_i - x_j; 0, h^2), in grid steps; h is at least half a step.
Vector smooth(const Vector& mass, double step, double h) {
  const double width = std::max(h / step, 0.5);
  const Index n = mass.size();
  Vector kernel(n);
  for (Index k = 0; k < n; ++k) {
    kernel[k] = std::exp(-0.5 * std::pow(static_cast<double>(k) / width, 2));
  }
  kernel /= (kernel[0] + 2 * kernel.tail(n - 1).sum()) * step;
  Vector result = Vector::Zero(n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) result[i] += mass[j] * kernel[std::abs(i - j)];
  }
  return result;
}

/// All values where they lie together; without the far tails, in which a grid over all of them
/// would lose the rest: six times the distance of the quartiles beyond them.
std::pair<double, double> shown_range(std::vector<double> values) {
  constexpr double kFar = 6;
  const auto [low, high] = std::ranges::minmax(values);
  const double lower = rough_quantile(values, 0.25);
  const double upper = rough_quantile(values, 0.75);
  if (!(upper > lower)) return {low, high};
  const double reach = kFar * (upper - lower);
  return {std::max(low, lower - reach), std::min(high, upper + reach)};
}

}  // namespace

Thinning Thinning::of(Index draws, Index most) {
  if (draws == 0) return {};
  const Index every = (draws + most - 1) / most;
  return {every, (draws + every - 1) / every};
}

DensityCurves density_curves(const Matrix& x, Index points) {
  DensityCurves curves;
  curves.values = Matrix::Zero(points, x.cols());
  std::vector<std::vector<double>> chains;
  std::vector<double> widths;
  const std::vector<double> all = finite_values(x.reshaped());
  if (all.empty()) return curves;
  const auto [low, high] = shown_range(all);
  for (Index c = 0; c < x.cols(); ++c) {
    chains.push_back(finite_values(x.col(c)));
    widths.push_back(chains.back().empty() ? 0 : bandwidth(chains.back()));
  }
  if (!(high > low) || !std::isfinite(high - low)) return curves;
  const auto outside = [lo = low, hi = high](double v) { return v < lo || v > hi; };
  curves.outside =
      static_cast<double>(std::ranges::count_if(all, outside)) / static_cast<double>(all.size());
  curves.low = low - 2 * std::ranges::max(widths);
  curves.high = high + 2 * std::ranges::max(widths);
  const double step = (curves.high - curves.low) / static_cast<double>(points - 1);
  for (std::size_t c = 0; c < chains.size(); ++c) {
    if (widths[c] == 0) continue;
    curves.values.col(static_cast<Index>(c)) =
        smooth(bin_linearly(chains[c], curves.low, step, points), step, widths[c]);
  }
  return curves;
}

Eigen::MatrixXi rank_counts(const Matrix& x, Index bins) {
  Eigen::MatrixXi counts = Eigen::MatrixXi::Zero(bins, x.cols());
  if (x.hasNaN() || x.size() == 0) return counts;
  const SortedEntries sorted = sort_entries(x);
  const auto size = static_cast<std::size_t>(x.size());
  std::size_t before = 0;
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t end = first, up_to = before;
    do up_to += sorted[end++].count;
    while (end < sorted.size() && sorted[end].value == sorted[first].value);
    const std::size_t middle = (before + up_to - 1) / 2;  // ties share their mean rank
    const auto bin = static_cast<Index>(middle * static_cast<std::size_t>(bins) / size);
    for (; first < end; ++first) {
      counts(bin, static_cast<Index>(sorted[first].position) / x.rows()) +=
          static_cast<int>(sorted[first].count);
    }
    before = up_to;
  }
  return counts;
}

Matrix autocorrelations(const Matrix& x, Index lags) {
  Matrix result(lags, x.cols());
  const Index n = x.rows();
  for (Index c = 0; c < x.cols(); ++c) {
    const Vector centred = x.col(c).array() - x.col(c).mean();
    const double variance = centred.squaredNorm();
    for (Index lag = 0; lag < lags; ++lag) {
      result(lag, c) = variance > 0 ? centred.head(n - lag).dot(centred.tail(n - lag)) / variance
                                    : std::numeric_limits<double>::quiet_NaN();
    }
  }
  return result;
}

}  // namespace gadwall::report
