// Products of matrices that take no memory from the heap.
#pragma once

#include <algorithm>

#include "gadwall/types.hpp"

namespace gadwall {

/// out += factor a b, in panels of which Eigen copies 32 rows of a and 32 columns of b at a time:
/// they fit on the stack, where its own choice, made for the caches it finds, may not.
inline void add_product(double factor, ConstMatrixRef a, ConstMatrixRef b, MatrixRef out) {
  constexpr Index panel = 32;
  for (Index k = 0; k < b.cols(); k += panel) {
    const Index columns = std::min(panel, b.cols() - k);
    for (Index i = 0; i < a.rows(); i += panel) {
      const Index rows = std::min(panel, a.rows() - i);
      out.block(i, k, rows, columns).noalias() +=
          factor * a.middleRows(i, rows) * b.middleCols(k, columns);
    }
  }
}

}  // namespace gadwall
