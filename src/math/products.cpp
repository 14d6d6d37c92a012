#include "math/products.hpp"

namespace gadwall {

Matrix product(const Matrix& a, const Matrix& b) {
  return a * b;
}

Matrix product_transposed(const Matrix& a, const Matrix& b) {
  return a * b.transpose();
}

Matrix transposed_product(const Matrix& a, const Matrix& b) {
  return a.transpose() * b;
}

}  // namespace gadwall
