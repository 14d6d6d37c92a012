// Where chains start, and what a run that cannot be done says.
#include <gtest/gtest.h>

#include <cmath>

#include "run/run_testing.hpp"

namespace gadwall {
namespace {

using testing::message_of;
using testing::Ran;
using testing::short_run;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The starting points, n x chains: a random walk whose step is next to nothing.
Matrix starts(const std::shared_ptr<const Target>& target, const RunOptions& options) {
  SamplerOptions numbers = defaults("rwm");
  numbers.step = 1e-14;
  const SampleResult result = sample(target, {"rwm", numbers, options});
  Matrix x(target->dim(), options.chains);
  for (Index c = 0; c < x.cols(); ++c) {
    x.col(c) = result.draws.chains[static_cast<std::size_t>(c)].draws.row(0).transpose();
  }
  return x;
}

void run_mala(const std::shared_ptr<const Target>& target, const RunOptions& options) {
  testing::run_sampler(target, find_sampler("mala"), options);
}

std::shared_ptr<const Target> constant_density(double logp) {
  return make_target(
      [logp](ConstVectorRef, VectorRef grad) {
        grad.setZero();
        return logp;
      },
      2);
}

TEST(Start, IsNormalWithTheGivenSpread) {
  RunOptions options = short_run(500, 0, 1);
  options.start_sd = 3;
  const Matrix x = starts(testing::autoregression(4), options);
  EXPECT_NEAR(x.mean(), 0, 4 * 3 / std::sqrt(2000.0));
  EXPECT_NEAR(x.squaredNorm() / 2000, 9, 4 * 9 * std::sqrt(2.0 / 2000));
}

TEST(Start, IsTheGivenOne) {
  for (const Index lanes : {1, 2}) {
    RunOptions options = short_run(4, 0, 1);
    options.lanes = lanes;
    options.start = Matrix{{1, 2, 3, 4}, {-5, -6, -7, -8}};
    const Matrix x = starts(testing::autoregression(2), options);
    EXPECT_LT((x - options.start).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(Start, OfTheWrongSizeIsAUsersMistake) {
  RunOptions options = short_run(4, 0, 1);
  for (const auto& [rows, columns] : {std::pair{2, 3}, {3, 4}, {4, 2}, {1, 4}}) {
    options.start = Matrix::Zero(rows, columns);
    const std::string message =
        message_of<UsageError>([&] { run_mala(testing::autoregression(2), options); });
    const std::string seen = std::to_string(rows) + " x " + std::to_string(columns);
    EXPECT_NE(message.find(seen), std::string::npos) << message;
    EXPECT_NE(message.find("expected 2 x 4"), std::string::npos) << message;
  }
}

TEST(Start, IsDrawnAgainUntilTheDensityIsFinite) {
  const auto positive = make_target(
      [](ConstVectorRef x, VectorRef grad) {
        grad = -x;
        return x[0] > 0 ? -x.squaredNorm() / 2 : -kInfinity;
      },
      1);
  const Matrix x = starts(positive, short_run(50, 0, 1));
  EXPECT_GT(x.minCoeff(), 0);
}

TEST(Start, DoesNotDependOnLanesOrOtherChainsWhenDrawnAgain) {
  const auto positive = make_target(
      [](ConstVectorRef x, VectorRef grad) {
        grad = -x;
        return x[0] > 0 ? -x.squaredNorm() / 2 : kNaN;
      },
      1);
  RunOptions options = short_run(6, 0, 1);
  const Matrix alone = starts(positive, options);
  options.lanes = 3;
  EXPECT_LT((starts(positive, options) - alone).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Start, ThatIsNowhereFiniteFailsTheRunAndSaysWhatWasSeen) {
  for (const double logp : {-kInfinity, kNaN, kInfinity}) {
    const std::string message =
        message_of<RunError>([&] { run_mala(constant_density(logp), short_run(2, 5, 5)); });
    for (const char* part : {"chain 1", "no finite log density", "100 starts", "-inf or NaN"}) {
      EXPECT_NE(message.find(part), std::string::npos) << message;
    }
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}

TEST(Start, WithoutAFiniteGradientFailsTheRun) {
  const auto target = make_target(
      [](ConstVectorRef, VectorRef grad) {
        grad.setConstant(kNaN);
        return 0.0;
      },
      2);
  const std::string message = message_of<RunError>([&] { run_mala(target, short_run(1, 5, 5)); });
  EXPECT_NE(message.find("gradient"), std::string::npos) << message;
}

TEST(Start, WhereTheTargetThrowsFailsTheRunWithItsWords) {
  const auto target = make_target(
      [](ConstVectorRef, VectorRef) -> double { throw std::domain_error("scale is negative"); }, 2);
  const std::string message = message_of<RunError>([&] { run_mala(target, short_run(2, 5, 5)); });
  EXPECT_NE(message.find("scale is negative"), std::string::npos) << message;
  EXPECT_NE(message.find("threw 100 times"), std::string::npos) << message;
}

TEST(Start, ThatIsGivenAndBadFailsTheRunOfItsChain) {
  RunOptions options = short_run(2, 5, 5);
  options.start = Matrix{{0, kNaN}, {0, 0}};
  const std::string message =
      message_of<RunError>([&] { run_mala(testing::autoregression(2), options); });
  EXPECT_NE(message.find("chain 2"), std::string::npos) << message;
  EXPECT_NE(message.find("at the given start"), std::string::npos) << message;
}

/// Expects that the plan is refused with a message that has both words.
void expect_refused(const RunOptions& options, const std::string& name, const std::string& value) {
  const std::string message =
      message_of<UsageError>([&] { run_mala(testing::autoregression(2), options); });
  EXPECT_EQ(message.find(name + " is " + value), 0U) << name << ": " << message;
}

TEST(RunPlan, RefusesNumbersThatMakeNoRunByName) {
  RunOptions options = short_run(0, 1, 1);
  expect_refused(options, "--chains", "0");
  options = short_run(4, 1, 1);
  options.lanes = 0;
  expect_refused(options, "--lanes", "0");
  options.lanes = 3;
  expect_refused(options, "--lanes", "3");
  options = short_run(4, 1, 1);
  options.threads = 0;
  expect_refused(options, "--threads", "0");
  options = short_run(4, 1, 1);
  options.start_sd = -1;
  expect_refused(options, "--start-sd", "-1");
  options.start_sd = kNaN;
  expect_refused(options, "--start-sd", "nan");
  expect_refused(short_run(4, -1, 1), "--warmup", "-1");
  expect_refused(short_run(4, 1, 0), "--draws", "0");
}

TEST(RunPlan, RefusesATargetWithoutParameters) {
  EXPECT_THROW(run_mala(nullptr, short_run(1, 1, 1)), UsageError);
  EXPECT_THROW(run_mala(testing::autoregression(0), short_run(1, 1, 1)), UsageError);
}

TEST(RunPlan, RefusesOptionsOutOfRange) {
  SamplerOptions numbers = defaults("mala");
  numbers.target_accept = 1.5;
  const std::string message = message_of<UsageError>([&] {
    const RunPlan plan(testing::autoregression(2), find_sampler("mala"), numbers,
                       short_run(1, 1, 1));
  });
  EXPECT_NE(message.find("--target-accept is 1.5"), std::string::npos) << message;
}

}  // namespace
}  // namespace gadwall
