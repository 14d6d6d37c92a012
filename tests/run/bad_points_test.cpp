// A target that throws or has no value in half of space: the run goes on and samples the rest.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "gadwall/diagnostics.hpp"
#include "run/run_testing.hpp"
#include "samplers/sampler_testing.hpp"

namespace gadwall {
namespace {

using testing::Ran;
using testing::run_sampler;
using testing::short_run;

enum class Failure { throws, nan_density, nan_gradient };

/// N(0, I) in two dimensions, cut off at x1 = 1.
class CutNormal final : public Target {
 public:
  CutNormal(Failure failure, bool has_hessian) : failure_(failure), has_hessian_(has_hessian) {}

  Index dim() const override { return 2; }

  void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const override {
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    for (Index k = 0; k < x.cols(); ++k) {
      const bool outside = x(0, k) > 1;
      if (outside && failure_ == Failure::throws) throw std::domain_error("x1 is above 1");
      logp[k] = -x.col(k).squaredNorm() / 2;
      if (outside && (failure_ == Failure::nan_density || grad.size() == 0)) logp[k] = kNaN;
      if (grad.size() == 0) continue;
      grad.col(k) = -x.col(k);
      if (outside && failure_ == Failure::nan_gradient) grad(1, k) = kNaN;
    }
  }

  bool hessian_times(ConstMatrixRef x, ConstMatrixRef v, MatrixRef out) const override {
    if (!has_hessian_) return false;
    if (failure_ == Failure::throws && x.row(0).maxCoeff() > 1) {
      throw std::domain_error("x1 is above 1");
    }
    out = -v;
    return true;
  }

 private:
  Failure failure_;
  bool has_hessian_;
};

/// E[x1 | x1 < 1] = -phi(1) / Phi(1), Var = 1 - phi(1)/Phi(1) - (phi(1)/Phi(1))^2
const double kHazard =
    std::exp(-0.5) / std::sqrt(2 * std::numbers::pi) / (0.5 * std::erfc(-1 / std::numbers::sqrt2));

void expect_the_rest_is_sampled(const SamplerRow& row, const std::shared_ptr<const Target>& target,
                                Index lanes) {
  RunOptions options = short_run(4, 500, 2000);
  options.lanes = lanes;
  // A trajectory of hmc that meets the cut is rejected. One of half a period or more always gets
  // there from x1 < -1, so that only short ones can reach all of the rest.
  const Settings numbers = testing::settings_for(
      row, {{"leapfrog", 2}, {"learning-rate", 5e-3}});  // L is learnt in these few iterations
  const SampleResult result = sample(target, {row.name, numbers, options});
  const Matrix x = result.draws.parameter(0);
  EXPECT_LE(x.maxCoeff(), 1);
  EXPECT_GT(result.draws.facts.bad_points, 100U);
  EXPECT_LT(std::abs(x.mean() + kHazard), 4 * mcse_mean(x));
  const double sd = std::sqrt(1 - kHazard - kHazard * kHazard);
  const double seen = std::sqrt((x.array() - x.mean()).square().mean());
  EXPECT_LT(std::abs(seen - sd), 4 * mcse_sd(x));
}

TEST(BadPoints, AreRejectedByEverySamplerWhereTheTargetThrows) {
  for (const SamplerRow& row : samplers()) {
    SCOPED_TRACE(row.name);
    expect_the_rest_is_sampled(row, std::make_shared<CutNormal>(Failure::throws, false), 4);
  }
}

TEST(BadPoints, AreRejectedByEverySamplerWhereTheDensityIsNaN) {
  for (const SamplerRow& row : samplers()) {
    SCOPED_TRACE(row.name);
    expect_the_rest_is_sampled(row, std::make_shared<CutNormal>(Failure::nan_density, true), 1);
  }
}

TEST(BadPoints, AreRejectedByEverySamplerWhereTheGradientIsNaN) {
  for (const SamplerRow& row : samplers()) {
    SCOPED_TRACE(row.name);
    expect_the_rest_is_sampled(row, std::make_shared<CutNormal>(Failure::nan_gradient, true), 4);
  }
}

TEST(BadPoints, MayThrowFromTheHessianProductToo) {
  const auto target = std::make_shared<CutNormal>(Failure::throws, true);
  for (const Index lanes : {1, 4}) {
    expect_the_rest_is_sampled(find_sampler("gadmala-exact"), target, lanes);
  }
}

TEST(BadPoints, LeaveTheFirstWordsOfTheTarget) {
  const auto target = std::make_shared<CutNormal>(Failure::throws, false);
  const Ran ran = run_sampler(target, find_sampler("mala"), short_run(2, 50, 50));
  EXPECT_EQ(ran.outcome.first_exceptions, std::vector<std::string>{"x1 is above 1"});
  EXPECT_EQ(ran.outcome.exceptions, ran.outcome.facts.bad_points);
  const auto silent = std::make_shared<CutNormal>(Failure::nan_density, false);
  const Ran unsaid = run_sampler(silent, find_sampler("mala"), short_run(2, 50, 50));
  EXPECT_TRUE(unsaid.outcome.first_exceptions.empty());
  EXPECT_EQ(unsaid.outcome.exceptions, 0U);
}

TEST(BadPoints, AreCountedOnceEach) {
  // A random walk with one density an iteration, started inside: as many as were proposed.
  const auto counted = std::make_shared<std::atomic<std::uint64_t>>(0);
  const auto target = make_target(
      [counted](ConstVectorRef x, VectorRef grad) {
        grad = -x;
        if (x[0] <= 1) return -x.squaredNorm() / 2;
        ++*counted;
        throw std::domain_error("outside");
      },
      1);
  RunOptions options = short_run(2, 100, 400);
  options.start = given_start(Matrix::Zero(1, 2));
  const Ran ran = run_sampler(target, find_sampler("rwm"), options);
  // Every point that throws is asked for twice: in the batch, then alone to find the guilty lane.
  EXPECT_GT(ran.outcome.facts.bad_points, 0U);
  EXPECT_EQ(2 * ran.outcome.facts.bad_points, counted->load());
}

}  // namespace
}  // namespace gadwall
