// What the gad samplers have beyond the paper: pooled batches, the exact drift, low rank factors.
#include "samplers/gad.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <cmath>

#include "gadwall/gadwall.hpp"
#include "targets/gaussian.hpp"

namespace gadwall {
namespace {

std::shared_ptr<const Target> correlated(Index n) {
  Matrix covariance(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      covariance(i, j) = std::pow(0.7, static_cast<double>(std::abs(i - j)));
    }
  }
  return std::make_shared<Gaussian>(Vector::Zero(n), covariance);
}

SampleResult run_pooled(const std::string& sampler, const std::string& metric, Index lanes,
                        bool pool, int threads = 1) {
  SampleOptions options{.sampler = sampler};
  options.settings = {{"pool", pool}, {"metric", metric}, {"learning-rate", 2e-3}};
  if (metric == "lowrank") options.settings["rank"] = Index{2};
  options.run.chains = 16;
  options.run.lanes = lanes;
  options.run.warmup = 300;
  options.run.draws = 5;
  options.run.threads = threads;
  return sample(correlated(5), options);
}

/// The noise of a chain does not depend on its batch: but for rounding both are one algorithm.
TEST(Pool, OfFourBatchesOfFourLanesLearnsWhatOneBatchOfSixteenDoes) {
  for (const char* sampler : {"gadmala", "gadrwm", "gadhmc"}) {
    for (const char* metric : {"dense", "diag", "lowrank"}) {
      const SampleResult one = run_pooled(sampler, metric, 16, false);
      const SampleResult four = run_pooled(sampler, metric, 4, true);
      ASSERT_EQ(four.draws.learnt.size(), 4U);
      const Matrix wanted = one.draws.learnt[0].tuning.factor().covariance();
      const Matrix first = four.draws.learnt[0].tuning.factor().covariance();
      EXPECT_LT((first - wanted).norm(), 1e-4 * wanted.norm()) << sampler << ", " << metric;
      for (std::size_t b = 1; b < 4; ++b) {
        EXPECT_EQ(four.draws.learnt[b].tuning.factor().covariance(), first);
        EXPECT_EQ(four.draws.learnt[b].number("beta"), four.draws.learnt[0].number("beta"));
      }
      EXPECT_NEAR(four.draws.learnt[0].number("beta"), one.draws.learnt[0].number("beta"), 1e-6);
    }
  }
}

TEST(Pool, DependsOnNoThreads) {
  const SampleResult one = run_pooled("gadmala", "dense", 4, true, 1);
  const SampleResult three = run_pooled("gadmala", "dense", 4, true, 3);
  EXPECT_EQ(one.draws.chains[15].draws, three.draws.chains[15].draws);
}

TEST(Pool, SettlesAndRescalesForAllBatches) {
  SampleOptions options{.sampler = "gadmala"};
  options.settings = {{"pool", true}, {"drift", "exact"}, {"learning-rate", 2e-3}};
  options.run.chains = 4;
  options.run.lanes = 2;
  options.run.warmup_settles = true;
  options.run.draws = 5;
  const SampleResult result = sample(correlated(5), options);
  EXPECT_LT(result.draws.facts.warmup, find_sampler("gadmala").warmup);
  const Matrix first = result.draws.learnt[0].tuning.factor().covariance();
  EXPECT_EQ(result.draws.learnt[1].tuning.factor().covariance(), first);
}

TEST(Pool, StartsFromOneScoutedFactor) {
  SampleOptions options{.sampler = "gadmala"};
  options.settings = {{"pool", true}, {"scout", Index{100}}, {"learning-rate", 2e-3}};
  options.run.chains = 4;
  options.run.warmup = 400;
  options.run.draws = 5;
  const SampleResult result = sample(correlated(5), options);
  for (const Learnt& learnt : result.draws.learnt) {
    EXPECT_EQ(learnt.tuning.factor().matrix(), result.draws.learnt[0].tuning.factor().matrix());
  }
}

std::vector<std::string> stage_names(const std::string& sampler, const Settings& settings) {
  std::vector<std::string> names;
  const Circumstances c{.dim = 5, .chains = 1, .warmup = 1000, .iterations = 10};
  for (const Stage& stage : find_sampler(sampler).stages(settings, c)) names.push_back(stage.name);
  return names;
}

TEST(ExactDrift, ChoosesItsAngleInAStageOfItsOwn) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(stage_names("gadmala", {}), (Names{"warm-up", "draws"}));
  EXPECT_EQ(stage_names("gadmala", {{"drift", "exact"}}),
            (Names{"warm-up", "shape and angle", "draws"}));
  EXPECT_EQ(stage_names("gadmala", {{"drift", "exact"}, {"shape", "learnt"}}),
            (Names{"warm-up", "angle", "draws"}));
  EXPECT_EQ(stage_names("gadmala", {{"drift", "exact"}, {"scout", Index{100}}}),
            (Names{"scout", "warm-up", "shape and angle", "draws"}));
}

