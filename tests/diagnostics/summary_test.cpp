// The summary of a run: ranges over the parameters, the worst ESS, efficiency per cost.
#include "gadwall/summary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gadwall/noise.hpp"

namespace gadwall {
namespace {

constexpr Index kDraws = 400;
constexpr Index kChains = 3;

/// `dim` parameters; parameter j is an autoregression with coefficient j / 5.
Draws some_draws(Index dim) {
  Draws draws;
  for (Index j = 0; j < dim; ++j) draws.names.push_back("p" + std::to_string(j));
  for (Index c = 0; c < kChains; ++c) {
    Matrix x(kDraws, dim);
    fill_normal(LaneNoise{7, static_cast<std::uint32_t>(100 * c), 0}, Purpose::proposal, x);
    for (Index j = 0; j < dim; ++j) {
      for (Index i = 1; i < kDraws; ++i) x(i, j) += static_cast<double>(j) / 5 * x(i - 1, j);
    }
    draws.chains.push_back({x, Matrix(kDraws, 0)});
  }
  draws.facts.chains = kChains;
  draws.facts.draws = kDraws;
  return draws;
}

/// One of the numbers for every parameter, sorted.
template <class Number>
std::vector<double> sorted(const Draws& draws, Number number) {
  std::vector<double> values;
  for (Index j = 0; j < draws.dim(); ++j) values.push_back(number(draws.parameter(j)));
  std::ranges::sort(values);
  return values;
}

void expect_spread(const Spread& spread, const std::vector<double>& values) {
  EXPECT_DOUBLE_EQ(spread.min, values.front());
  EXPECT_DOUBLE_EQ(spread.max, values.back());
  EXPECT_LT(spread.min, spread.max);
}

TEST(Summary, GivesEveryParameterItsNameAndNumbers) {
  const Draws draws = some_draws(3);
  const Summary summary = summarise(draws);
  ASSERT_EQ(summary.parameters.size(), 3U);
  for (Index j = 0; j < 3; ++j) {
    const ParameterSummary& parameter = summary.parameters[static_cast<std::size_t>(j)];
    const Matrix x = draws.parameter(j);
    EXPECT_EQ(parameter.name, draws.names[static_cast<std::size_t>(j)]);
    EXPECT_NEAR(parameter.values.mean, x.mean(), 1e-14);
    EXPECT_DOUBLE_EQ(parameter.values.ess_bulk, ess_bulk(x));
    EXPECT_DOUBLE_EQ(parameter.values.rhat, rhat(x));
  }
  EXPECT_EQ(summary.facts.draws, kDraws);
  EXPECT_EQ(summary.facts.chains, kChains);
}

TEST(Summary, SpreadsOverTheParameters) {
  for (const Index dim : {4, 5}) {
    const Draws draws = some_draws(dim);
    const Summary summary = summarise(draws);
    const auto bulk = sorted(draws, ess_bulk);
    const auto tail = sorted(draws, ess_tail);
    expect_spread(summary.ess_bulk, bulk);
    expect_spread(summary.ess_tail, tail);
    EXPECT_DOUBLE_EQ(summary.ess_bulk.median, dim == 5 ? bulk[2] : (bulk[1] + bulk[2]) / 2);
    EXPECT_DOUBLE_EQ(summary.ess_tail.median, dim == 5 ? tail[2] : (tail[1] + tail[2]) / 2);
    EXPECT_DOUBLE_EQ(summary.rhat_max, sorted(draws, rhat).back());
  }
}

TEST(Summary, AveragesThePapersEssOverTheChains) {
  const Draws draws = some_draws(4);
  const auto paper = sorted(draws, [](const Matrix& x) {
    return (ess_paper(x.col(0)) + ess_paper(x.col(1)) + ess_paper(x.col(2))) / 3;
  });
  const Summary summary = summarise(draws);
  expect_spread(summary.ess_paper, paper);
  EXPECT_DOUBLE_EQ(summary.ess_paper.median, (paper[1] + paper[2]) / 2);
}

TEST(Summary, JudgesByTheSmallestOfBulkTailAndSquare) {
  const Draws draws = some_draws(4);
  const auto worst = sorted(draws, [](const Matrix& x) {
    return std::min({ess_bulk(x), ess_tail(x), ess_square(x)});
  });
  EXPECT_DOUBLE_EQ(summarise(draws).ess_worst, worst.front());
}

TEST(Summary, SeesTheSlownessThatAnAntitheticChainHides) {
  // x_t = (-1)^t s_t with s_t > 0 slow: the mean is known very well, the square is not.
  Draws draws = some_draws(1);
  for (Chain& chain : draws.chains) {
    double level = 0;
    for (Index i = 0; i < kDraws; ++i) {
      level = 0.95 * level + chain.draws(i, 0);
      chain.draws(i, 0) = (i % 2 == 0 ? 1 : -1) * std::exp(level / 4);
    }
  }
  const Summary summary = summarise(draws);
  EXPECT_GT(summary.ess_bulk.min, kDraws * kChains);
  EXPECT_LT(summary.ess_worst, kDraws * kChains / 5);
}

TEST(Summary, LeavesWhatTheModelFixesOutOfTheFiguresOverParameters) {
  Draws draws = some_draws(3);
  Draws others = draws;
  for (std::size_t c = 0; c < draws.chains.size(); ++c) {
    draws.chains[c].draws.col(2).setConstant(2.5);
    others.chains[c].draws = draws.chains[c].draws.leftCols(2).eval();
  }
  others.names.resize(2);
  const Summary summary = summarise(draws);
  const Summary wanted = summarise(others);
  EXPECT_EQ(summary.ess_worst, wanted.ess_worst);
  EXPECT_EQ(summary.rhat_max, wanted.rhat_max);
  EXPECT_EQ(summary.ess_paper.median, wanted.ess_paper.median);
  EXPECT_EQ(summary.parameters[2].values.mean, 2.5);
  EXPECT_TRUE(std::isnan(summary.parameters[2].values.ess_bulk));
}

TEST(Summary, HasNoFiguresWhereEverythingIsConstant) {
  Draws draws = some_draws(2);
  for (Chain& chain : draws.chains) chain.draws.setConstant(2.5);
  const Summary summary = summarise(draws);
  EXPECT_TRUE(std::isnan(summary.ess_worst));
  EXPECT_TRUE(std::isnan(summary.rhat_max));
  EXPECT_TRUE(std::isnan(summary.ess_paper.min));
}

TEST(Summary, OfNoDrawsHasNoFigures) {
  Draws draws;
  draws.names = {"a"};
  EXPECT_TRUE(std::isnan(summarise(draws).ess_worst));
  draws.chains.push_back({Matrix(0, 1), Matrix(0, 0)});
  EXPECT_TRUE(std::isnan(summarise(draws).ess_worst));
  EXPECT_TRUE(std::isnan(summarise(draws).ess_paper.min));
}

TEST(Summary, DividesTheWorstEssByTheWholeCost) {
  Summary summary;
  summary.ess_worst = 100;
  summary.facts.seconds = {1.5, 0.5};
  summary.facts.gradients = {300, 100};
  EXPECT_DOUBLE_EQ(summary.ess_worst_per_second(), 50);
  EXPECT_DOUBLE_EQ(summary.ess_worst_per_gradient(), 0.25);
  summary.facts.densities = {50, 50};  // count like gradients
  EXPECT_DOUBLE_EQ(summary.ess_worst_per_gradient(), 0.2);
}

TEST(Summary, HasNoEfficiencyWithoutACost) {
  Summary summary;
  summary.ess_worst = 100;
  EXPECT_TRUE(std::isnan(summary.ess_worst_per_second()));
  EXPECT_TRUE(std::isnan(summary.ess_worst_per_gradient()));
}

}  // namespace
}  // namespace gadwall
