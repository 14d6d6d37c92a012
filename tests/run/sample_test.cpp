// Sampling from a C++ program: a density in, matrices and a summary out.
#include "gadwall/sample.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <span>

#include "gadwall/error.hpp"
#include "run/run_testing.hpp"

namespace gadwall {
namespace {

using testing::short_run;

double standard_normal(ConstVectorRef x, VectorRef grad) {
  grad = -x;
  return -x.squaredNorm() / 2;
}

TEST(Sample, TakesADensityOfVectors) {
  const auto density = [](auto x, auto grad) {
    grad = -x;
    return -0.5 * x.squaredNorm();
  };
  const SampleResult result = sample(density, 3, {"mala", {}, short_run(2, 50, 40)});
  ASSERT_EQ(result.draws.chains.size(), 2U);
  EXPECT_EQ(result.draws.chains[1].draws.rows(), 40);
  EXPECT_EQ(result.draws.chains[1].draws.cols(), 3);
  EXPECT_EQ(result.draws.chains[1].statistics.rows(), 40);
  EXPECT_EQ(result.draws.statistics, common_statistics());
  EXPECT_EQ(result.draws.chains[1].statistics.cols(), 7);
  EXPECT_EQ(result.draws.names, (std::vector<std::string>{"x.1", "x.2", "x.3"}));
  EXPECT_EQ(result.draws.learnt.size(), 2U);
}

TEST(Sample, TakesADensityOfSpansAndGetsTheSameDraws) {
  const auto of_spans = [](std::span<const double> x, std::span<double> grad) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum += x[i] * x[i];
      grad[i] = -x[i];
    }
    return -sum / 2;
  };
  const SampleOptions options{"rwm", {}, short_run(1, 50, 40)};
  const SampleResult spans = sample(of_spans, 1, options);
  const SampleResult vectors = sample(standard_normal, 1, options);
  EXPECT_EQ(spans.draws.chains[0].draws, vectors.draws.chains[0].draws);
}

TEST(Sample, IsAutoThatEndsByItselfUnlessToldOtherwise) {
  const SampleResult result = sample(standard_normal, 1);
  EXPECT_EQ(result.draws.facts.sampler, "auto");
  EXPECT_EQ(result.draws.facts.chains, 16);
  EXPECT_EQ(result.draws.facts.stopped_by, "ess");
  EXPECT_GE(result.summary.ess_worst, 1000);
  EXPECT_LT(result.summary.rhat_max, 1.01);
}

TEST(Sample, OfGadmalaHasThePapersLengths) {
  const SampleResult result = sample(standard_normal, 1, {.sampler = "gadmala"});
  EXPECT_EQ(result.draws.facts.chains, 4);
  EXPECT_EQ(result.draws.facts.warmup, 20000);
  EXPECT_EQ(result.draws.draws(), 20000);
}

TEST(Sample, UsesTheNumbersItIsGiven) {
  const Settings numbers = {{"leapfrog", 3}, {"step", 0.25}};
  const SampleResult result = sample(standard_normal, 2, {"hmc", numbers, short_run(1, 0, 10)});
  EXPECT_EQ(result.draws.facts.gradients.total(), 31U);
  EXPECT_EQ(result.tuning().step, 0.25);
  EXPECT_EQ(result.draws.facts.settings.at("leapfrog"), "3");
}

TEST(Sample, KeepsTheNamesOfTheTarget) {
  const auto target = make_target(standard_normal, 2, {"alpha", "beta"});
  const SampleResult result = sample(target, {"mala", {}, short_run(1, 10, 10)});
  EXPECT_EQ(result.draws.names, (std::vector<std::string>{"alpha", "beta"}));
  EXPECT_EQ(result.summary.parameters[1].name, "beta");
}

TEST(Sample, GivesTheDrawsThatASinkOfTheSameRunSees) {
  const auto target = testing::autoregression(2);
  const RunOptions options = short_run(3, 30, 20);
  const SampleResult result = sample(target, {"nuts", {}, options});
  const testing::Ran ran = testing::run_sampler(target, find_sampler("nuts"), options);
  for (std::size_t c = 0; c < 3; ++c) {
    for (Index i = 0; i < 20; ++i) {
      const auto row = static_cast<std::size_t>(i);
      EXPECT_EQ(Vector(result.draws.chains[c].draws.row(i)), ran.chains[c].draws[row]);
      EXPECT_EQ(Vector(result.draws.chains[c].statistics.row(i)), ran.chains[c].statistics[row]);
    }
  }
}

