#include "math/stack_product.hpp"

#include <algorithm>

namespace gadwall {
namespace {

/// update(out's panel, a's, b's) for panels whose products add up to a b.
template <class Update>
void in_stack_panels(ConstMatrixRef a, ConstMatrixRef b, MatrixRef out, const Update& update) {
  for (Index k = 0; k < b.cols(); k += kStackPanel) {
    const Index columns = std::min(kStackPanel, b.cols() - k);
    for (Index i = 0; i < a.rows(); i += kStackPanel) {
      const Index rows = std::min(kStackPanel, a.rows() - i);
      for (Index d = 0; d < a.cols(); d += kStackDepth) {
        const Index depth = std::min(kStackDepth, a.cols() - d);
        update(out.block(i, k, rows, columns), a.block(i, d, rows, depth),
               b.block(d, k, depth, columns));
      }
    }
  }
}

}  // namespace

void add_product(ConstMatrixRef a, ConstMatrixRef b, MatrixRef out) {
  in_stack_panels(a, b, out, [](auto to, const auto& x, const auto& y) { to.noalias() += x * y; });
}

void subtract_product(ConstMatrixRef a, ConstMatrixRef b, MatrixRef out) {
  in_stack_panels(a, b, out, [](auto to, const auto& x, const auto& y) { to.noalias() -= x * y; });
}

void transpose_product(ConstMatrixRef a, ConstMatrixRef b, MatrixRef out) {
  out.setZero();
  for (Index k = 0; k < b.cols(); k += kStackPanel) {
    const Index columns = std::min(kStackPanel, b.cols() - k);
    for (Index i = 0; i < a.cols(); i += kStackPanel) {
      const Index rows = std::min(kStackPanel, a.cols() - i);
      for (Index d = 0; d < a.rows(); d += kStackDepth) {
        const Index depth = std::min(kStackDepth, a.rows() - d);
        out.block(i, k, rows, columns).noalias() +=
            a.block(d, i, depth, rows).transpose() * b.block(d, k, depth, columns);
      }
    }
  }
}

}  // namespace gadwall
