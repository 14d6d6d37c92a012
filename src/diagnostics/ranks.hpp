// Ranks, folding about a centre, and the normal scores of ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "gadwall/types.hpp"

namespace gadwall {

/// Equal values one after another in a column, as rejected proposals leave them, and where the
/// first stands in the matrix's storage.
struct PlacedValue {
  double value;
  std::uint32_t position;
  std::uint32_t count;
};

using SortedEntries = std::vector<PlacedValue>;

/// Ascending; the counts add up to the size of x. No entry may be NaN.
SortedEntries sort_entries(const Matrix& x);

/// The entries |value - centre|, ascending, in linear time: the values below and above the centre
/// are two sorted runs.
SortedEntries fold_entries(const SortedEntries& sorted, double centre);

/// z = Phi^-1((r - 3/8) / (S + 1/4)) in the places of the original rows x cols matrix, where
/// r = 1..S is the rank and ties share the mean of theirs (Blom 1958).
Matrix normal_scores(const SortedEntries& sorted, Index rows, Index cols);

struct ColumnMoments {
  Vector means;
  Vector variances;
  double range;  // of all entries
};

/// Of that matrix, without making it.
ColumnMoments moments_of_scores(const SortedEntries& sorted, Index rows, Index cols);

}  // namespace gadwall
