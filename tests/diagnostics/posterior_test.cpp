// Every diagnostic equals R's posterior on the stored chains.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "diagnostics/reference_chains.hpp"
#include "gadwall/diagnostics.hpp"
#include "gadwall/error.hpp"

namespace gadwall {
namespace {

using testing::expect_same;
using testing::reference_cases;
using testing::reference_chains;
using testing::ReferenceCase;

void expect_posterior(const std::string& what, double (*diagnostic)(const Matrix&)) {
  for (const ReferenceCase& c : reference_cases()) {
    expect_same(diagnostic(c.chains), c.number(what), what + " of " + c.name);
  }
}

void expect_posterior(const std::string& what, double (*diagnostic)(const Matrix&, double)) {
  for (const ReferenceCase& c : reference_cases()) {
    int seen = 0;
    for (const auto& n : c.numbers) {
      if (n.what != what) continue;
      expect_same(diagnostic(c.chains, n.p), n.value,
                  what + " " + std::to_string(n.p) + " of " + c.name);
      ++seen;
    }
    EXPECT_EQ(seen, 8) << what << " of " << c.name;
  }
}

TEST(Posterior, TheReferenceHoldsEveryCase) {
  EXPECT_EQ(reference_cases().size(), 57u);
}

TEST(Posterior, RhatAgrees) {
  expect_posterior("rhat", rhat);
}

TEST(Posterior, BasicRhatAgrees) {
  expect_posterior("rhat_basic", rhat_basic);
}

TEST(Posterior, BulkEssAgrees) {
  expect_posterior("ess_bulk", ess_bulk);
}

TEST(Posterior, TailEssAgrees) {
  expect_posterior("ess_tail", ess_tail);
}

TEST(Posterior, EssOfTheMeanAgrees) {
  expect_posterior("ess_mean", ess_mean);
}

TEST(Posterior, EssOfTheSdAgrees) {
  expect_posterior("ess_sd", ess_sd);
}

TEST(Posterior, EssOfSquaredDeviationsAgrees) {
  expect_posterior("ess_square", ess_square);
}

TEST(Posterior, EssOfQuantilesAgrees) {
  expect_posterior("ess_quantile", ess_quantile);
}

TEST(Posterior, McseOfTheMeanAgrees) {
  expect_posterior("mcse_mean", mcse_mean);
}

TEST(Posterior, McseOfTheSdAgrees) {
  expect_posterior("mcse_sd", mcse_sd);
}

TEST(Posterior, McseOfQuantilesAgrees) {
  expect_posterior("mcse_quantile", mcse_quantile);
}

TEST(Posterior, QuantilesAgree) {
  expect_posterior("quantile", quantile);
}

TEST(Diagnostics, AParameterAtOnceEqualsTheSeparateFunctions) {
  for (const ReferenceCase& c : reference_cases()) {
    const Matrix& x = c.chains;
    const ParameterDiagnostics d = diagnose_parameter(x);
    expect_same(d.mean, c.number("mean"), "mean of " + c.name);
    expect_same(d.sd, c.number("sd"), "sd of " + c.name);
    expect_same(d.q05, quantile(x, 0.05), "q05 of " + c.name);
    expect_same(d.q50, quantile(x, 0.5), "q50 of " + c.name);
    expect_same(d.q95, quantile(x, 0.95), "q95 of " + c.name);
    expect_same(d.mcse_mean, mcse_mean(x), "mcse_mean of " + c.name);
    expect_same(d.mcse_sd, mcse_sd(x), "mcse_sd of " + c.name);
    expect_same(d.ess_mean, ess_mean(x), "ess_mean of " + c.name);
    expect_same(d.ess_bulk, ess_bulk(x), "ess_bulk of " + c.name);
    expect_same(d.ess_tail, ess_tail(x), "ess_tail of " + c.name);
    expect_same(d.ess_sq, ess_square(x), "ess_sq of " + c.name);
    expect_same(d.rhat, rhat(x), "rhat of " + c.name);
  }
}

TEST(Diagnostics, WorstEssIsTheSmallestOfBulkTailAndSquare) {
  ParameterDiagnostics d{};
  d.ess_mean = 1;
  d.ess_bulk = 30;
  d.ess_tail = 20;
  d.ess_sq = 10;
  EXPECT_EQ(worst_ess(d), 10);
  d.ess_tail = 5;
  EXPECT_EQ(worst_ess(d), 5);
  d.ess_bulk = 2;
  EXPECT_EQ(worst_ess(d), 2);
}

TEST(Diagnostics, WorstEssIsNaNWhereTheBulkEssIs) {
  ParameterDiagnostics d{};
  d.ess_bulk = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(worst_ess(d)));
}

TEST(Diagnostics, WorstEssOfACountIsThatOfWhatIsDefined) {
  Matrix x(400, 4);  // 0, 1 or 2: far more than 5 % of the draws share the extreme values
  for (Index i = 0; i < x.size(); ++i) x(i) = static_cast<double>((i * i + i / 7) % 3);
  const ParameterDiagnostics d = diagnose_parameter(x);
  ASSERT_TRUE(std::isnan(d.ess_tail));
  EXPECT_EQ(worst_ess(d), std::min(d.ess_bulk, d.ess_sq));
}

TEST(Diagnostics, AnAntitheticChainIsBetrayedByItsSquares) {
  const Matrix& x = reference_chains("ar_very_negative");
  EXPECT_GT(ess_mean(x), static_cast<double>(x.size()));
  EXPECT_LT(ess_square(x), 0.2 * static_cast<double>(x.size()));
}

TEST(Diagnostics, NoDrawsGiveNaN) {
  for (const Matrix& x : {Matrix(0, 0), Matrix(0, 4), Matrix(4, 0)}) {
    const ParameterDiagnostics d = diagnose_parameter(x);
    for (const double value :
         {d.mean, d.sd, d.q50, d.mcse_mean, d.mcse_sd, d.ess_mean, d.ess_bulk, d.ess_tail, d.ess_sq,
          d.rhat, rhat_basic(x), ess_sd(x), ess_quantile(x, 0.5), mcse_quantile(x, 0.5)}) {
      EXPECT_TRUE(std::isnan(value));
    }
  }
}

TEST(Diagnostics, AProbabilityOutsideTheUnitIntervalIsAUsageError) {
  const Matrix& x = reference_chains("normal");
  for (const double p : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(quantile(x, p), UsageError);
    EXPECT_THROW(ess_quantile(x, p), UsageError);
    EXPECT_THROW(mcse_quantile(x, p), UsageError);
  }
}

}  // namespace
}  // namespace gadwall
