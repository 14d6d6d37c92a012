// Products of a lower triangular matrix with vectors, touching the triangle alone.
#pragma once

#include "gadwall/types.hpp"

namespace gadwall {

// One vector. Four columns go together, so that the vector that is read and written goes through
// the registers a quarter as often; at n = 100 this takes about half the time of Eigen's
// triangularView.

/// out = L v. L: n x n column-major, upper triangle not read. out must not overlap v.
void lower_times(const Matrix& lower, const double* v, double* out);

/// out = L^T g.
void lower_transpose_times(const Matrix& lower, const double* g, double* out);

/// Each n numbers. move holds eps on the way in.
struct BothProducts {
  double* whitened;  // L^T g
  double* move;      // u = eps + half L^T g
  double* moved;     // L u
};

/// The two products of a Langevin proposal in one visit to L: entry j of L^T g is known, hence u_j
/// too, as soon as column j has been read. Rounds as the two products above do.
void lower_both_times(const Matrix& lower, const double* g, double half, const BothProducts& both);

// K vectors, the columns of v and out: up to 16 lanes side by side in the registers. The upper
// triangle must hold zeros. Takes no memory after the first call of a thread.

/// out = L v
void lower_times(const Matrix& lower, ConstMatrixRef v, MatrixRef out);

/// out = L^T g
void lower_transpose_times(const Matrix& lower, ConstMatrixRef g, MatrixRef out);

/// x <- L^-1 x
void solve_lower(const Matrix& lower, MatrixRef x);

/// L += a b, the lower triangle of it. a: n x K, b: K x n.
void add_lower_product(ConstMatrixRef a, ConstMatrixRef b, Matrix& lower);

}  // namespace gadwall
