// Products of matrices that take no memory from the heap. Eigen copies panels of both factors,
// which fit on the stack only if they are small; its own choice is made for the caches it finds.
#pragma once

#include "gadwall/types.hpp"

namespace gadwall {

constexpr Index kStackPanel = 32;   // rows of one factor, columns of the other
constexpr Index kStackDepth = 256;  // of either: 64 KB of the 128 that Eigen allows on the stack

void add_product(ConstMatrixRef a, ConstMatrixRef b, MatrixRef out);        // out += a b
void subtract_product(ConstMatrixRef a, ConstMatrixRef b, MatrixRef out);   // out -= a b
void transpose_product(ConstMatrixRef a, ConstMatrixRef b, MatrixRef out);  // out = a^T b

}  // namespace gadwall
