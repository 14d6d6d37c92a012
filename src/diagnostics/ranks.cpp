// Ranks, folding about a centre, and the normal scores of ranks.
#include "diagnostics/ranks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "diagnostics/normal_quantile.hpp"

namespace gadwall {
namespace {

constexpr auto smaller = [](const PlacedValue& a, const PlacedValue& b) {
  return a.value < b.value;
};

constexpr std::size_t kFewEntries = 24;     // sorted by comparisons
constexpr std::size_t kMostBuckets = 2048;  // whose ends stay in the first cache
constexpr int kMostLevels = 8;

/// Whole numbers in the order of the values: the bits of an IEEE double, turned where negative;
/// of both zeros the same.
std::uint64_t ordered_bits(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  const std::uint64_t mask = (bits >> 63) != 0 ? ~std::uint64_t{0} : std::uint64_t{1} << 63;
  return bits ^ mask;
}

/// Equal widths on the line.
struct EvenBuckets {
  double low, scale, last;

  EvenBuckets(double least, double most, std::size_t count)
      : low(least),
        scale(static_cast<double>(count) / (most - least)),
        last(static_cast<double>(count - 1)) {}
  std::size_t operator()(double value) const {
    return static_cast<std::size_t>(std::min((value - low) * scale, last));
  }
};

/// Nearly equal ratios: what is spread over many powers of ten comes apart, and infinities.
struct RatioBuckets {
  std::uint64_t low;
  int shift;

  RatioBuckets(double least, double most, std::size_t count) : low(ordered_bits(least)) {
    const auto bits = static_cast<int>(std::bit_width(ordered_bits(most) - low));
    shift = std::max(0, bits - static_cast<int>(std::bit_width(count) - 1));
  }
  std::size_t operator()(double value) const { return (ordered_bits(value) - low) >> shift; }
};

using Ends = std::array<std::uint32_t, kMostBuckets>;

/// Puts entries where their bucket lies; ends[b] is where bucket b ends.
template <class Buckets>
void distribute(const std::vector<PlacedValue>& from, Buckets bucket, PlacedValue* to,
                std::span<std::uint32_t> ends) {
  for (const PlacedValue& entry : from) ++ends[bucket(entry.value)];
  std::uint32_t sum = 0;
  for (std::uint32_t& end : ends) end = std::exchange(sum, sum + end);
  for (const PlacedValue& entry : from) to[ends[bucket(entry.value)]++] = entry;
}

void insertion_sort(std::span<PlacedValue> entries) {
  for (std::size_t i = 1; i < entries.size(); ++i) {
    const PlacedValue entry = entries[i];
    std::size_t at = i;
    for (; at > 0 && entry.value < entries[at - 1].value; --at) entries[at] = entries[at - 1];
    entries[at] = entry;
  }
}

/// Into buckets until these are few entries each. Widths and ratios by turns: draws of most
/// distributions come apart in two levels, each with the buckets of the one before in the cache.
void sort_by_buckets(const std::vector<PlacedValue>& from, std::span<PlacedValue> to, int level) {
  double least = from.front().value, most = least;
  for (const PlacedValue& entry : from) {
    least = std::min(least, entry.value);
    most = std::max(most, entry.value);
  }
  const std::size_t count = from.size(), buckets = std::min(kMostBuckets, std::bit_ceil(count));
  const bool is_even = level % 2 == 0 &&
                       std::isfinite(static_cast<double>(buckets) / (most - least)) &&
                       std::isfinite(most - least);
  Ends places;
  const std::span<std::uint32_t> ends(places.data(), buckets);
  std::ranges::fill(ends, 0);
  if (is_even && least < most) {
    distribute(from, EvenBuckets(least, most, buckets), to.data(), ends);
  } else {
    distribute(from, RatioBuckets(least, most, buckets), to.data(), ends);
  }
  for (std::size_t b = 0, first = 0; first < count; first = ends[b++]) {
    const std::span<PlacedValue> part = to.subspan(first, ends[b] - first);
    if (part.size() <= kFewEntries) {
      insertion_sort(part);
    } else if (level == kMostLevels) {
      std::ranges::sort(part, smaller);
    } else if (part.size() < count || least < most) {
      sort_by_buckets(std::vector<PlacedValue>(part.begin(), part.end()), part, level + 1);
    }
  }
}

/// Without branches: whether a draw repeats the one before cannot be foretold.
std::vector<PlacedValue> runs_of(const Matrix& x) {
  std::vector<PlacedValue> runs(static_cast<std::size_t>(x.size()));
  std::size_t made = 0;
  for (Index c = 0; c < x.cols(); ++c) {
    const auto begin = static_cast<std::uint32_t>(c * x.rows());
    const auto end = static_cast<std::uint32_t>(begin + x.rows());
    std::uint32_t first = begin;
    for (std::uint32_t i = begin; i < end; ++i) {
      const double value = x.data()[i];
      runs[made] = {value, first, i + 1 - first};
      const bool is_last = i + 1 == end || x.data()[i + 1] != value;
      made += is_last ? 1 : 0;
      first = is_last ? i + 1 : first;
    }
  }
  runs.resize(made);
  return runs;
}

/// Phi^-1((r - 3/8) / (S + 1/4)) for 2 r = 2, 3, ..., 2 S, as equal values share the mean of their
/// ranks. A summary asks for the same S again and again.
const std::vector<double>& scores_of_half_ranks(std::size_t size) {
  thread_local std::vector<double> scores;
  if (scores.size() == 2 * size - 1) return scores;
  scores.resize(2 * size - 1);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double rank = 0.5 * static_cast<double>(i + 2);
    scores[i] = normal_quantile((rank - 0.375) / (static_cast<double>(size) + 0.25));
  }
  return scores;
}

}  // namespace

