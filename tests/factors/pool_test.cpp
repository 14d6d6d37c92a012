// Several factors as one: the mean of their covariances, in their own form.
#include "factors/pool.hpp"

#include <gtest/gtest.h>

#include "factors/factor_testing.hpp"
#include "gadwall/error.hpp"

namespace gadwall {
namespace {

void expect_mean_covariance(const std::vector<Factor>& factors) {
  Matrix mean = Matrix::Zero(factors[0].dim(), factors[0].dim());
  for (const Factor& factor : factors) {
    mean += factor.covariance() / static_cast<double>(factors.size());
  }
  const Factor one = pooled(factors);
  EXPECT_EQ(one.kind(), factors[0].kind());
  EXPECT_LT((one.covariance() - mean).norm(), 1e-13 * mean.norm());
}

TEST(PooledFactor, HasTheMeanCovarianceInEveryForm) {
  expect_mean_covariance({Factor::unit(3), Factor::unit(3)});
  expect_mean_covariance({Factor::diagonal(Vector{{1, 2}}), Factor::diagonal(Vector{{3, 0.1}})});
  expect_mean_covariance(
      {Factor::dense(testing::some_factor(6, 1)), Factor::dense(testing::some_factor(6, 2))});
}

TEST(PooledFactor, OfLowRankIsExactForAnyRanks) {
  const Index n = 12;
  const auto low_rank = [](Index rank, std::uint64_t seed) -> Factor {
    return testing::some_low_rank(n, rank, seed);
  };
  expect_mean_covariance({low_rank(2, 1), low_rank(3, 5), low_rank(1, 9)});
  expect_mean_covariance({low_rank(0, 1), low_rank(0, 5)});
  expect_mean_covariance({low_rank(0, 1), low_rank(4, 5)});
  expect_mean_covariance({low_rank(8, 1), low_rank(9, 5)});  // together more than n
}

TEST(PooledFactor, OfEqualFactorsHasTheirRank) {
  const LowRankFactor one = testing::some_low_rank(12, 3, 7);
  const Factor mean = pooled(std::vector<Factor>{one, one, one});
  EXPECT_EQ(mean.as<LowRankFactor>().rank(), 3);
  EXPECT_LT((mean.matrix() - one.matrix()).norm(), 1e-13 * one.matrix().norm());
}

TEST(PooledFactor, RefusesWhatDiffersInFormOrSize) {
  const std::vector<Factor> forms = {Factor::unit(2), Factor::diagonal(Vector::Ones(2))};
  EXPECT_THROW(pooled(forms), UsageError);
  const std::vector<Factor> sizes = {Factor::unit(2), Factor::unit(3)};
  EXPECT_THROW(pooled(sizes), UsageError);
  EXPECT_THROW(pooled({}), UsageError);
}

}  // namespace
}  // namespace gadwall
