// FisherMALA's learner (Titsias 2023): the preconditioner of the fastest Langevin diffusion is the
// inverse of the Fisher matrix E[g g^T], and the scores at both ends of a proposal teach it,
// rejected or not. With s = sqrt(alpha) (g_y - g_x), alpha the acceptance probability, after t
// proposals
//
//   A = L L^T = (I + sum of s s^T / lambda)^-1
//
// and one more of them changes the root L by a matrix of rank one, in O(n^2) and without a solve:
//
//   phi = L^T s / sqrt(lambda),   A <- L (I - phi phi^T / (1 + |phi|^2)) L^T
//
// The published update, R <- R - R phi phi^T / (q + sqrt q) with q = 1 + |phi|^2, keeps a square
// root R; here L stays lower triangular, which proposes the same and costs half as much:
// with d_j = 1 + the sum of phi_i^2 over i >= j, I - phi phi^T / q has the lower root
//
//   K_jj = sqrt(d_{j+1} / d_j),   K_ij = -phi_i phi_j / sqrt(d_j d_{j+1})   (i > j),   L <- L K
//
// Only the shape of A is used: proposals have the variance sigma^2 n / tr(A) A, and
// sigma^2 <- sigma^2 (1 + rate (alpha - target)). Lanes of a batch add their updates one after
// another. The first iterations learn sigma^2 alone, as the paper's do: scores on the way from a
// far start would stay in the sum for ever.
#pragma once

#include "gadwall/adapter.hpp"
#include "gadwall/options.hpp"

namespace gadwall {

struct InverseFisherOptions {
  double target_accept = 0.574;
  double step = 0;           // sigma to begin with; 0: a rule of the sampler's
  double step_rate = 0.015;  // rho of the paper
  double damping = 10;       // lambda
  Index step_alone = 500;    // first iterations that learn the step alone

  void describe(OptionFields& o) {
    o("target-accept", target_accept, "acceptance rate to steer to", inside(0, 1));
    o("step", step, "initial step size; 0: the sampler's own rule");
    o("step-rate", step_rate, "how fast the step follows the acceptance", between(0, 0.5));
    o("damping", damping, "lambda: the sum of squared scores begins as this times I", above(0));
    o("step-alone", step_alone, "first iterations that learn the step alone", between(0, 1e9));
  }
};

/// L <- L K for one increment s: (L L^T)^-1 grows by s s^T.
void add_score_increment(ConstVectorRef s, Matrix& lower);

class InverseFisherAdapter final : public Adapter {
 public:
  explicit InverseFisherAdapter(InverseFisherOptions options) : options_(options) {}

  Wants wants() const override { return {.gradient = true}; }
  Tuning initial_tuning(Index n) const override;
  void start(const State&, Evaluator&, const LaneNoise&, Tuning& tuning) override;
  void learn(const Lesson& lesson, Tuning& tuning) override;
  void archive(Archive& a) override { a("sigma", sigma_); }
  NamedNumbers record(const RecentMeans&, const Tuning&) const override {
    return {{"sigma", sigma_}};
  }

 private:
  InverseFisherOptions options_;
  double sigma_ = 0;
  Vector increment_;
};

}  // namespace gadwall