SortedEntries sort_entries(const Matrix& x) {
  const std::vector<PlacedValue> runs = runs_of(x);
  SortedEntries entries(runs.size());
  if (!runs.empty()) sort_by_buckets(runs, entries, 0);
  return entries;
}

// From the centre outwards and from both ends inwards at a time: which entry is next depends on the
// one before and cannot be foretold, so that one merge alone would wait for itself.
SortedEntries fold_entries(const SortedEntries& sorted, double centre) {
  const auto middle = std::partition_point(sorted.begin(), sorted.end(),
                                           [=](const PlacedValue& e) { return e.value < centre; });
  SortedEntries folded(sorted.size());
  const PlacedValue* first = sorted.data();
  const PlacedValue* last = sorted.data() + sorted.size();
  const PlacedValue* below = first + (middle - sorted.begin());  // the next is below[-1]
  const PlacedValue* above = below;
  const auto distance = [=](const PlacedValue& e) {
    return PlacedValue{std::abs(e.value - centre), e.position, e.count};
  };
  PlacedValue* near = folded.data();
  PlacedValue* far = folded.data() + folded.size();
  // So many of the nearest, and of the farthest, there are before either side comes to an end.
  for (auto steps = std::min(below - first, last - above) / 2; steps > 0; --steps) {
    const bool takes_above = distance(*above).value < distance(below[-1]).value;
    *near++ = distance(takes_above ? *above : below[-1]);
    above += takes_above ? 1 : 0;
    below -= takes_above ? 0 : 1;
    const bool takes_first = distance(*first).value > distance(last[-1]).value;
    *--far = distance(takes_first ? *first : last[-1]);
    first += takes_first ? 1 : 0;
    last -= takes_first ? 0 : 1;
  }
  while (below != first && above != last) {
    const bool takes_above = distance(*above).value < distance(below[-1]).value;
    *near++ = distance(takes_above ? *above : below[-1]);
    above += takes_above ? 1 : 0;
    below -= takes_above ? 0 : 1;
  }
  for (; below != first; --below) *near++ = distance(below[-1]);
  for (; above != last; ++above) *near++ = distance(*above);
  return folded;
}

namespace {

/// take(entry, score) in turn, of entries for `size` values.
template <class Take>
void for_each_score(const SortedEntries& sorted, std::size_t size, Take take) {
  if (sorted.empty()) return;
  const std::vector<double>& of_half_ranks = scores_of_half_ranks(size);
  std::size_t before = 0;
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t end = first, up_to = before;
    do up_to += sorted[end++].count;
    while (end < sorted.size() && sorted[end].value == sorted[first].value);
    const double score = of_half_ranks[before + up_to - 1];  // the ranks are before + 1, ..., up_to
    for (; first < end; ++first) take(sorted[first], score);
    before = up_to;
  }
}

}  // namespace

Matrix normal_scores(const SortedEntries& sorted, Index rows, Index cols) {
  Matrix scores(rows, cols);
  const auto size = static_cast<std::size_t>(scores.size());
  for_each_score(sorted, size, [&](const PlacedValue& entry, double score) {
    double* const to = scores.data() + entry.position;
    for (std::uint32_t i = 0; i < entry.count; ++i) to[i] = score;
  });
  return scores;
}

ColumnMoments moments_of_scores(const SortedEntries& sorted, Index rows, Index cols) {
  struct Sums {
    double first = std::numeric_limits<double>::quiet_NaN();  // what is summed are distances to it
    double sum = 0;                                           // zero in a column of equal scores
    double squares = 0;
  };
  std::vector<Sums> columns(static_cast<std::size_t>(cols));
  const auto length = static_cast<std::uint32_t>(rows);
  double lowest = std::numeric_limits<double>::infinity(), highest = 0;
  const auto size = static_cast<std::size_t>(rows * cols);
  for_each_score(sorted, size, [&](const PlacedValue& entry, double score) {
    Sums& column = columns[entry.position / length];
    if (std::isnan(column.first)) column.first = score;
    const double distance = score - column.first, count = entry.count;
    column.sum += count * distance;
    column.squares += count * distance * distance;
    lowest = std::min(lowest, score);
    highest = score;
  });
  ColumnMoments moments{Vector(cols), Vector(cols), highest - lowest};
  const auto n = static_cast<double>(rows);
  for (Index c = 0; c < cols; ++c) {
    const Sums& column = columns[static_cast<std::size_t>(c)];
    moments.means[c] = column.first + column.sum / n;
    moments.variances[c] = (column.squares - column.sum * column.sum / n) / (n - 1);
  }
  return moments;
}

}  // namespace gadwall
