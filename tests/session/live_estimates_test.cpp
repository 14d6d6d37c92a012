// Estimates while the draws come, against what is known of them.
#include "session/live_estimates.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "gadwall/diagnostics.hpp"
#include "gadwall/targets.hpp"

namespace gadwall::session {
namespace {

/// x_t = rho x_{t-1} + sqrt(1 - rho^2) e_t: variance 1, ESS N (1 - rho) / (1 + rho).
Vector autoregression(double rho, Index length, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Vector x(length);
  double now = normal(random);
  for (double& value : x) {
    now = rho * now + std::sqrt(1 - rho * rho) * normal(random);
    value = now;
  }
  return x;
}

BlockMeans blocks_of(const Vector& x) {
  BlockMeans blocks(1);
  for (const double value : x) blocks.add(Vector::Constant(1, value));
  return blocks;
}

TEST(LiveEstimates, HaveTheMeanAndVarianceOfTheDraws) {
  const Vector x = autoregression(0.5, 64 * 1024, 1);  // closed blocks hold all of it
  const BlockMeans blocks = blocks_of(x);
  EXPECT_EQ(blocks.draws(), x.size());
  EXPECT_NEAR(blocks.mean()[0], x.mean(), 1e-12);
  EXPECT_NEAR(blocks.variance()[0],
              (x.array() - x.mean()).square().sum() / static_cast<double>(x.size()), 1e-10);
}

TEST(LiveEstimates, HaveTheEssOfAnAutoregression) {
  const Index length = 64 * 1024;
  const double blocks = 64;
  for (const double rho : {0.3, 0.7, 0.9}) {
    double log_ratio = 0;
    const int repeats = 20;
    for (unsigned seed = 1; seed <= repeats; ++seed) {
      const double exact = static_cast<double>(length) * (1 - rho) / (1 + rho);
      log_ratio += std::log(blocks_of(autoregression(rho, length, seed)).quick_ess()[0] / exact);
    }
    // A variance of b block means has relative variance 2 / (b - 1). The smaller of two estimates
    // is taken, but that of the squares has twice the expectation here and seldom is.
    EXPECT_LT(std::abs(log_ratio / repeats), 4 * std::sqrt(2 / (blocks - 1) / repeats)) << rho;
  }
}

TEST(LiveEstimates, KnowNothingOfAFewDraws) {
  const BlockMeans blocks = blocks_of(Vector{{1, 2, 3}});
  EXPECT_TRUE(std::isnan(blocks.quick_ess()[0]));
  EXPECT_TRUE(std::isnan(BlockMeans(1).mean()[0]));
}

RunPlan plan_of(const std::string& target, Index dim, Index chains) {
  TargetOptions options;
  options.dim = dim;
  RunOptions run;
  run.chains = chains;
  return RunPlan(find_target(target).make(options).target, find_sampler("mala"), {}, run);
}

void append(LiveEstimates& estimates, Index chain, const Matrix& values) {
  estimates.append({chain, false, values.cols(), values, Matrix()});
}

TEST(LiveEstimates, NameTheWorstTheApartAndTheUnmoved) {
  LiveEstimates estimates(plan_of("banana", 3, 2));
  const Index length = 4096;
  Matrix apart(length, 2);
  for (Index c = 0; c < 2; ++c) {
    Matrix values(3, length);
    const auto seed = static_cast<unsigned>(10 * c);
    values.row(0) = autoregression(0.2, length, seed + 1).transpose().array() + 5.0 * double(c);
    values.row(1) = autoregression(0.95, length, seed + 2).transpose();
    values.row(2).setConstant(7);
    apart.col(c) = values.row(0);
    append(estimates, c, values);
  }
  const Estimates now = estimates.now();
  EXPECT_EQ(now.worst_name, "x.1");  // chains that disagree know little together
  EXPECT_EQ(now.rhat_name, "x.1");
  const double exact = rhat(apart);
  EXPECT_GT(exact, 1.8);
  EXPECT_NEAR(now.rhat, exact, 0.1 * (exact - 1));
  EXPECT_EQ(now.unmoved, std::vector<std::string>{"x.3"});
  EXPECT_FALSE(now.nothing_moves);
  EXPECT_EQ(now.chain_ess.size(), 2U);
}

/// Chains as the summary takes them, and the same through the live estimates.
void expect_agreement(const std::vector<Vector>& chains, const std::string& what) {
  LiveEstimates estimates(plan_of("banana", 2, static_cast<Index>(chains.size())));
  Matrix x(chains.front().size(), static_cast<Index>(chains.size()));
  for (std::size_t c = 0; c < chains.size(); ++c) {
    x.col(static_cast<Index>(c)) = chains[c];
    Matrix values(2, chains[c].size());
    values.row(0) = chains[c].transpose();
    values.row(1) =
        autoregression(0.1, chains[c].size(), 100 + static_cast<unsigned>(c)).transpose();
    append(estimates, static_cast<Index>(c), values);
  }
  const ParameterDiagnostics exact = diagnose_parameter(x);
  const Estimates now = estimates.now();
  EXPECT_EQ(now.worst_name, "x.1") << what;
  EXPECT_LT(now.worst_ess, 1.5 * worst_ess(exact)) << what;
  EXPECT_GT(now.worst_ess, worst_ess(exact) / 1.5) << what;
  EXPECT_NEAR(now.rhat, exact.rhat, 0.5 * (exact.rhat - 1) + 0.005) << what;
}

TEST(LiveEstimates, AgreeWithTheSummaryAlsoWhereChainsAreSlow) {
  for (const double rho : {0.5, 0.9, 0.99, 0.998}) {
    std::vector<Vector> chains;
    for (unsigned c = 1; c <= 4; ++c) chains.push_back(autoregression(rho, 20000, c));
    expect_agreement(chains, "rho " + std::to_string(rho));
  }
}

/// The worst of many: each estimate that is too low by chance counts.
TEST(LiveEstimates, AgreeWithTheSummaryOfManyValuesThatMixWell) {
  const Index values = 100, chains = 4, length = 16'500;
  LiveEstimates estimates(plan_of("banana", values, chains));
  std::vector<Matrix> all(values, Matrix(length, chains));
  for (Index c = 0; c < chains; ++c) {
    Matrix draws(values, length);
    for (Index i = 0; i < values; ++i) {
      draws.row(i) = autoregression(0.7, length, static_cast<unsigned>(values * c + i)).transpose();
      all[static_cast<std::size_t>(i)].col(c) = draws.row(i).transpose();
    }
    append(estimates, c, draws);
  }
  double exact = worst_ess(diagnose_parameter(all.front()));
  for (const Matrix& x : all) exact = std::fmin(exact, worst_ess(diagnose_parameter(x)));
  const Estimates now = estimates.now();
  EXPECT_GT(now.worst_ess, exact / 1.25);
  EXPECT_LT(now.worst_ess, exact * 1.25);
  EXPECT_GE(now.rhat, 1);
}

TEST(LiveEstimates, SeeAChainThatDriftsAndOneThatStandsApart) {
  std::vector<Vector> drifting;
  std::vector<Vector> apart;
  for (unsigned c = 1; c <= 4; ++c) {
    drifting.push_back(autoregression(0.5, 8000, c) + Vector::LinSpaced(8000, 0, c == 1 ? 2 : 0));
    apart.push_back(autoregression(0.5, 8000, c).array() + (c == 1 ? 1.0 : 0.0));
  }
  expect_agreement(drifting, "drift");
  expect_agreement(apart, "apart");
}

TEST(LiveEstimates, AgreeWithTheSummaryWhereChainsHardlyMove) {
  for (const double gap : {0.0, 5.0, 100.0}) {
    std::vector<Vector> chains;
    for (unsigned c = 1; c <= 4; ++c) {
      chains.push_back(autoregression(0.9999, 20000, c).array() + gap * c);
    }
    expect_agreement(chains, "gap " + std::to_string(gap));
  }
}

TEST(LiveEstimates, OfAChainAloneAreThoseOfAllItsDraws) {
  const Index length = 20000, chains = 64;
  LiveEstimates estimates(plan_of("banana", 4, chains));
  for (Index c = 0; c < chains; ++c) {
    Matrix values(4, length);
    for (Index i = 0; i < 4; ++i) {
      values.row(i) = autoregression(0.5, length, static_cast<unsigned>(4 * c + i)).transpose();
    }
    append(estimates, c, values);
  }
  // 6,667, of which block means tell some thousands; the draws that are kept are 128 at most.
  for (const double ess : estimates.now().chain_ess) EXPECT_GT(ess, 667);
}

TEST(LiveEstimates, AgreeWithTheSummaryWhereTailsAreHeavy) {
  std::vector<Vector> chains;
  for (unsigned c = 1; c <= 4; ++c) {
    chains.push_back((3 * autoregression(0.999, 20000, c)).array().exp());
  }
  expect_agreement(chains, "exp(3 x)");
}

TEST(LiveEstimates, SeeThatNoChainMoves) {
  LiveEstimates estimates(plan_of("banana", 2, 2));
  for (Index c = 0; c < 2; ++c) append(estimates, c, Matrix::Constant(2, 200, double(c)));
  EXPECT_TRUE(estimates.now().nothing_moves);
}

TEST(LiveEstimates, FollowSomeOfVeryManyValues) {
  LiveEstimates estimates(plan_of("funnel", 9000, 1));
  Matrix values = Matrix::Random(9000, 200);
  values.row(4).setZero();     // between two that are followed
  values.row(8997).setZero();  // every third is
  append(estimates, 0, values);
  EXPECT_EQ(estimates.now().unmoved.size(), 1U);
}

}  // namespace
}  // namespace gadwall::session
