// Products of whole matrices outside of hot loops. Each product that Eigen sees as a type of its
// own takes the compiler about a second: so the usual three are instantiated in products.cpp alone.
#pragma once

#include "gadwall/types.hpp"

namespace gadwall {

Matrix product(const Matrix& a, const Matrix& b);             // a b
Matrix product_transposed(const Matrix& a, const Matrix& b);  // a b^T
Matrix transposed_product(const Matrix& a, const Matrix& b);  // a^T b

}  // namespace gadwall
