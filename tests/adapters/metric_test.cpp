// Stan's warm-up on transitions made by hand, and on a Gaussian whose variances are known.
#include "adapters/metric.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

#include "adapters/lesson_testing.hpp"
#include "gadwall/sample.hpp"
#include "targets/gaussian.hpp"

namespace gadwall {
namespace {

using testing::HandMade;

constexpr Index kWarmup = 200;  // windows 75 ... 99 and 100 ... 149

MetricOptions options_for(Metric metric, Index warmup = kWarmup) {
  return {.metric = to_string(metric),
          .initial_step = 0.5,
          .step = {},
          .windows = {},
          .warmup = warmup};
}

/// The draws of one iteration: n x lanes, correlated, different at every call.
Matrix draws_at(Index iteration, Index n, Index lanes) {
  return testing::some_factor(n, 9) *
         testing::some_numbers(n, lanes, 1000 + static_cast<std::uint64_t>(iteration));
}

/// The adapter after a whole warm-up in which every lane moved to draws_at(iteration).
struct Warmed {
  Warmed(const MetricOptions& options, Index n, Index lanes)
      : made(n, lanes), adapter(options), tuning(adapter.initial_tuning(n)) {
    made.density.gradient(made.before.x, made.before.logp, made.before.grad);
    adapter.start(made.before, made.density, {}, tuning);
    first_step = tuning.step;
    for (Index t = 0; t < options.warmup; ++t) {
      State& next = made.transition.next;
      next.x = draws_at(t, n, lanes);
      made.density.gradient(next.x, next.logp, next.grad);
      adapter.learn(made.lesson(static_cast<std::uint64_t>(t)), tuning);
      made.before.x = next.x;
    }
    last_step = tuning.step;
    adapter.finish(tuning);
  }

