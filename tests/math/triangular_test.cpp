#include "math/triangular.hpp"

#include <gtest/gtest.h>

namespace gadwall {
namespace {

// Every remainder of the blocks of four, and one that spans many blocks. The upper triangle holds
// what must not be read.
TEST(Triangular, ProductsEqualThoseOfTheFullMatrix) {
  for (const Index n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 100}) {
    std::srand(static_cast<unsigned>(n));
    Matrix lower = Matrix::Random(n, n);
    const Matrix clean = lower.triangularView<Eigen::Lower>();
    lower.triangularView<Eigen::StrictlyUpper>().setConstant(std::nan(""));
    const Vector v = Vector::Random(n);
    Vector out(n);
    lower_times(lower, v.data(), out.data());
    EXPECT_LT((out - clean * v).norm(), 1e-13 * static_cast<double>(n)) << "L v, n = " << n;
    lower_transpose_times(lower, v.data(), out.data());
    EXPECT_LT((out - clean.transpose() * v).norm(), 1e-13 * static_cast<double>(n))
        << "L^T v, n = " << n;
  }
}

}  // namespace
}  // namespace gadwall
