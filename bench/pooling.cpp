// Whether batches that pool what they learn learn as fast as one batch of as many lanes: gadmala on
// a correlated Gaussian, 16 chains as one batch, as four that pool and as four that learn alone.
// What is learnt is judged by the condition of L^-1 Sigma L^-T: 1 where L has the shape of Sigma.
//   gadwall_pooling [DIMENSIONS]
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "gadwall/gadwall.hpp"

namespace {

using namespace gadwall;

constexpr double kCorrelation = 0.9;  // of neighbours

/// N(0, Sigma), Sigma_ij = correlation^|i - j|.
class Neighbours final : public Target {
 public:
  explicit Neighbours(Index n) : covariance_(n, n) {
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        covariance_(i, j) = std::pow(kCorrelation, static_cast<double>(std::abs(i - j)));
      }
    }
    precision_ = covariance_.inverse();
  }

  Index dim() const override { return covariance_.rows(); }

  void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const override {
    const Matrix score = -precision_ * x;
    logp = x.cwiseProduct(score).colwise().sum().transpose() / 2;
    if (grad.size() > 0) grad = score;
  }

  double condition_of(const Factor& L) const {
    const Eigen::PartialPivLU<Matrix> lu(L.matrix());
    const Matrix half = lu.solve(covariance_);
    const Matrix whitened = lu.solve(half.transpose());
    const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(whitened).eigenvalues();
    return values[values.size() - 1] / values[0];
  }

 private:
  Matrix covariance_, precision_;
};

void measure(Index n, Index warmup, const char* title, Index lanes, bool pool) {
  const auto target = std::make_shared<Neighbours>(n);
  SampleOptions options{.sampler = "gadmala"};
  options.settings = {{"pool", pool}, {"learning-rate", 1.5e-3}};
  options.run.chains = 16;
  options.run.lanes = lanes;
  options.run.warmup = warmup;
  options.run.draws = 10;
  options.run.threads = 2;
  const SampleResult result = sample(target, options);
  double worst = 0;
  for (const Learnt& learnt : result.draws.learnt) {
    worst = std::max(worst, target->condition_of(learnt.tuning.factor()));
  }
  fmt::print("{:>8} {:>26} {:>12.2f} {:>16.4f}\n", warmup, title, worst,
             1000 * result.draws.facts.seconds.warmup / static_cast<double>(warmup));
}

}  // namespace

int main(int count, char** arguments) {
  const gadwall::Index n = count > 1 ? std::atol(arguments[1]) : 50;
  fmt::print("n = {}, 16 chains, two threads\n{:>8} {:>26} {:>12} {:>16}\n", n, "warm-up",
             "batches", "condition", "ms per iteration");
  for (const gadwall::Index warmup : {250, 500, 1000, 2000, 4000}) {
    measure(n, warmup, "one of 16 lanes", 16, false);
    measure(n, warmup, "four of 4 lanes, pooled", 4, true);
    measure(n, warmup, "four of 4 lanes, alone", 4, false);
  }
}