  HandMade made;
  MetricAdapter adapter;
  Tuning tuning;
  double first_step = 0, last_step = 0;
};

/// (N C + 5e-3 I) / (N + 5) of the draws of the last window, all lanes together.
Matrix covariance_of_last_window(Index n, Index lanes) {
  Matrix x(n, 50 * lanes);
  for (Index t = 100; t < 150; ++t) x.middleCols((t - 100) * lanes, lanes) = draws_at(t, n, lanes);
  const auto count = static_cast<double>(x.cols());
  const Matrix centred = x.colwise() - Vector(x.rowwise().mean());
  const Matrix covariance = centred * centred.transpose() / (count - 1);
  return (count * covariance + 5e-3 * Matrix::Identity(n, n)) / (count + 5);
}

TEST(MetricAdapter, BeginsWithTheIdentityInTheFormItLearns) {
  for (const Metric metric : {Metric::unit, Metric::diag, Metric::dense}) {
    const Tuning tuning = MetricAdapter(options_for(metric)).initial_tuning(3);
    EXPECT_EQ(tuning.factor().kind(), metric);
    EXPECT_EQ(tuning.factor().matrix(), Matrix(Matrix::Identity(3, 3)));
  }
}

TEST(MetricAdapter, TakesTheCovarianceOfTheLastWindowOfAllLanes) {
  for (const Index lanes : {1, 3}) {
    const Matrix wanted = covariance_of_last_window(4, lanes);
    const Warmed dense(options_for(Metric::dense), 4, lanes);
    EXPECT_LT((dense.tuning.factor().covariance() - wanted).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_TRUE(dense.tuning.factor().matrix().isLowerTriangular(0));
    const Warmed diag(options_for(Metric::diag), 4, lanes);
    const Vector variances = diag.tuning.factor().covariance_diagonal();
    EXPECT_LT((variances - wanted.diagonal()).cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST(MetricAdapter, LearnsOnlyTheStepWithAUnitMetric) {
  const Warmed unit(options_for(Metric::unit), 3, 1);
  EXPECT_EQ(unit.tuning.version(), unit.adapter.initial_tuning(3).version());
  // Acceptance 0.5 at every iteration against a target of 0.8: the step only falls.
  EXPECT_LT(unit.tuning.step, 0.5);
}

TEST(MetricAdapter, UsesTheAveragedStepAfterWarmup) {
  HandMade made(2, 2);
  MetricAdapter adapter(options_for(Metric::unit, 10));
  Tuning tuning = adapter.initial_tuning(2);
  adapter.start(made.before, made.density, {}, tuning);
  EXPECT_EQ(tuning.step, 0.5);
  DualAveraging reference(DualAveragingOptions{});
  reference.restart(0.5);
  for (Index t = 0; t < 10; ++t) {
    made.transition.accept << 0.1 * static_cast<double>(t), 1;
    adapter.learn(made.lesson(static_cast<std::uint64_t>(t)), tuning);
    EXPECT_EQ(tuning.step, reference.learn(made.transition.accept.mean()));
  }
  adapter.finish(tuning);
  EXPECT_EQ(tuning.step, reference.average());
}

TEST(MetricAdapter, KeepsTheStepItFoundWhenThereIsNoWarmup) {
  const Warmed searched({.metric = "diag", .step = {}, .windows = {}, .warmup = 0}, 3, 1);
  EXPECT_EQ(searched.tuning.step, searched.first_step);
  const Warmed given(options_for(Metric::diag, 0), 3, 1);
  EXPECT_EQ(given.tuning.step, 0.5);
}

TEST(MetricAdapter, KeepsTheStepItFoundWhenWarmupEndsWithAWindow) {
  MetricOptions options = options_for(Metric::diag);
  options.windows.end = 0;  // nothing was averaged since the last window
  const Warmed warmed(options, 3, 1);
  EXPECT_EQ(warmed.tuning.step, warmed.last_step);
}

TEST(MetricAdapter, KeepsTheOldMetricAfterAWindowOfOneDraw) {
  for (const char* from : {"draws", "scores"}) {
    MetricOptions options = options_for(Metric::dense, 20);
    options.from = from;
    options.is_tuned = true;
    options.windows = {.start = 18, .base = 1, .end = 1};
    const Warmed warmed(options, 3, 1);
    EXPECT_EQ(warmed.tuning.factor().matrix(), Matrix(Matrix::Identity(3, 3))) << from;
  }
}

MetricOptions from_scores(const std::string& metric) {
  MetricOptions options = options_for(Metric::unit);
  options.metric = metric;
  options.from = "scores";
  return options;
}

TEST(MetricAdapter, LearnsDiagonalAndDenseFromDrawsAndOtherFormsFromScoresUnlessItIsTold) {
  const auto learns = [](const char* metric, const char* from) {
    MetricOptions options;
    options.metric = metric;
    options.from = from;
    return options.from_scores();
  };
  EXPECT_FALSE(learns("diag", "auto"));
  EXPECT_FALSE(learns("dense", "auto"));
  EXPECT_FALSE(learns("unit", "auto"));
  EXPECT_TRUE(learns("lowrank", "auto"));
  EXPECT_TRUE(learns("auto", "auto"));
  EXPECT_TRUE(learns("dense", "scores"));
  EXPECT_FALSE(learns("dense", "draws"));
}

TEST(MetricAdapter, BeginsFromScoresWithTheSizesOfTheFirstGradientUnlessItIsTuned) {
  for (const char* metric : {"diag", "dense", "lowrank", "auto"}) {
    MetricOptions options = from_scores(metric);
    HandMade made(3, 2);
    made.before.grad << 1e8, 3e8, 0, 0, -1e-4, 1e-4;
    const auto first = [&] {
      MetricAdapter adapter(options);
      Tuning tuning = adapter.initial_tuning(3);
      adapter.start(made.before, made.density, {}, tuning);
      return tuning.factor();
    };
    // 1 / sqrt|g|, shrunk by 0.15 %: pi^2 / 16 of a variance of 401. A flat coordinate says
    // nothing.
    const Vector wanted{{1 / std::sqrt(2e8), 1 / std::sqrt(std::sqrt(2e8 * 1e-4)), 100}};
    const Vector found = first().matrix_diagonal();
    EXPECT_LT(found.cwiseQuotient(wanted).array().log().abs().maxCoeff(), 0.02) << metric;
    EXPECT_EQ(first().kind(), options.form().value_or(Metric::diag));
    options.is_tuned = true;
    EXPECT_EQ(first().matrix(), Matrix(Matrix::Identity(3, 3))) << metric;
  }
}

/// Sizes of normals, which differ by chance alone.
TEST(MetricAdapter, MakesNothingOfGradientsThatDifferAsEqualScalesDo) {
  HandMade made(40, 1);
  MetricAdapter adapter(from_scores("diag"));
  Tuning tuning = adapter.initial_tuning(40);
  adapter.start(made.before, made.density, {}, tuning);
  const Vector scales = tuning.factor().matrix_diagonal();
  EXPECT_LT(scales.maxCoeff() / scales.minCoeff(), 1.5);
  const Vector sizes = made.before.grad.cwiseAbs();
  EXPECT_GT(std::sqrt(sizes.maxCoeff() / sizes.minCoeff()), 5);
}

// The draws are correlated, and not those of the target, N(0, I); the scores -x know better.
TEST(MetricAdapter, LearnsFromScoresAsWellAsDraws) {
  for (const char* metric : {"diag", "dense", "lowrank", "auto"}) {
    for (const bool is_on_its_way : {false, true}) {
      MetricOptions options = from_scores(metric);
      options.is_on_its_way = is_on_its_way;
      const Warmed warmed(options, 4, 2);
      const Matrix found = warmed.tuning.factor().matrix();
      EXPECT_LT((found - Matrix::Identity(4, 4)).cwiseAbs().maxCoeff(), 1e-10) << metric;
    }
  }
}

TEST(MetricAdapter, LearnsTheVariancesOfAGaussian) {
  // 500 draws of the last window from each of 4 lanes; their squares are worth at least a quarter
  // of as many independent ones, so the variances have a relative standard error below
  // sqrt(2 / 500).
  const Vector variances{{0.01, 1, 100}};
  const auto target = std::make_shared<Gaussian>(Vector::Zero(3), Matrix(variances.asDiagonal()));
  for (const Metric metric : {Metric::diag, Metric::dense}) {
    SampleOptions options{
        .sampler = "nuts", .settings = {{"metric", to_string(metric)}}, .run = {}};
    options.run.lanes = 4;
    options.run.draws = 1;
    const SampleResult result = sample(target, options);
    const Vector learnt = result.tuning().factor().covariance_diagonal();
    for (Index i = 0; i < 3; ++i) {
      EXPECT_NEAR(learnt[i] / variances[i], 1, 4 * std::sqrt(2.0 / 500)) << "coordinate " << i;
    }
  }
}

}  // namespace
}  // namespace gadwall
