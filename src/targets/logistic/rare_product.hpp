// What the rare entries of a panel of rows add to margins, and take from residuals to a gradient.
#pragma once

#include "math/pack4.hpp"
#include "targets/logistic/rare_entries.hpp"

namespace gadwall {

/// The entries of the rows from `first_row` on.
struct RarePanel {
  std::span<const RareEntry> entries;
  Index first_row;
};

/// How far apart L lanes lie that follow each other: in margins and residuals, and in weights and
/// gradient.
struct LaneStrides {
  Index in_margins, in_weights;
};

/// margins(i, lane) += excess_i . w_lane
template <int L>
GADWALL_INLINE void add_rare(const RarePanel& x, const double* w, double* margins,
                             LaneStrides lanes) {
  for (const RareEntry& entry : x.entries) {
    double* margin = margins + (entry.row - x.first_row);
    for (int l = 0; l < L; ++l) {
      margin[l * lanes.in_margins] += entry.excess * w[l * lanes.in_weights + entry.column];
    }
  }
}

/// gradient_lane += sum_i q(i, lane) excess_i
template <int L>
GADWALL_INLINE void combine_rare(const RarePanel& x, const double* q, double* gradient,
                                 LaneStrides lanes) {
  for (const RareEntry& entry : x.entries) {
    const double* residual = q + (entry.row - x.first_row);
    for (int l = 0; l < L; ++l) {
      gradient[l * lanes.in_weights + entry.column] +=
          entry.excess * residual[l * lanes.in_margins];
    }
  }
}

/// to += factor * from, 4 V numbers.
template <int V>
GADWALL_INLINE void add_multiple(double factor, const double* from, double* to) {
  for (int v = 0; v < V; ++v) {
    store4(to + 4 * v, multiply_add(broadcast(factor), load4(from + 4 * v), load4(to + 4 * v)));
  }
}

/// The same where 4 V lanes lie side by side, for each row and for each column.
template <int V>
void add_rare_side_by_side(const RarePanel& x, const double* w, double* margins) {
  for (const RareEntry& entry : x.entries) {
    add_multiple<V>(entry.excess, w + 4 * V * entry.column,
                    margins + 4 * V * (entry.row - x.first_row));
  }
}

template <int V>
void combine_rare_side_by_side(const RarePanel& x, const double* q, double* gradient) {
  for (const RareEntry& entry : x.entries) {
    add_multiple<V>(entry.excess, q + 4 * V * (entry.row - x.first_row),
                    gradient + 4 * V * entry.column);
  }
}

}  // namespace gadwall