TEST(Sample, ReportsTheStatisticsOfHamiltonianKernels) {
  const SampleResult result = sample(standard_normal, 2, {"nuts", {}, short_run(1, 200, 100)});
  const Vector depth = result.draws.statistic(0, "tree_depth");
  const Vector leapfrogs = result.draws.statistic(0, "leapfrogs");
  const Vector energy = result.draws.statistic(0, "energy");
  // 2^depth - 1 steps of complete doublings, and those of a last one that turned on the way
  for (Index i = 0; i < 100; ++i) {
    EXPECT_GE(leapfrogs[i], std::exp2(depth[i]) - 1);
    EXPECT_LE(leapfrogs[i], std::exp2(depth[i] + 1) - 1);
  }
  EXPECT_GE(leapfrogs.minCoeff(), 1);
  EXPECT_TRUE((energy.array() >= -result.draws.statistic(0, "log_density").array()).all());
  EXPECT_EQ(result.draws.facts.divergences, 0U);
}

TEST(Sample, RefusesWhatDoesNotFit) {
  EXPECT_THROW(sample(standard_normal, 2, {"gadmalla", {}, {}}), UsageError);
  EXPECT_THROW(sample(standard_normal, 2, {"mala", {{"metric", "dense"}}, {}}), UsageError);
}

TEST(Sample, NamesTheCoordinateOfAWrongGradient) {
  const auto wrong = [](auto x, auto grad) {
    grad = -x;
    grad[1] *= 2;
    return -0.5 * x.squaredNorm();
  };
  SampleOptions options{"mala", {}, short_run(1, 10, 10)};
  const SampleResult result = sample(wrong, 3, options);
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_NE(result.warnings[0].find("the gradient of x.2 is"), std::string::npos);
  EXPECT_TRUE(sample(standard_normal, 3, options).warnings.empty());
  options.check_gradient = false;
  EXPECT_TRUE(sample(wrong, 3, options).warnings.empty());
  options.check_gradient = true;
  options.sampler = "rwm";  // has no use for it
  EXPECT_TRUE(sample(wrong, 3, options).warnings.empty());
}

TEST(Sample, HasTheNameItIsGiven) {
  SampleOptions options{"mala", {}, short_run(1, 10, 10)};
  options.name = "three normals";
  const SampleResult result = sample(standard_normal, 3, options);
  EXPECT_EQ(result.draws.facts.target, "three normals");
  EXPECT_EQ(result.summary.facts.target, "three normals");
}

TEST(Sample, ShowsItsProgressWhereThatIsAskedFor) {
  SampleOptions options{"mala", {}, short_run(2, 10, 10)};
  ::testing::internal::CaptureStderr();
  sample(standard_normal, 3, options);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  options.progress = true;
  ::testing::internal::CaptureStderr();
  sample(standard_normal, 3, options);
  const std::string shown = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(shown.find("2 chains  acceptance"), std::string::npos);
  EXPECT_TRUE(shown.ends_with("\r\033[2K"));  // and is gone in the end
}

TEST(Sample, EndsWithItsDrawsOnCtrlCWhereThatIsAskedFor) {
  int calls = 0;
  const auto density = [&calls](ConstVectorRef x, VectorRef grad) {
    if (++calls == 1000) std::raise(SIGINT);
    return standard_normal(x, grad);
  };
  SampleOptions options{"mala", {}, short_run(1, 10, 1'000'000'000)};
  options.stop_on_interrupt = true;
  struct sigaction before = {}, after = {};
  sigaction(SIGINT, nullptr, &before);
  const SampleResult result = sample(density, 2, options);
  sigaction(SIGINT, nullptr, &after);
  EXPECT_EQ(result.draws.facts.stopped_by, "signal");
  EXPECT_GE(result.draws.draws(), 900);
  EXPECT_EQ(result.summary.facts.draws, result.draws.draws());
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

TEST(MemorySink, GivesTheDrawsSoFar) {
  const auto target = make_target(standard_normal, 2, {"a", "b"});
  const RunPlan plan(target, find_sampler("mala"), {}, short_run(2, 10, 10));
  MemorySink sink(plan);
  EXPECT_EQ(sink.so_far().draws(), 0);
  for (int i = 0; i < 3; ++i) {
    sink.write(0, i * Vector::Unit(7, 0), Vector{{10.0 + i, 20.0 + i}});
    sink.write(1, i * Vector::Unit(7, 6), Vector{{30.0 + i, 40.0 + i}});
  }
  const Draws draws = sink.so_far();
  EXPECT_EQ(draws.names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(draws.chains[0].draws, (Matrix{{10, 20}, {11, 21}, {12, 22}}));
  EXPECT_EQ(draws.chains[1].draws, (Matrix{{30, 40}, {31, 41}, {32, 42}}));
  EXPECT_EQ(draws.statistic(0, "log_density"), (Vector{{0, 1, 2}}));
  EXPECT_EQ(draws.statistic(1, "energy"), (Vector{{0, 1, 2}}));
  EXPECT_EQ(draws.statistic(1, "trajectory").size(), 0);
}

TEST(Sample, RefusesToKeepWarmUp) {
  RunOptions run = short_run(1, 10, 10);
  run.save_warmup = true;
  EXPECT_THROW(sample(standard_normal, 2, {"mala", {}, run}), UsageError);
}

}  // namespace
}  // namespace gadwall
