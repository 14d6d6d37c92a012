// The log likelihood of logistic regression and its gradient, one pass over the data.
#pragma once

#include "gadwall/types.hpp"

namespace gadwall {

/// The rows s_i X_i (s_i = +1 or -1 by class) as the vector kernels want them: row-major, columns
/// padded with zeros to a multiple of 4, rows to a multiple of kRowGroup.
struct SignedRows {
  static constexpr Index kRowGroup = 16;

  SignedRows(const Matrix& design, const Vector& labels);
  Index stride() const { return padded.cols(); }

  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> padded;
  Index rows, columns;  // without the padding
};

/// For each column w_k of w (n x K): log_likelihood[k] = -sum_i log(1 + e^-m_i), m = rows w_k, and
/// gradient.col(k) = rows^T q, q_i = 1 / (1 + e^m_i). An empty gradient is not computed.
void add_up_likelihood(const SignedRows& rows, ConstMatrixRef w, VectorRef log_likelihood,
                       MatrixRef gradient);

}  // namespace gadwall
