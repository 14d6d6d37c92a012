// Ranks, folding about a centre, and the normal scores of ranks.
#include "diagnostics/ranks.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "diagnostics/normal_quantile.hpp"

namespace gadwall {
namespace {

constexpr auto smaller = [](const PlacedValue& a, const PlacedValue& b) {
  return a.value < b.value;
};

}  // namespace

SortedEntries sort_entries(const Matrix& x) {
  SortedEntries entries(static_cast<std::size_t>(x.size()));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    entries[i] = {x.data()[i], static_cast<std::uint32_t>(i)};
  }
  std::sort(entries.begin(), entries.end(), smaller);
  return entries;
}

SortedEntries fold_entries(const SortedEntries& sorted, double centre) {
  SortedEntries distances(sorted);
  for (PlacedValue& entry : distances) entry.value = std::abs(entry.value - centre);
  const auto below = std::partition_point(sorted.begin(), sorted.end(),
                                          [=](const PlacedValue& e) { return e.value < centre; });
  const auto middle = distances.begin() + std::distance(sorted.begin(), below);
  std::reverse(distances.begin(), middle);

  SortedEntries folded;
  folded.reserve(sorted.size());
  std::merge(distances.begin(), middle, middle, distances.end(), std::back_inserter(folded),
             smaller);
  return folded;
}

Matrix normal_scores(const SortedEntries& sorted, Index rows, Index cols) {
  Matrix scores(rows, cols);
  const auto size = static_cast<double>(sorted.size());
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t end = first + 1;
    while (end < sorted.size() && sorted[end].value == sorted[first].value) ++end;
    const double rank = 0.5 * static_cast<double>(first + 1 + end);  // of first + 1, ..., end
    const double score = normal_quantile((rank - 0.375) / (size + 0.25));
    for (; first < end; ++first) scores.data()[sorted[first].position] = score;
  }
  return scores;
}

}  // namespace gadwall
