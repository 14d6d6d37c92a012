// What the sampler learnt, for the page; how far L L^T is from the covariance of the draws.
#pragma once

#include "gadwall/draws.hpp"
#include "report/encode.hpp"

namespace gadwall::report {

/// The sample covariance of all draws, chains pooled about the common mean.
Matrix posterior_covariance(const Draws& draws);

/// min over c of |c A - S|_F / |S|_F, for symmetric A and S: the sine of the angle between them,
/// 0 where A is proportional to S and 1 where they are orthogonal. The scale of L L^T is left free
/// because proposals learn the shape and the length of a step together.
double shape_distance(const Matrix& a, const Matrix& s);

/// D^-1/2 A D^-1/2 with D the diagonal of A.
Matrix as_correlation(const Matrix& a);

/// null where the draws come without it.
Json learnt_data(const Draws& draws);

}  // namespace gadwall::report
