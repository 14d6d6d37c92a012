// auto on Gaussians of many dimensions with a few wide and narrow directions: what a gradient
// costs, our side included, and how much memory a run takes, against n.
#include <fmt/format.h>
#include <sys/resource.h>

#include <Eigen/QR>
#include <chrono>
#include <cmath>
#include <memory>

#include "gadwall/gadwall.hpp"

namespace {

using namespace gadwall;

constexpr Index kRank = 20;
constexpr double kCondition = 1e4;

/// N(0, I + U (lambda - I) U^T), lambda from 1 / sqrt(condition) to sqrt(condition): a product with
/// the precision I + U (1 / lambda - 1) U^T costs 4 n r operations.
class WideGaussian final : public Target {
 public:
  explicit WideGaussian(Index n) : directions_(n, kRank), excess_(kRank) {
    fill_normal(LaneNoise{7, 0, 0}, Purpose::start, directions_);
    directions_ =
        Eigen::HouseholderQR<Matrix>(directions_).householderQ() * Matrix::Identity(n, kRank);
    for (Index i = 0; i < kRank; ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(kRank - 1);
      excess_[i] = 1 / std::pow(kCondition, share - 0.5) - 1;
    }
  }

  Index dim() const override { return directions_.rows(); }

  void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const override {
    const Matrix along = directions_.transpose() * x;
    Matrix score = -x - directions_ * (excess_.asDiagonal() * along);
    logp = x.cwiseProduct(score).colwise().sum().transpose() / 2;
    if (grad.size() > 0) grad = score;
  }

 private:
  Matrix directions_;
  Vector excess_;
};

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void measure(Index n) {
  const auto target = std::make_shared<WideGaussian>(n);
  SampleOptions options;
  options.run.draws = 250;
  const auto begin = std::chrono::steady_clock::now();
  const SampleResult result = sample(target, options);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const RunFacts& facts = result.draws.facts;
  const auto gradients = static_cast<double>(facts.gradients.total());
  fmt::print("{:>6} {:>8} {:>9} {:>9} {:>12.3f} {:>14.2f} {:>10.0f} {:>9.0f}\n", n,
             to_string(result.tuning().factor().kind()), facts.gradients.warmup,
             facts.gradients.sampling,
             1e9 * facts.seconds.sampling / static_cast<double>(facts.gradients.sampling) /
                 static_cast<double>(n),
             1000 * result.summary.ess_worst / gradients, peak_megabytes(), seconds);
}

}  // namespace

int main() {
  fmt::print("{:>6} {:>8} {:>9} {:>9} {:>12} {:>14} {:>10} {:>9}\n", "n", "metric", "warm-up",
             "sampling", "ns/(grad n)", "ESS/1000 grad", "peak MB", "seconds");
  for (const gadwall::Index n : {100, 1000, 10000}) measure(n);
}
