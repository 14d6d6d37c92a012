// Cutting each chain into two.
#include "diagnostics/split.hpp"

namespace gadwall {

Matrix split_chains(const Matrix& x) {
  const Index half = x.rows() / 2;
  if (x.size() == 0 || x.rows() == 1) return x;
  if (half == 1) {
    Matrix ends(x.cols(), 2);
    ends << x.row(0).transpose(), x.bottomRows(1).transpose();
    return ends;
  }
  Matrix halves(half, 2 * x.cols());
  halves << x.topRows(half), x.bottomRows(half);
  return halves;
}

Vector left_out_by_split(const Matrix& x) {
  const bool odd = x.rows() > 1 && x.rows() % 2 == 1;
  return odd ? Vector(x.row(x.rows() / 2).transpose()) : Vector();
}

}  // namespace gadwall
