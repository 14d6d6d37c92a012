// The log likelihood of logistic regression and its gradient, one pass over the data.
#pragma once

#include "targets/logistic/signed_rows.hpp"

namespace gadwall {

/// For each column w_k of w (n x K): log_likelihood[k] = -sum_i log(1 + e^-m_i), m = rows w_k, and
/// gradient.col(k) = rows^T q, q_i = 1 / (1 + e^m_i). An empty gradient is not computed.
void add_up_likelihood(const SignedRows& rows, ConstMatrixRef w, VectorRef log_likelihood,
                       MatrixRef gradient);

}  // namespace gadwall
