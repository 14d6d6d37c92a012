// What is gained by keeping a share of the momentum from one step to the next.
#pragma once

namespace gadwall {

/// A polynomial of one coordinate, of degree 1 or 2, moved by single steps.
struct StepCorrelation {
  int degree = 1;
  double correlation = 0;  // with itself after a step from a fresh momentum, rejections included
  double acceptance = 1;
};

/// Effective draws per step where the share `persistence` of the momentum is kept. For a Gaussian a
/// step turns (x, v) by an angle t; a rejection turns v round, and a fresh share of v follows. On
/// the Hermite polynomials of degree d in x and v that is a matrix P of d + 1 rows, with cos t from
/// the correlation seen, and the integrated autocorrelation time of the first of them, that of x
/// alone, is 2 [(I - P)^-1]_00 - 1. For d = 1 and no rejections
///
///   (1 - cos t) / (1 + cos t)  (1 + a) / (1 - a)
///
/// so that a share a of .3 nearly doubles what a step brings; squares lose by large shares.
double draws_per_step(const StepCorrelation& seen, double persistence);

}  // namespace gadwall
