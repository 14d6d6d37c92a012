// What the plots of one parameter show, from all of its draws. x is N x C, a chain per column.
#pragma once

#include <vector>

#include "gadwall/types.hpp"

namespace gadwall::report {

/// Rows of a chain that a picture shows: 0, every, 2 every, ...; at most `most` of them.
struct Thinning {
  Index every = 1;
  Index count = 0;
  static Thinning of(Index draws, Index most);
};

/// Kernel density estimates on one grid of evenly spaced points.
struct DensityCurves {
  double low = 0;
  double high = 1;
  double outside = 0;  // share of the draws beyond: far tails are not drawn
  Matrix values;       // points x C; zero where a chain is constant or nothing is finite
};

/// A Gaussian kernel with Silverman's (1986) bandwidth 0.9 min(sd, IQR / 1.34) N^(-1/5) for each
/// chain, on draws binned into the grid (bins hold the mass of all draws).
DensityCurves density_curves(const Matrix& x, Index points);

/// How the ranks of the pooled draws fall into equal bins, for every chain: bins x C counts. A
/// chain that samples what the others do has flat counts. All zero where a draw is NaN.
Eigen::MatrixXi rank_counts(const Matrix& x, Index bins);

/// Autocorrelations of lags 0 ... lags - 1, each chain about its own mean; NaN for a constant one.
Matrix autocorrelations(const Matrix& x, Index lags);

}  // namespace gadwall::report
