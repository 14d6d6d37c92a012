// Stochastic gradient ascent on the generalised speed measure F = E[min(0, r)] + beta log|L|.
//
// RMSprop per entry: G <- m G + (1 - m) grad^2 (first time G = grad^2),
// L <- L + rate grad / (1 + sqrt G). beta <- beta (1 + beta_rate (a - target)) steers the
// acceptance, a the share of the lanes that accepted.
//
// Where the scales of the target are known beforehand (options: relative), it is M with
// L = diag(units) M that is learnt like this, with units proportional to the diagonal of the first
// L: the paper's algorithm on the coordinates x_i / units_i.
//
// A low rank L = diag(s) (I + U (l - I) U^T), U n x r with orthonormal columns, has the entropy
// sum log s + sum log l, and a gradient a b^T of F in L is, in O(n r), with p = s a (by entries),
//
//   s: a (b + U (l - 1) U^T b)    l: (U^T p) (U^T b)    U: p ((l - 1) U^T b)^T + b ((l - 1) U^T
//   p)^T
//
// It can turn directions that are nearly right, but not find some among thousands: the noise of U's
// gradient grows with n, its signal does not. So they are first taken from the states and scores of
// a stretch of warm-up (seed).
//
// s is learnt as a diagonal L is. log l and U have steps of their own, relative to l and to the
// size of U's entries, 1 / sqrt n. U's are tangent and wait until there were as many products as
// directions; then U takes them and is made orthonormal again, in O(n r^2), which is O(n r) of each
// product.
#pragma once

#include "adapters/speed_gradient.hpp"
#include "gadwall/options.hpp"
#include "gadwall/tuning.hpp"

namespace gadwall {

struct SpeedMeasureOptions {
  ProposalKind proposal = ProposalKind::langevin_fast;
  Metric metric = Metric::dense;  // diag learns the diagonal of L alone, in O(n)
  Index rank = 20;                // of a low rank L
  double step = 1;                // that the tuning has; leapfrog: 1 / their number
  Index leapfrogs = 1;            // of a trajectory
  Index series = 1;               // terms of the inverse of I + D beyond the first
  Index seed_at = 0;              // iteration at which a low rank L gets its directions; 0: none
  double target_accept = 0.55;    // 0.25 for the random walk
  double learning_rate = 1.5e-4;  // 5e-5 for the random walk
  double memory = 0.9;            // m of RMSprop
  double initial_scale = 0.1;     // L begins as this / sqrt(n) times the identity
  bool relative = false;          // learn in units of the first L's diagonal
  bool rescale = false;           // at the end L is made the factor of the target's covariance
  bool pool = false;              // a meeting learns for all batches (meetings/pooled_speed.hpp)
  double diagonal_floor = 1e-3;   // the released code keeps L_ii above it; the paper is silent
  double beta = 1;                // where the weight of the entropy begins
  double beta_rate = 0.02;        // beta <- beta (1 + rate (a - target))
  double beta_floor = 1e-4;       // as in the released code
  double beta_ceiling = 1e300;    // for trajectories 100, as in their authors' code

  /// Those of trajectories are described by their sampler.
  void describe(OptionFields& o) {
    o("metric", metric, "form of the learnt L", {Metric::diag, Metric::dense, Metric::low_rank});
    o("rank", rank, "directions of a low rank L", between(1, 1e6));
    o("target-accept", target_accept, "acceptance rate to steer to", inside(0, 1));
    o("learning-rate", learning_rate,
      "eta of the stochastic gradient ascent on L; with K lanes it can grow, 10 x at K = 16");
    o("memory", memory, "decay of RMSprop's mean square", between(0, 1));
    o("initial-scale", initial_scale, "L starts as this times I, of gad samplers over sqrt(n)",
      above(0));
    o("diagonal-floor", diagonal_floor,
      "the diagonal of L stays above it; with a scout above it times 10 L", above(0));
    o("beta", beta, "first weight of the entropy", above(0));
    o("beta-rate", beta_rate, "how fast beta follows the acceptance", between(0, 1));
    o("beta-floor", beta_floor, "beta stays above it", above(0));
    o("pool", pool, "all batches learn one L together, at every iteration");
  }
};

class SpeedAscent {
 public:
  explicit SpeedAscent(const SpeedMeasureOptions& options)
      : options_(options), beta_(options.beta) {}

  /// A tuning to begin with, of any step and rank; noise: of directions that a low rank L lacks.
  void start(const LaneNoise& noise, Tuning& tuning);

  /// One step of L, and of beta.
  void ascend(const SpeedGradient& gradient, Factor& L);

  /// A low rank L gets the directions that states and their scores, n x N, show
  /// (adapters/score_metric.hpp), and keeps its determinant. noise: as in start.
  void seed(const Matrix& x, const Matrix& scores, const LaneNoise& noise, Factor& L);

  /// L <- L / sqrt(mean of |L^T g|^2 / n over the last stretch): L L^T is then near the covariance
  /// of the target where it has its shape.
  void rescale(Tuning& tuning) const;

  double beta() const { return beta_; }
  void archive(Archive& a);

 private:
  void begin(const Factor& L);
  void ascend_diagonal(const OuterProducts& gradient, Vector& diagonal);
  void ascend_entries(Vector& diagonal);
  void ascend_lower(const OuterProducts& gradient, Matrix& lower);
  void ascend_low_rank(const OuterProducts& gradient, LowRankFactor& L);
  void forget_turns(const LowRankFactor& L);

  SpeedMeasureOptions options_;
  double beta_;
  bool first_ = true;
  Vector units_;                    // of the rows of L
  Vector diagonal_moment_;          // of G
  RmspropTriangle below_diagonal_;  // lower L only; its G is waiting_decay_ times the stored
  double waiting_decay_ = 1;
  Matrix direction_moment_;  // G of U
  Vector length_moment_;     // G of log l
  Matrix turn_;              // steps of U that wait
  Index turned_by_ = 0;      // products that they are from
  double score_square_ = 0;  // mean of |L^T g|^2 / n, of the last stretch
  double seen_ = 0;          // iterations of it
  Vector gradient_;          // of the diagonal
  Vector diagonal_;          // of a lower L
};

}  // namespace gadwall
