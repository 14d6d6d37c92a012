// Autocovariances averaged over chains, against plain sums.
#include "diagnostics/autocovariance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "diagnostics/reference_chains.hpp"

namespace gadwall {
namespace {

double plain_autocovariance(const Matrix& x, Index lag) {
  double sum = 0;
  for (Index c = 0; c < x.cols(); ++c) {
    const double mean = x.col(c).mean();
    for (Index i = 0; i + lag < x.rows(); ++i) sum += (x(i, c) - mean) * (x(i + lag, c) - mean);
  }
  return sum / static_cast<double>(x.size());
}

// Lags below 32 are dot products, the others come from FFTs of two lengths; odd and even numbers of
// chains.
TEST(MeanAutocovariance, EqualsPlainSumsAtEveryLag) {
  for (const char* name : {"ar_middle", "ar_negative", "alone", "large_mean", "short_7_4"}) {
    const Matrix& x = testing::reference_chains(name);
    MeanAutocovariance autocovariance(x);
    const double variance = plain_autocovariance(x, 0);
    for (Index lag = 0; lag < x.rows(); ++lag) {
      EXPECT_NEAR(autocovariance(lag), plain_autocovariance(x, lag), 1e-10 * variance)
          << name << ", lag " << lag;
    }
  }
}

TEST(MeanAutocovariance, DoesNotDependOnTheOrderOfTheQuestions) {
  const Matrix& x = testing::reference_chains("ar_middle");
  MeanAutocovariance upwards(x), last_first(x);
  const Index last = x.rows() - 1;
  const double at_last = last_first(last);
  for (Index lag = 0; lag < last; ++lag) {
    EXPECT_NEAR(last_first(lag), upwards(lag), 1e-13 * upwards(0)) << "lag " << lag;
  }
  EXPECT_NEAR(at_last, upwards(last), 1e-13 * upwards(0));
}

TEST(MeanAutocovariance, IsExactlyZeroForConstantChains) {
  MeanAutocovariance autocovariance(Matrix::Constant(200, 3, 0.1));
  for (const Index lag : {0, 1, 31, 32, 199}) EXPECT_EQ(autocovariance(lag), 0);
  EXPECT_EQ(autocovariance.chain_means(), Vector::Constant(3, 0.1));
}

}  // namespace
}  // namespace gadwall
