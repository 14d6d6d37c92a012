// Ranks, folding about a centre, and the normal scores of ranks.
#include "diagnostics/ranks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "diagnostics/normal_quantile.hpp"

namespace gadwall {
namespace {

constexpr auto smaller = [](const PlacedValue& a, const PlacedValue& b) {
  return a.value < b.value;
};

constexpr std::size_t kFewEntries = 512;  // below, sorting by comparisons is as fast
constexpr int kDigitBits = 11;            // of a pass of the radix sort
constexpr int kPasses = 3;                // for 32 bits

/// Whole numbers in the order of the values: the bits of an IEEE double, turned where negative.
std::uint64_t ordered_bits(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t mask = (bits >> 63) != 0 ? ~std::uint64_t{0} : std::uint64_t{1} << 63;
  return bits ^ mask;
}

/// Sorts by the upper 32 bits, digit by digit, the lowest first.
void radix_sort(std::vector<std::uint64_t>& keys) {
  constexpr std::uint64_t kDigits = std::uint64_t{1} << kDigitBits;
  thread_local std::vector<std::uint64_t> other;  // a summary sorts as many again and again
  other.resize(keys.size());
  std::array<std::array<std::uint32_t, kDigits>, kPasses> places{};
  const auto digit = [](std::uint64_t key, int pass) {
    return (key >> (32 + pass * kDigitBits)) & (kDigits - 1);
  };
  for (const std::uint64_t key : keys) {
    for (int pass = 0; pass < kPasses; ++pass)
      ++places[static_cast<std::size_t>(pass)][digit(key, pass)];
  }
  for (int pass = 0; pass < kPasses; ++pass) {
    auto& place = places[static_cast<std::size_t>(pass)];
    std::uint32_t sum = 0;
    for (std::uint32_t& count : place) count = std::exchange(sum, sum + count);
    for (const std::uint64_t key : keys) other[place[digit(key, pass)]++] = key;
    keys.swap(other);
  }
}

/// A radix sort by the leading 32 bits in which the values differ, then by comparisons where these
/// bits agree.
SortedEntries sort_many(const Matrix& x) {
  const auto count = static_cast<std::size_t>(x.size());
  thread_local std::vector<std::uint64_t> keys;
  keys.resize(count);
  std::transform(x.data(), x.data() + count, keys.begin(), ordered_bits);
  const auto [low, high] = std::ranges::minmax(keys);
  const auto width = static_cast<int>(std::bit_width(high - low));
  const int shift = std::max(0, width - 32);
  for (std::size_t i = 0; i < count; ++i) keys[i] = ((keys[i] - low) >> shift) << 32 | i;
  radix_sort(keys);
  SortedEntries entries(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto position = static_cast<std::uint32_t>(keys[i]);
    entries[i] = {x.data()[position], position};
  }
  for (std::size_t first = 0; first < count;) {
    std::size_t end = first + 1;
    while (end < count && keys[end] >> 32 == keys[first] >> 32) ++end;
    if (end > first + 1) {
      std::sort(entries.begin() + static_cast<std::ptrdiff_t>(first),
                entries.begin() + static_cast<std::ptrdiff_t>(end), smaller);
    }
    first = end;
  }
  return entries;
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
  const auto size = static_cast<std::size_t>(x.size());
  if (size >= kFewEntries && size <= std::numeric_limits<std::uint32_t>::max()) return sort_many(x);
  SortedEntries entries(size);
  for (std::size_t i = 0; i < size; ++i) {
    entries[i] = {x.data()[i], static_cast<std::uint32_t>(i)};
  }
  std::sort(entries.begin(), entries.end(), smaller);
  return entries;
}

SortedEntries fold_entries(const SortedEntries& sorted, double centre) {
  const auto middle = std::partition_point(sorted.begin(), sorted.end(),
                                           [=](const PlacedValue& e) { return e.value < centre; });
  SortedEntries folded(sorted.size());
  const PlacedValue* below = sorted.data() + (middle - sorted.begin());  // the next is below[-1]
  const PlacedValue* above = below;
  const PlacedValue* const first = sorted.data();
  const PlacedValue* const last = sorted.data() + sorted.size();
  auto out = folded.begin();
  while (below != first && above != last) {  // without branches: which is next cannot be foretold
    const double down = std::abs(below[-1].value - centre);
    const double up = std::abs(above->value - centre);
    const bool takes_above = up < down;
    *out++ = {takes_above ? up : down, takes_above ? above->position : below[-1].position};
    above += takes_above ? 1 : 0;
    below -= takes_above ? 0 : 1;
  }
  for (; below != first; --below) {
    *out++ = {std::abs(below[-1].value - centre), below[-1].position};
  }
  for (; above != last; ++above) *out++ = {std::abs(above->value - centre), above->position};
  return folded;
}

Matrix normal_scores(const SortedEntries& sorted, Index rows, Index cols) {
  Matrix scores(rows, cols);
  if (sorted.empty()) return scores;
  const std::vector<double>& of_half_ranks = scores_of_half_ranks(sorted.size());
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t end = first + 1;
    while (end < sorted.size() && sorted[end].value == sorted[first].value) ++end;
    const double score = of_half_ranks[first + end - 1];  // the ranks are first + 1, ..., end
    for (; first < end; ++first) scores.data()[sorted[first].position] = score;
  }
  return scores;
}

}  // namespace gadwall
