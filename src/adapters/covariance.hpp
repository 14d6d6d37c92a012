// Adaptive Metropolis on the Cholesky factor (Andrieu & Thoms 2008, section 5.1.1), as the
// authors' code has it. With x' the state after the decision and w = L^-1 (x' - mu):
//
//   mu <- mu + rate_mu (x' - mu)
//   L  <- L + rate_t lower(L (w w^T - I)) = L + rate_t (lower((x' - mu) w^T) - L)
//
// one triangular solve and one outer product, and a global step adapted to the acceptance rate.
// With several lanes the outer products and the states are averaged.
//
// The paper's text has L <- L + rate_t L lower(w w^T - I) instead, and rate_mu = rate_t. Its
// diagonal, L_ii (1 + rate_t (w_i^2 - 1)), stays positive; the code's, L_ii + rate_t ((x' - mu)_i
// w_i - L_ii), does not where w is large, as it is with the small first L of the text.
#pragma once

#include <algorithm>

#include "adapters/step.hpp"
#include "gadwall/adapter.hpp"

namespace gadwall {

struct CovarianceOptions {
  Metric metric = Metric::dense;  // diag: the diagonal of the same update
  double initial_scale = 1;       // L begins as this times the identity
  double rate = 0.0005;           // rate_t = rate / (1 + t / horizon)
  double horizon = 0;             // 0: a quarter of warm-up, as in the authors' code
  double mean_rate = 0.01;        // rate_mu, constant; 0: both updates as the text has them
  StepOptions step;
  Index warmup = 20000;  // iterations that it learns

  void describe(OptionFields& o) {
    step.describe(o);
    o("metric", metric, "form of the learnt L", {Metric::diag, Metric::dense});
    o("initial-scale", initial_scale, "L starts as this times I, of gad samplers over sqrt(n)",
      above(0));
    o("covariance-rate", rate, "gain of the covariance", between(0, 0.5));
    o("covariance-horizon", horizon, "iterations before that gain falls; 0: a quarter of warm-up");
    o("mean-rate", mean_rate, "gain of the mean; 0: the covariance's, and L as in the paper's text",
      between(0, 1));
  }
};

class CovarianceAdapter final : public Adapter {
 public:
  explicit CovarianceAdapter(CovarianceOptions options)
      : options_(options),
        step_(options.step),
        horizon_(options.horizon > 0 ? options.horizon
                                     : std::max(1.0, static_cast<double>(options.warmup) / 4)) {}

  Tuning initial_tuning(Index n) const override;
  void start(const State& state, Evaluator&, const LaneNoise&, Tuning&) override;
  void learn(const Lesson& lesson, Tuning& tuning) override;
  void archive(Archive& a) override { a("mean", mean_); }

 private:
  void learn_diagonal(double rate, Vector& diagonal) const;
  void learn_lower(double rate, Matrix& lower);
  void learn_lower_by_the_text(double rate, Matrix& lower);

  CovarianceOptions options_;
  StepAdapter step_;
  double horizon_;
  Vector mean_;
  Matrix centred_;  // x' - mu, n x K
  Matrix solved_;   // w
  Matrix change_;   // rate / K w^T, K x n
  Matrix sums_;     // of w_k L_k, n x K
};

}  // namespace gadwall
