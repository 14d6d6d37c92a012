// Ranks, folding about a centre, and the normal scores of ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "gadwall/types.hpp"

namespace gadwall {

/// One entry of a matrix and where it stands in the matrix's storage.
struct PlacedValue {
  double value;
  std::uint32_t position;
};

using SortedEntries = std::vector<PlacedValue>;

/// Ascending. No entry may be NaN.
SortedEntries sort_entries(const Matrix& x);

/// The entries |value - centre|, ascending, in linear time: the values below and above the centre
/// are two sorted runs.
SortedEntries fold_entries(const SortedEntries& sorted, double centre);

/// z = Phi^-1((r - 3/8) / (S + 1/4)) in the places of the original rows x cols matrix, where
/// r = 1..S is the rank and ties share the mean of theirs (Blom 1958).
Matrix normal_scores(const SortedEntries& sorted, Index rows, Index cols);

}  // namespace gadwall
