// The paper's learner: stochastic gradient ascent on the generalised speed measure
//
//   F = E[min(0, r)] + beta log|L|
//
// with the noise the kernel drew anyway. Where r >= 0 the first term has no gradient; where r < 0,
// rejected or not, it is grad_L r, which is lower(sum of outer products a b^T):
//
//   random walk       a = g_y                b = eps
//   Langevin, fast    a = (g_y - g_x) / 2    b = u - L^T g_y / 2       (g_y held constant)
//   Langevin, exact   the same, and  a = -k / 2, b = u;  a = -g_x / 4, b = L^T k
//                     with k = H(y) L d, the kernel's curvature
//
// RMSprop per entry: G <- m G + (1 - m) grad^2 (first time G = grad^2),
// L <- L + rate grad / (1 + sqrt G). beta <- beta (1 + beta_rate (a - target)) steers the
// acceptance. With K lanes the gradient is the mean over them, and a the share that accepted.
//
// Where the scales of the target are known beforehand (options: relative), it is M with
// L = diag(units) M that is learnt like this, with units proportional to the diagonal of the first
// L: the paper's algorithm on the coordinates x_i / units_i.
#pragma once

#include "adapters/rmsprop.hpp"
#include "gadwall/adapter.hpp"
#include "gadwall/options.hpp"

namespace gadwall {

enum class Proposal { random_walk, langevin_fast, langevin_exact };

struct SpeedMeasureOptions {
  Proposal proposal = Proposal::langevin_fast;
  Metric metric = Metric::dense;  // diag learns the diagonal of L alone, in O(n)
  double target_accept = 0.55;    // 0.25 for the random walk
  double learning_rate = 1.5e-4;  // 5e-5 for the random walk
  double memory = 0.9;            // m of RMSprop
  double initial_scale = 0.1;     // L begins as this / sqrt(n) times the identity
  bool relative = false;          // learn in units of the first L's diagonal
  double diagonal_floor = 1e-3;   // the released code keeps L_ii above it; the paper is silent
  double beta = 1;                // where the weight of the entropy begins
  double beta_rate = 0.02;        // beta <- beta (1 + rate (a - target))
  double beta_floor = 1e-4;       // as in the released code

  void describe(OptionFields& o) {
    o("metric", metric, "form of the learnt L", {Metric::diag, Metric::dense});
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
  }
};

class SpeedMeasureAdapter final : public Adapter {
 public:
  explicit SpeedMeasureAdapter(SpeedMeasureOptions options)
      : options_(options), beta_(options.beta) {}

  Wants wants() const override;
  Tuning initial_tuning(Index n) const override;
  void start(const State&, Evaluator&, const LaneNoise&, Tuning& tuning) override;
  void learn(const Lesson& lesson, Tuning& tuning) override;
  void archive(Archive& a) override;
  NamedNumbers record(const RecentMeans& recent, const Tuning& tuning) const override;

  double beta() const { return beta_; }

 private:
  void gather_outer_products(const Lesson& lesson, const Factor& L);
  void gather_lane(const Lesson& lesson, const Factor& L, Index lane);
  template <class A, class B>
  void append(const A& a, const B& b);
  void ascend_diagonal(Vector& diagonal);
  void ascend_lower(Matrix& lower);

  SpeedMeasureOptions options_;
  double beta_;
  bool first_ = true;
  Vector units_;                    // of the rows of L
  Vector diagonal_moment_;          // of G
  RmspropTriangle below_diagonal_;  // lower L only; its G is waiting_decay_ times the stored
  double waiting_decay_ = 1;
  Matrix left_, right_;  // the a's and b's of this iteration, one a column
  Index outer_products_ = 0;
  Vector gradient_;  // of the diagonal
  Vector diagonal_;  // of a lower L
  Vector scratch_;
};

}  // namespace gadwall
