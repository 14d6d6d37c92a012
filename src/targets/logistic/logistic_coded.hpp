// The log likelihood of logistic regression and its gradient on coded rows, for few lanes.
#pragma once

#include "targets/logistic/coded_rows.hpp"

namespace gadwall {

/// As add_up_likelihood.
void add_up_coded(const CodedRows& rows, ConstMatrixRef w, VectorRef log_likelihood,
                  MatrixRef gradient);

}  // namespace gadwall
