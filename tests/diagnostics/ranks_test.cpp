// Ranks, folding and normal scores on entries small enough to check by hand.
#include "diagnostics/ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "diagnostics/normal_quantile.hpp"

namespace gadwall {
namespace {

TEST(Ranks, TiesShareTheMeanOfTheirRanks) {
  const Matrix x{{3, 1}, {1, 7}, {1, 5}};  // ranks 4 2; 2 6; 2 5
  const Matrix z = normal_scores(sort_entries(x), 3, 2);
  const auto score = [](double rank) { return normal_quantile((rank - 0.375) / 6.25); };
  const Matrix wanted{{score(4), score(2)}, {score(2), score(6)}, {score(2), score(5)}};
  EXPECT_EQ(z, wanted);
}

TEST(Ranks, FoldingSortsTheDistancesAndKeepsTheirPlaces) {
  const Matrix x{{-4.0}, {2.0}, {0.5}, {9.0}, {-1.0}};
  const SortedEntries folded = fold_entries(sort_entries(x), 0.5);
  ASSERT_EQ(folded.size(), 5u);
  double before = 0;
  for (const PlacedValue& entry : folded) {
    EXPECT_EQ(entry.value, std::abs(x(entry.position, 0) - 0.5));
    EXPECT_GE(entry.value, before);
    before = entry.value;
  }
}

/// Values of all kinds, more than are sorted by comparisons.
TEST(Ranks, ManyEntriesAreInOrderWhateverTheirSizes) {
  constexpr Index kMany = 20000;
  std::mt19937_64 engine(3);
  std::normal_distribution<double> normal;
  const auto made = [&](auto value) { return Matrix(Matrix::NullaryExpr(kMany, 1, value)); };
  Matrix outlier = made([&] { return 1e6 + 1e-3 * normal(engine); });
  outlier(77, 0) = -5;  // beside it the leading digits of all others agree
  Matrix special = made([&] { return std::round(normal(engine)); });
  special(5, 0) = -0.0;
  special(4, 0) = special(3, 0) = 0.0;
  special(6, 0) = std::numeric_limits<double>::infinity();
  special(7, 0) = -std::numeric_limits<double>::infinity();
  const Matrix spread = made([&] { return std::exp(300 * normal(engine)) * normal(engine); });
  for (const Matrix& x : {outlier, special, spread, made([&] { return normal(engine); })}) {
    const SortedEntries sorted = sort_entries(x);
    std::vector<bool> seen(kMany, false);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      for (std::uint32_t k = 0; k < sorted[i].count; ++k) {
        EXPECT_EQ(sorted[i].value, x(sorted[i].position + k, 0));
        EXPECT_FALSE(seen[sorted[i].position + k]);
        seen[sorted[i].position + k] = true;
      }
      if (i > 0) {
        EXPECT_LE(sorted[i - 1].value, sorted[i].value);
      }
    }
    EXPECT_EQ(std::ranges::count(seen, true), kMany);
  }
}

/// As rejected proposals leave them; the last draws of one chain are not the first of the next.
TEST(Ranks, EqualDrawsInARowAreOneEntryOfTheirChain) {
  const Matrix x{{2, 1}, {2, 1}, {1, 3}, {1, 3}};
  const SortedEntries sorted = sort_entries(x);
  ASSERT_EQ(sorted.size(), 4U);
  for (const PlacedValue& entry : sorted) EXPECT_EQ(entry.count, 2U);
  const Matrix z = normal_scores(sorted, 4, 2);
  const auto score = [](double rank) { return normal_quantile((rank - 0.375) / 8.25); };
  const Matrix wanted{{score(5.5), score(2.5)},
                      {score(5.5), score(2.5)},
                      {score(2.5), score(7.5)},
                      {score(2.5), score(7.5)}};
  EXPECT_EQ(z, wanted);
}

TEST(Ranks, MomentsOfScoresAreThoseOfTheMatrix) {
  std::mt19937_64 engine(4);
  std::normal_distribution<double> normal;
  Matrix x = Matrix::NullaryExpr(500, 3, [&] { return std::round(4 * normal(engine)); });
  x.col(1).setConstant(2);  // scores of equal draws have no spread at all
  const SortedEntries sorted = sort_entries(x);
  const Matrix z = normal_scores(sorted, 500, 3);
  const ColumnMoments moments = moments_of_scores(sorted, 500, 3);
  for (Index c = 0; c < 3; ++c) {
    const double mean = z.col(c).mean();
    EXPECT_NEAR(moments.means[c], mean, 1e-13);
    EXPECT_NEAR(moments.variances[c], (z.col(c).array() - mean).square().sum() / 499, 1e-12);
  }
  EXPECT_EQ(moments.variances[1], 0);
  EXPECT_EQ(moments.range, z.maxCoeff() - z.minCoeff());
}

TEST(Ranks, FoldingBeyondEveryValueReversesTheOrder) {
  const Matrix x{{1.0}, {2.0}, {3.0}};
  const SortedEntries folded = fold_entries(sort_entries(x), 10);
  EXPECT_EQ(folded.front().position, 2u);
  EXPECT_EQ(folded.back().position, 0u);
}

}  // namespace
}  // namespace gadwall
