// Scores regressed on what they are made of where the rest is Gaussian given a driver d.
//
// With E = e^(b (d - centre)) and z the standardised coordinates, the score of coordinate j, times
// its scale, is regressed on
//
//   [1, z, z_j^2, E, E z_S]       or, pinned,       [1, z, z_j^2, E u_S / s_S]
//
// z_j^2 is there for likelihoods that are not Gaussian: what is bent in z_j is not to be taken for
// what E moves, an error that grows with E in the neck. Pinned: u = 0 is a place where E does not
// pull, as in normal(mu, tau) with mu a member, and in normal(0, tau).
#pragma once

#include <vector>

#include "gadwall/types.hpp"

namespace gadwall {

/// n x N, in the coordinates that a layer is to be put upon.
struct ScoredPoints {
  Matrix x, scores;

  ScoredPoints at(const std::vector<Index>& columns) const;
  /// At most so many, evenly.
  ScoredPoints thinned(Index most) const;
};

class ScoreRegression {
 public:
  ScoreRegression(const ScoredPoints& points, Index driver, const std::vector<Index>& members);

  bool has_enough_points() const;

  /// Of k scores, in standardised coordinates; what E moves is 0 for the exponent 0.
  struct Solution {
    Matrix still;            // n x k, of z
    Vector constant;         // k
    Matrix driven;           // m x k, of E times the members
    Vector driven_constant;  // k
    Vector missed;           // k, share of each score that is not explained
    Vector left;             // k, its square, of all points
  };

  Solution solve(double exponent, bool is_pinned, const std::vector<Index>& of) const;

  /// Mean share of the members' scores that is not explained.
  double missed(double exponent, bool is_pinned = false) const;

  /// Whether the exponent explains enough of what no linear function does.
  bool is_explained_by(double exponent) const;

  /// Whether means are small enough for E u to be told from E.
  bool can_be_pinned() const;

  /// Of the log of the mean squared score of the members in d: near the exponent.
  double slope() const { return slope_; }
  const Vector& scales() const { return scales_; }
  const Vector& mean() const { return mean_; }
  double centre() const { return centre_; }
  Index dim() const { return z_.rows(); }

 private:
  /// Weights with which wide and narrow parts count alike.
  Vector balancing_weights();
  Matrix design(double exponent, bool is_pinned) const;

  std::vector<Index> members_;
  Vector d_;
  double centre_;
  Vector scales_, mean_;
  Matrix z_, scores_;  // scores: weighted
  double slope_ = 0;
  Vector roots_;  // of the weights
  double reach_;
};

/// Positions of the values in ascending order.
std::vector<Index> ascending_order(const Vector& values);

}  // namespace gadwall
