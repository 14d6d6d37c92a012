// Ranks, folding and normal scores on entries small enough to check by hand.
#include "diagnostics/ranks.hpp"

#include <gtest/gtest.h>

#include <cmath>

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

TEST(Ranks, FoldingBeyondEveryValueReversesTheOrder) {
  const Matrix x{{1.0}, {2.0}, {3.0}};
  const SortedEntries folded = fold_entries(sort_entries(x), 10);
  EXPECT_EQ(folded.front().position, 2u);
  EXPECT_EQ(folded.back().position, 0u);
}

}  // namespace
}  // namespace gadwall