TEST(ExactDrift, LeavesIterationsForLearningBesideAScout) {
  const Circumstances c{.dim = 5, .chains = 1, .lanes = 1, .warmup = 2000, .iterations = 10};
  const std::vector<Stage> stages =
      find_sampler("gadmala").stages({{"drift", "exact"}, {"scout", Index{1000}}}, c);
  ASSERT_EQ(stages[1].name, "warm-up");
  EXPECT_EQ(stages[0].most + stages[1].most + stages[2].most, 2000);
  EXPECT_EQ(stages[1].most, 500);
}

TEST(ExactDrift, LearnsAllAlongWhereTheCorrectionWouldHaveTooFewPoints) {
  Circumstances c{.dim = 137, .chains = 1, .lanes = 1, .warmup = 2000, .iterations = 10};
  const auto corrects = [&] {
    return find_sampler("gadmala").stages({{"drift", "exact"}}, c)[1].name == "shape and angle";
  };
  EXPECT_TRUE(corrects());  // of 1000 iterations 62 are left out and 250 for the angle: 688
  c.dim = 138;              // five points for each
  EXPECT_FALSE(corrects());
}

TEST(ExactDrift, FindsTheCovarianceOfAGaussianAndALargeAngle) {
  SampleOptions options{.sampler = "gadmala"};
  options.settings = {{"drift", "exact"}, {"learning-rate", 2e-3}};
  options.run.chains = 4;
  options.run.lanes = 4;
  options.run.warmup = 6000;
  options.run.draws = 4000;
  const auto target = correlated(5);
  const SampleResult exact = sample(target, options);
  const Tuning& tuning = exact.tuning();
  ASSERT_TRUE(tuning.trajectory);
  EXPECT_EQ(tuning.trajectory->integrator, Integrator::shear);
  EXPECT_EQ(tuning.trajectory->persistence, GadLangevinOptions().persistence);
  EXPECT_EQ(tuning.step, AngleOptions{}.most);
  EXPECT_NEAR(tuning.factor().covariance().trace() / 5, 1, 0.15);
  options.settings["drift"] = "published";
  const SampleResult published = sample(target, options);
  EXPECT_GT(exact.summary.ess_worst, 1.3 * published.summary.ess_worst);
}

TEST(ExactDrift, TakesTheAngleOfATuningWhereNothingIsLearnt) {
  SampleOptions options{.sampler = "gadmala"};
  options.settings = {{"drift", "exact"}};
  options.run.tuning = Tuning(Factor::dense(Matrix::Identity(5, 5)), 0.9);
  options.run.warmup = 0;
  options.run.draws = 5;
  EXPECT_EQ(sample(correlated(5), options).tuning().step, 0.9);
}

