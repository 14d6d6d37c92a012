// Autocovariances averaged over chains, against plain sums.
#include "diagnostics/autocovariance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "diagnostics/indicator_autocovariance.hpp"
#include "diagnostics/lagged_products.hpp"
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

// The first lags are dot products, the others come from FFTs; odd and even numbers of chains.
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

// One block and several, whole and cut short; columns cut into pieces, eight at once, more than
// that.
TEST(LaggedProducts, EqualPlainSumsForEveryShape) {
  for (const Index rows : {1, 2, 3, 31, 64, 257, 1000}) {
    for (const Index columns : {1, 2, 3, 8, 9, 17}) {
      Matrix x(rows, columns);
      for (Index i = 0; i < x.size(); ++i) {
        x.data()[i] = std::sin(0.7 * static_cast<double>(i * i % 1013));
      }
      for (const Index lags : {1, 2, 5, 8, 16, 33, 257, 1000}) {
        if (lags > rows) continue;
        const Vector products = lagged_products(x, lags);
        ASSERT_EQ(products.size(), lags);
        for (Index k = 0; k < lags; k += 1 + lags / 50) {
          double sum = 0;
          for (Index c = 0; c < columns; ++c) {
            sum += x.col(c).head(rows - k).dot(x.col(c).tail(rows - k));
          }
          ASSERT_NEAR(products[k], sum, 1e-13 * static_cast<double>(x.size()))
              << rows << " x " << columns << ", lag " << k << " of " << lags;
        }
      }
    }
  }
}

TEST(MeanAutocovariance, OfLongChainsEqualsPlainSumsToo) {
  Matrix x(20000, 2);
  for (Index i = 0; i < x.rows(); ++i) {
    x(i, 0) = std::sin(0.3 * static_cast<double>(i * i % 977));
    x(i, 1) = 5 + std::cos(0.01 * static_cast<double>(i));
  }
  MeanAutocovariance autocovariance(x);
  const double variance = plain_autocovariance(x, 0);
  for (const Index lag : {1, 7, 8, 31, 32, 100, 1023, 1024, 5000, 8191, 8192, 19999}) {
    EXPECT_NEAR(autocovariance(lag), plain_autocovariance(x, lag), 1e-11 * variance) << lag;
  }
}

/// Transforms larger than the caches, of one block and of several, and chains that are slow enough
/// to be seen from afar first.
TEST(MeanAutocovariance, OfSlowChainsEqualsPlainSums) {
  for (const Index rows : {Index{15000}, Index{60000}}) {
    Matrix x(rows, 3);
    double state = 0.5;
    for (Index i = 0; i < x.size(); ++i) {
      state = 0.9995 * state + 0.03 * std::sin(0.7 * static_cast<double>(i * i % 1013));
      x.data()[i] = state;
    }
    MeanAutocovariance autocovariance(x);
    const double variance = plain_autocovariance(x, 0);
    for (const Index lag :
         {Index{0}, Index{1}, Index{7}, Index{40}, Index{5000}, rows / 2, rows - 1}) {
      EXPECT_NEAR(autocovariance(lag), plain_autocovariance(x, lag), 1e-11 * variance) << lag;
    }
  }
}

TEST(LaggedProducts, EqualPlainSumsForManyLags) {
  Matrix x(40000, 2);
  for (Index i = 0; i < x.size(); ++i) {
    x.data()[i] = std::sin(0.7 * static_cast<double>(i * i % 1013));
  }
  for (const Index lags : {300, 5000, 9000, 17000, 40000}) {
    const Vector products = lagged_products(x, lags);
    for (Index k = 0; k < lags; k += lags / 7) {
      double sum = 0;
      for (Index c = 0; c < 2; ++c) sum += x.col(c).head(40000 - k).dot(x.col(c).tail(40000 - k));
      ASSERT_NEAR(products[k], sum, 1e-13 * static_cast<double>(x.size())) << k << " of " << lags;
    }
  }
}

TEST(IndicatorAutocovariance, EqualsThatOfZerosAndOnes) {
  for (const char* name : {"ar_middle", "ar_negative", "alone", "short_7_4"}) {
    const Matrix& x = testing::reference_chains(name);
    const double limit = x.mean() + 0.3;
    const IndicatorAutocovariance counted(x, limit);
    const Matrix indicators = (x.array() <= limit).cast<double>();
    EXPECT_TRUE(counted.chain_means().isApprox(indicators.colwise().mean().transpose(), 1e-14));
    for (Index lag = 0; lag < x.rows(); ++lag) {
      EXPECT_NEAR(counted(lag), plain_autocovariance(indicators, lag), 1e-13) << name << lag;
    }
    EXPECT_FALSE(counted.is_constant());
    EXPECT_TRUE(IndicatorAutocovariance(x, 1e300).is_constant());
    EXPECT_TRUE(IndicatorAutocovariance(x, -1e300).is_constant());
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
