// auto as a whole: its stages, what it chooses, what it records.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gadwall/gadwall.hpp"
#include "samplers/auto.hpp"
#include "targets/banana.hpp"
#include "targets/funnel.hpp"
#include "targets/gaussian.hpp"

namespace gadwall {
namespace {

std::vector<std::string> stage_names(const std::vector<StageFacts>& stages) {
  std::vector<std::string> names;
  for (const StageFacts& stage : stages) names.push_back(stage.name);
  return names;
}

/// The words that a stage has noted under a name, the last ones.
std::string noted(const StageFacts& stage, const std::string& name) {
  std::string words;
  for (const Note& note : stage.notes) {
    if (note.name != name) continue;
    if (const auto* text = std::get_if<std::string>(&note.value)) words = *text;
  }
  return words;
}

std::shared_ptr<const Target> correlated_gaussian(Index n) {
  Matrix covariance = Matrix::Constant(n, n, 0.9);
  covariance.diagonal().setOnes();
  const Vector scales = Vector::LinSpaced(n, -4, 4).array().exp();
  return std::make_shared<Gaussian>(Vector::Zero(n),
                                    scales.asDiagonal() * covariance * scales.asDiagonal());
}

TEST(Auto, NeedsAboutTwoGradientsPerEffectiveDrawOfAGaussian) {
  SampleOptions options;
  options.run.seed = 5;
  const SampleResult result = sample(correlated_gaussian(20), options);
  const RunFacts& facts = result.draws.facts;
  EXPECT_EQ(facts.sampler, "auto");
  EXPECT_EQ(facts.chains, 16);
  EXPECT_EQ(facts.stopped_by, "ess");
  EXPECT_GE(facts.draws, 250);
  EXPECT_GE(result.summary.ess_worst, 1000);
  EXPECT_EQ(stage_names(facts.stages),
            (std::vector<std::string>{"alone", "pooled", "trajectory", "draws"}));
  EXPECT_EQ(noted(facts.stages[1], "metric"), "dense");
  ASSERT_TRUE(result.tuning().trajectory);
  EXPECT_EQ(result.tuning().trajectory->integrator, Integrator::shear);
  EXPECT_LE(result.tuning().trajectory->most_steps, 2);
  EXPECT_GT(result.summary.ess_worst, 0.25 * static_cast<double>(facts.gradients.sampling));
}

TEST(Auto, TakesNutsWhereTheTargetIsCurved) {
  SampleOptions options{.sampler = "auto", .settings = {{"warp", std::string("off")}}};
  options.run.draws = 50;
  const SampleResult result = sample(std::make_shared<Funnel>(10), options);
  ASSERT_TRUE(result.tuning().trajectory);
  EXPECT_EQ(result.tuning().trajectory->most_steps, 0);
  EXPECT_EQ(result.draws.facts.draws, 50);
}

/// |z| of the mean of the first coordinate's f against what it is.
template <class F>
double z_of_first(const SampleResult& result, F f, double expected) {
  double sum = 0, squares = 0;
  Index count = 0;
  for (const Chain& chain : result.draws.chains) {
    for (Index i = 0; i < chain.draws.rows(); ++i) {
      const double value = f(chain.draws(i, 0));
      sum += value;
      squares += value * value;
      ++count;
    }
  }
  const double mean = sum / static_cast<double>(count);
  const double variance = squares / static_cast<double>(count) - mean * mean;
  return std::abs(mean - expected) / std::sqrt(variance / result.summary.ess_worst);
}

TEST(Auto, LearnsTheFunnelAway) {
  SampleOptions options;
  options.run.draws = 1000;
  const SampleResult result = sample(std::make_shared<Funnel>(10), options);
  EXPECT_EQ(noted(result.draws.facts.stages[1], "warp"),
            "v is the scale of x[1..9]; sampled non-centred");
  ASSERT_TRUE(result.tuning().warp);
  EXPECT_EQ(result.draws.facts.divergences, 0u);
  EXPECT_GT(result.summary.ess_worst, 4000);
  EXPECT_LT(z_of_first(
                result, [](double v) { return v; }, 0),
            4);
  EXPECT_LT(z_of_first(
                result, [](double v) { return v * v; }, 9),
            4);
  EXPECT_LT(z_of_first(
                result, [](double v) { return v < -5 ? 1.0 : 0.0; }, 0.04779),
            4);
  // What is written is the model's own.
  const Chain& chain = result.draws.chains.front();
  const Vector x = chain.draws.row(7).transpose();
  Vector logp(1);
  Matrix none;
  Funnel(10).evaluate(x, logp, none);
  EXPECT_NEAR(chain.statistics(7, 0), logp[0], 1e-9 * (1 + std::abs(logp[0])));
}

TEST(Auto, IsThePlainSamplerWhereNoWarpPays) {
  SampleOptions options;
  options.run.draws = 30;
  const SampleResult with = sample(correlated_gaussian(8), options);
  options.sampler = "auto";
  options.settings = {{"warp", std::string("off")}};
  const SampleResult without = sample(correlated_gaussian(8), options);
  EXPECT_FALSE(with.tuning().warp);
  EXPECT_EQ(with.draws.facts.gradients.total(), without.draws.facts.gradients.total());
  for (std::size_t c = 0; c < with.draws.chains.size(); ++c) {
    EXPECT_EQ(with.draws.chains[c].draws, without.draws.chains[c].draws);
  }
}

TEST(Auto, GoesOnInTheCoordinatesOfATuning) {
  const auto target = std::make_shared<Funnel>(10);
  SampleOptions options;
  options.run.draws = 20;
  const SampleResult first = sample(target, options);
  options.run.tuning = first.tuning();
  options.run.warmup = 0;
  options.run.draws = 500;
  const SampleResult again = sample(target, options);
  EXPECT_EQ(stage_names(again.draws.facts.stages), std::vector<std::string>{"draws"});
  EXPECT_LT(z_of_first(
                again, [](double v) { return v * v; }, 9),
            4);
  EXPECT_GT(again.summary.ess_worst, 1500);
}

TEST(Auto, HasAMetricOfLowRankInManyDimensions) {
  const Index n = 500;
  Vector variances = Vector::Ones(n);
  variances.head(5).setConstant(1e4);
  Vector direction = Vector::Ones(n).normalized();
  const Matrix covariance =
      Matrix(variances.asDiagonal()) + 400 * direction * direction.transpose();
  SampleOptions options;
  options.run.draws = 20;
  const SampleResult result =
      sample(std::make_shared<Gaussian>(Vector::Zero(n), covariance), options);
  EXPECT_EQ(result.tuning().factor().kind(), Metric::low_rank);
  EXPECT_LT(result.tuning().factor().as<LowRankFactor>().rank(), 100);
}

TEST(Auto, KeepsTheWarmUpWithinWhatIsAsked) {
  for (const Index warmup : {0, 1, 2, 5, 30, 100}) {
    SampleOptions options;
    options.run.warmup = warmup;
    options.run.draws = 5;
    const SampleResult result = sample(correlated_gaussian(3), options);
    EXPECT_LE(result.draws.facts.warmup, warmup);
    EXPECT_TRUE(result.draws.chains[15].draws.allFinite());
  }
}

TEST(Auto, BeginsWithATuningThatIsGiven) {
  const auto target = correlated_gaussian(4);
  SampleOptions options;
  const SampleResult first = sample(target, options);
  options.run.tuning = first.tuning();
  options.run.warmup = 0;
  options.run.draws = 10;
  const SampleResult at_once = sample(target, options);
  EXPECT_EQ(stage_names(at_once.draws.facts.stages), std::vector<std::string>{"draws"});
  EXPECT_EQ(at_once.tuning().factor().matrix(), first.tuning().factor().matrix());
  options.run.warmup = 100;
  const SampleResult again = sample(target, options);
  EXPECT_EQ(again.draws.facts.stages.front().name, "pooled");  // no lane has to look for scales
}

TEST(Auto, TakesTheMetricThatIsAskedFor) {
  for (const char* metric : {"diag", "dense", "lowrank"}) {
    SampleOptions options{.sampler = "auto", .settings = {{"metric", std::string(metric)}}};
    options.run.draws = 5;
    const SampleResult result = sample(correlated_gaussian(6), options);
    EXPECT_EQ(to_string(result.tuning().factor().kind()), metric);
  }
}

SampleResult short_run_with(const Settings& settings) {
  SampleOptions options{.sampler = "auto", .settings = settings};
  options.run.draws = 5;
  return sample(std::make_shared<Gaussian>(Vector::Zero(3), Matrix::Identity(3, 3)), options);
}

TEST(Auto, LeavesOutThePartsThatAreSwitchedOff) {
  const SampleResult without_alone = short_run_with({{"alone", std::string("off")}});
  EXPECT_EQ(without_alone.draws.facts.stages.front().name, "pooled");
  const SampleResult nuts = short_run_with({{"trajectory", std::string("nuts")}});
  ASSERT_TRUE(nuts.tuning().trajectory);
  EXPECT_EQ(nuts.tuning().trajectory->most_steps, 0);
  EXPECT_EQ(noted(nuts.draws.facts.stages[2], "candidate"), "nuts, shear");
  const SampleResult leapfrog = short_run_with(
      {{"trajectory", std::string("nuts")}, {"integrator", std::string("leapfrog")}});
  EXPECT_EQ(leapfrog.tuning().trajectory->integrator, Integrator::leapfrog);
}

TEST(Auto, DrawsWithTheStepItFoundWhereWarmupEndsBeforeItHasSettled) {
  SampleOptions options;
  options.settings = {{"trajectory", std::string("nuts")}, {"warp", std::string("off")}};
  options.run.warmup = 100;
  options.run.draws = 20;
  const SampleResult result = sample(std::make_shared<Banana>(), options);
  EXPECT_LT(result.tuning().step, PoolingOptions{}.largest_step);
}

TEST(Auto, MakesAMetricFromDrawsAloneWhereThatIsAskedFor) {
  // Scores give the identity exactly, a sample covariance does not.
  const auto distance = [](const Matrix& L) { return (L - Matrix::Identity(3, 3)).norm(); };
  EXPECT_LT(distance(short_run_with({}).tuning().factor().matrix()), 1e-3);
  const Settings from_draws = {{"metric", std::string("dense")},
                               {"metric-from", std::string("draws")}};
  EXPECT_GT(distance(short_run_with(from_draws).tuning().factor().matrix()), 1e-2);
  EXPECT_THROW(short_run_with({{"metric-from", std::string("draws")}}), UsageError);
}

TEST(Auto, RunsWithAnyNumberOfChains) {
  for (const Index chains : {1, 2, 3, 7, 24}) {
    SampleOptions options;
    options.run.chains = chains;
    options.run.draws = 20;
    const SampleResult result = sample(correlated_gaussian(3), options);
    EXPECT_EQ(result.draws.chains.size(), static_cast<std::size_t>(chains));
  }
}

}  // namespace
}  // namespace gadwall