/// Two wide directions in fifty: a factor of rank two finds them.
TEST(LowRankGad, FindsWideDirections) {
  constexpr Index n = 30;
  Matrix wide(n, 2);
  fill_normal(LaneNoise{3, 0, 0}, Purpose::start, wide);
  const Matrix covariance = Matrix::Identity(n, n) + 3 * wide * wide.transpose();
  SampleOptions options{.sampler = "gadmala"};
  options.settings = {{"metric", "lowrank"}, {"rank", Index{2}}, {"learning-rate", 2e-3}};
  options.run.chains = 16;
  options.run.lanes = 16;
  options.run.warmup = 4000;
  options.run.draws = 500;
  const auto target = std::make_shared<Gaussian>(Vector::Zero(n), covariance);
  const SampleResult low_rank = sample(target, options);
  const auto& factor = low_rank.tuning().factor().as<LowRankFactor>();
  EXPECT_EQ(factor.rank(), 2);
  EXPECT_GT(factor.eigenvalues().minCoeff(), 20);  // 3 |w|^2 is about 90
  options.settings["metric"] = "diag";
  options.settings.erase("rank");
  const SampleResult diagonal = sample(target, options);
  EXPECT_GT(low_rank.summary.ess_worst, 5 * diagonal.summary.ess_worst);
}

/// Five wide directions of 300.
Matrix wide_covariance() {
  constexpr Index n = 300;
  Matrix wide(n, 5);
  fill_normal(LaneNoise{3, 0, 0}, Purpose::start, wide);
  return Matrix::Identity(n, n) + 0.3 * wide * wide.transpose();
}

SampleResult run_low_rank(const Matrix& covariance, const std::string& drift) {
  SampleOptions options{.sampler = "gadmala"};
  options.settings = {
      {"metric", "lowrank"}, {"rank", Index{5}}, {"drift", drift}, {"learning-rate", 1.5e-3}};
  options.run.chains = 16;
  options.run.lanes = 16;
  options.run.warmup = 1500;
  options.run.draws = 100;
  return sample(std::make_shared<Gaussian>(Vector::Zero(covariance.rows()), covariance), options);
}

/// The condition of L^-1 covariance L^-T: 1 where L has the target's shape.
double condition_left(const Factor& factor, const Matrix& covariance) {
  const Matrix L = factor.matrix();
  const Matrix left = L.inverse() * covariance * L.transpose().inverse();
  const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(left).eigenvalues();
  return values[values.size() - 1] / values[0];
}

/// Of about 90, by a learning rate for 16 lanes; 9 where directions turn as fast as it lets them,
/// since what they stray is stretched with them.
TEST(LowRankGad, LearnsTheShapeOfWideDirections) {
  const Matrix covariance = wide_covariance();
  const SampleResult result = run_low_rank(covariance, "published");
  EXPECT_LT(condition_left(result.tuning().factor(), covariance), 5);
}

/// Its last stage makes such a target white, so that every angle is accepted and the largest is
/// taken; with L as it was learnt two thirds of the draws are.
TEST(LowRankGad, WithTheExactDriftMakesWideDirectionsWhite) {
  const Matrix covariance = wide_covariance();
  const SampleResult result = run_low_rank(covariance, "exact");
  EXPECT_LT(condition_left(result.tuning().factor(), covariance), 1.1);
  EXPECT_GT(result.draws.facts.accept_rate, 0.9);
}

TEST(GadOptions, RefuseAFloorOfBetaAboveItsCeiling) {
  for (const double floor : {50.0, 200.0}) {
    SampleOptions options{.sampler = "gadmala"};
    options.settings = {{"metric", std::string("lowrank")}, {"beta-floor", floor}};
    options.run.warmup = options.run.draws = 10;
    const auto target = std::make_shared<Gaussian>(Vector::Zero(2), Matrix::Identity(2, 2));
    if (floor < 100) {
      EXPECT_NO_THROW(sample(target, options));
    } else {
      EXPECT_THROW(sample(target, options), UsageError);
    }
  }
}

}  // namespace
}  // namespace gadwall
