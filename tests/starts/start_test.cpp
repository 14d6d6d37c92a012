// Where chains start, and what a run that cannot be done says.
#include <gtest/gtest.h>

#include <cmath>

#include "message_of.hpp"
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
  const SampleResult result = sample(target, {"rwm", {{"step", 1e-14}}, options});
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
  options.start = normal_start(3);
  const Matrix x = starts(testing::autoregression(4), options);
  EXPECT_NEAR(x.mean(), 0, 4 * 3 / std::sqrt(2000.0));
  EXPECT_NEAR(x.squaredNorm() / 2000, 9, 4 * 9 * std::sqrt(2.0 / 2000));
}

TEST(Start, IsTheGivenOne) {
  for (const Index lanes : {1, 2}) {
    RunOptions options = short_run(4, 0, 1);
    options.lanes = lanes;
    const Matrix points{{1, 2, 3, 4}, {-5, -6, -7, -8}};
    options.start = given_start(points);
    const Matrix x = starts(testing::autoregression(2), options);
    EXPECT_LT((x - points).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(Start, OfTheWrongSizeIsAUsersMistake) {
  RunOptions options = short_run(4, 0, 1);
  for (const auto& [rows, columns] : {std::pair{2, 3}, {3, 4}, {4, 2}, {1, 4}}) {
    options.start = given_start(Matrix::Zero(rows, columns));
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
  options.start = given_start(Matrix{{0, kNaN}, {0, 0}});
  const std::string message =
      message_of<RunError>([&] { run_mala(testing::autoregression(2), options); });
  EXPECT_NE(message.find("chain 2"), std::string::npos) << message;
  EXPECT_NE(message.find("at the given start"), std::string::npos) << message;
}

TEST(Start, IsUniformInTheGivenCube) {
  RunOptions options = short_run(500, 0, 1);
  options.start = uniform_start(3);
  const Matrix x = starts(testing::autoregression(4), options);
  EXPECT_LT(x.cwiseAbs().maxCoeff(), 3);
  EXPECT_NEAR(x.squaredNorm() / 2000, 3, 4 * std::sqrt((81.0 / 5 - 9) / 2000));
}

TEST(Start, ComesFromText) {
  EXPECT_EQ(start_from_text("normal")->name(), "normal:1");
  EXPECT_EQ(start_from_text("normal:0.5")->name(), "normal:0.5");
  EXPECT_EQ(start_from_text("uniform:2+far-tail")->name(), "uniform:2+far-tail");
  for (const char* wrong : {"", "normal:", "normal:0", "normal:-1", "normal:x", "uniform:-1",
                            "uniform:nan", "cauchy"}) {
    const std::string message = message_of<UsageError>([&] { start_from_text(wrong); });
    EXPECT_NE(message.find("`start` is '"), std::string::npos) << wrong << ": " << message;
  }
}

TEST(Start, LeavesTheFarTailWhereItIsToldTo) {
  const auto far = make_target(
      [](ConstVectorRef x, VectorRef grad) {
        grad = -(x.array() - 1e6).matrix();
        return -grad.squaredNorm() / 2;
      },
      2);
  RunOptions options = short_run(2, 0, 1);
  options.start = start_from_text("normal:1");
  EXPECT_LT(starts(far, options).maxCoeff(), 10);
  options.start = start_from_text("normal:1+far-tail");
  EXPECT_LT((starts(far, options).array() - 1e6).abs().maxCoeff(), 100);
}

/// A target with suggestions of its own, as a Stan program has them.
class Suggesting final : public Target {
 public:
  Index dim() const override { return 2; }
  void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const override {
    logp = -x.colwise().squaredNorm().transpose() / 2;
    if (grad.size() > 0) grad = -x;
  }
  TargetSuggestions suggestions() const override {
    return {"uniform:7", {{"scout", 30, "initial-scale"}}};
  }
};

TEST(RunPlan, FollowsTheTargetsSuggestionsWhereNothingElseIsAsked) {
  const auto plan = [](const std::string& sampler, const Settings& settings, RunOptions run) {
    return RunPlan(std::make_shared<Suggesting>(), find_sampler(sampler), settings, run);
  };
  const RunPlan suggested = plan("gadmala", {}, {});
  EXPECT_EQ(suggested.start->name(), "uniform:7");
  EXPECT_EQ(suggested.settings.at("scout"), OptionValue(Index{30}));
  EXPECT_EQ(suggested.stages.front().name, "scout");
  EXPECT_EQ(plan("gadmala", {{"scout", 0}}, {}).settings.at("scout"), OptionValue(Index{0}));
  EXPECT_EQ(plan("gadmala", {{"initial-scale", 0.2}}, {}).settings.at("scout"),
            OptionValue(Index{0}));
  EXPECT_FALSE(plan("mala", {}, {}).settings.contains("scout"));
  RunOptions own;
  own.start = normal_start(2);
  EXPECT_EQ(plan("mala", {}, own).start->name(), "normal:2");
}

/// Expects that the plan is refused with a message that has both words.
void expect_refused(const RunOptions& options, const std::string& name, const std::string& value) {
  const std::string message =
      message_of<UsageError>([&] { run_mala(testing::autoregression(2), options); });
  EXPECT_EQ(message.find(name + " is " + value), 0U) << name << ": " << message;
}

TEST(RunPlan, RefusesNumbersThatMakeNoRunByName) {
  RunOptions options = short_run(-1, 1, 1);
  expect_refused(options, "`chains`", "-1");
  options = short_run(4, 1, 1);
  options.lanes = -1;
  expect_refused(options, "`lanes`", "-1");
  options.lanes = 3;
  expect_refused(options, "`lanes`", "3");
  options = short_run(4, 1, 1);
  options.threads = 0;
  expect_refused(options, "`threads`", "0");
  expect_refused(short_run(4, -1, 1), "`warmup`", "-1");
  expect_refused(short_run(4, 1, 0), "`draws`", "0");
}

TEST(RunPlan, RefusesATargetWithoutParameters) {
  EXPECT_THROW(run_mala(nullptr, short_run(1, 1, 1)), UsageError);
  EXPECT_THROW(run_mala(testing::autoregression(0), short_run(1, 1, 1)), UsageError);
}

TEST(RunPlan, RefusesOptionsOutOfRange) {
  const std::string message = message_of<UsageError>([&] {
    const RunPlan plan(testing::autoregression(2), find_sampler("mala"), {{"target-accept", 1.5}},
                       short_run(1, 1, 1));
  });
  EXPECT_NE(message.find("`target-accept` is 1.5"), std::string::npos) << message;
}

}  // namespace
}  // namespace gadwall
