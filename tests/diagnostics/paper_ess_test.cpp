// Geyer's initial monotone sequence on one chain.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "diagnostics/normal_quantile.hpp"
#include "diagnostics/reference_chains.hpp"
#include "gadwall/diagnostics.hpp"

namespace gadwall {
namespace {

// All N lags by plain sums, then the definition word by word.
double direct_ess(const Vector& x) {
  const Index n = x.size();
  double mean = 0;
  for (const double value : x) mean += value / static_cast<double>(n);
  std::vector<double> covariance;
  for (Index t = 0; t < n; ++t) {
    double sum = 0;
    for (Index i = 0; i + t < n; ++i) sum += (x[i] - mean) * (x[i + t] - mean);
    covariance.push_back(sum / static_cast<double>(n));
  }
  std::vector<double> pairs;
  for (std::size_t t = 0; t + 1 < covariance.size(); t += 2) {
    pairs.push_back((covariance[t] + covariance[t + 1]) / covariance[0]);
  }
  for (std::size_t j = 1; j < pairs.size(); ++j) pairs[j] = std::min(pairs[j], pairs[j - 1]);
  double tau = -1;
  for (std::size_t j = 0; j < pairs.size() && pairs[j] > 0; ++j) tau += 2 * pairs[j];
  return tau < 1 ? static_cast<double>(n) : static_cast<double>(n) / tau;
}

// x_t = phi x_{t-1} + sqrt(1 - phi^2) e_t, started from its stationary law.
Vector ar1(Index n, double phi) {
  std::mt19937_64 generator(7);
  const auto normal = [&] {
    return normal_quantile((static_cast<double>(generator() >> 12) + 0.5) * 0x1p-52);
  };
  Vector x(n);
  x[0] = normal();
  for (Index i = 1; i < n; ++i) x[i] = phi * x[i - 1] + std::sqrt(1 - phi * phi) * normal();
  return x;
}

TEST(PaperEss, EqualsTheDirectSumsOnEveryChain) {
  int compared = 0;
  for (const testing::ReferenceCase& c : testing::reference_cases()) {
    if (!c.chains.allFinite() || c.name.find("constant") != std::string::npos) continue;
    if (c.chains.rows() < 2) continue;
    for (Index k = 0; k < c.chains.cols(); ++k) {
      const double wanted = direct_ess(c.chains.col(k));
      EXPECT_NEAR(ess_paper(c.chains.col(k)), wanted, 1e-8 * wanted) << c.name << ", chain " << k;
      ++compared;
    }
  }
  EXPECT_GT(compared, 100);
}

TEST(PaperEss, EqualsTheDirectSumsWhenTheFftIsNeeded) {
  for (const Index n : {130, 997, 3001}) {
    const Vector x = ar1(n, 0.99);
    const double wanted = direct_ess(x);
    EXPECT_NEAR(ess_paper(x), wanted, 1e-8 * wanted) << "N = " << n;
  }
}

TEST(PaperEss, FindsTheKnownTimeOfAnAutoregression) {
  // tau = (1 + phi) / (1 - phi); the estimate has about 3 % sd here, biased upwards by the
  // positive end of the sequence.
  const Index n = 200000;
  for (const double phi : {0.5, 0.9}) {
    const double tau = (1 + phi) / (1 - phi);
    EXPECT_NEAR(static_cast<double>(n) / ess_paper(ar1(n, phi)), tau, 0.1 * tau);
  }
}

TEST(PaperEss, IsCappedAtTheNumberOfDraws) {
  EXPECT_EQ(ess_paper(ar1(5000, -0.5)), 5000);
}

TEST(PaperEss, IsNaNForChainsThatSayNothing) {
  Vector x = ar1(50, 0.5);
  x[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(ess_paper(x)));
  x[3] = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(ess_paper(x)));
  EXPECT_TRUE(std::isnan(ess_paper(Vector::Constant(50, 0.1))));
  EXPECT_TRUE(std::isnan(ess_paper(Vector::Constant(1, 0.1))));
  EXPECT_TRUE(std::isnan(ess_paper(Vector())));
}

}  // namespace
}  // namespace gadwall
