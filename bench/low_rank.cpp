// gadmala on a Gaussian with 20 wide directions among thousands: low rank against diagonal, and
// pooled batches against one. A dense L of 5000 dimensions has 25 million entries.
#include <fmt/format.h>

#include <Eigen/QR>
#include <cstdlib>
#include <memory>

#include "gadwall/gadwall.hpp"

namespace {

using namespace gadwall;

constexpr Index kWide = 20;
constexpr double kVariance = 100;  // of the wide directions; the others have 1

/// N(0, I + U (variance - 1) U^T).
class WideDirections final : public Target {
 public:
  explicit WideDirections(Index n) : directions_(n, kWide) {
    fill_normal(LaneNoise{7, 0, 0}, Purpose::start, directions_);
    directions_ =
        Eigen::HouseholderQR<Matrix>(directions_).householderQ() * Matrix::Identity(n, kWide);
  }

  Index dim() const override { return directions_.rows(); }

  void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const override {
    const Matrix score = (1 - 1 / kVariance) * (directions_ * (directions_.transpose() * x)) - x;
    logp = x.cwiseProduct(score).colwise().sum().transpose() / 2;
    if (grad.size() > 0) grad = score;
  }

  const Matrix& directions() const { return directions_; }

 private:
  Matrix directions_;
};

void measure(Index n, const std::string& title, const Settings& settings, Index lanes) {
  const auto target = std::make_shared<WideDirections>(n);
  SampleOptions options{.sampler = "gadmala"};
  options.settings = settings;
  options.settings["learning-rate"] = 1.5e-3;
  options.run.chains = 16;
  options.run.lanes = lanes;
  options.run.warmup = 2000;
  options.run.draws = 1000;
  const SampleResult result = sample(target, options);
  const RunFacts& facts = result.draws.facts;
  // Along the widest direction: what any one metric of the coordinates alone does not see.
  Matrix along(result.draws.draws(), facts.chains);
  for (Index c = 0; c < facts.chains; ++c) {
    along.col(c) =
        result.draws.chains[static_cast<std::size_t>(c)].draws * target->directions().col(0);
  }
  fmt::print("{:>6} {:>24} {:>12.2f} {:>10.3f} {:>10.0f} {:>14.0f}\n", n, title,
             1000 * facts.seconds.warmup / static_cast<double>(facts.warmup), facts.accept_rate,
             result.summary.ess_worst, std::min(ess_bulk(along), ess_square(along)));
}

}  // namespace

int main(int count, char** arguments) {
  const gadwall::Index n = count > 1 ? std::atol(arguments[1]) : 5000;
  fmt::print("{:>6} {:>24} {:>12} {:>10} {:>10} {:>14}\n", "n", "L", "ms/warm-up", "accepted",
             "worst ESS", "ESS wide dir.");
  const Index rank = kWide;
  measure(n, "low rank", {{"metric", "lowrank"}, {"rank", rank}}, 16);
  measure(n, "low rank, pooled 4 x 4", {{"metric", "lowrank"}, {"rank", rank}, {"pool", true}}, 4);
  measure(n, "low rank, exact drift", {{"metric", "lowrank"}, {"rank", rank}, {"drift", "exact"}},
          16);
  measure(n, "diagonal", {{"metric", "diag"}}, 16);
  if (n <= 1000) measure(n, "dense", {{"metric", "dense"}}, 16);
}
