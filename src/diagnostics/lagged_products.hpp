// Sums of products at many lags, by FFTs of blocks.
#pragma once

#include "gadwall/types.hpp"

namespace gadwall {

/// sum_c sum_i x_ic x_{i+k,c} for k = 0, ..., lags - 1, over the columns c of an n x m matrix;
/// lags <= n. O(n m log lags), in blocks that stay in the caches where the lags are few.
Vector lagged_products(const Matrix& columns, Index lags);

}  // namespace gadwall
