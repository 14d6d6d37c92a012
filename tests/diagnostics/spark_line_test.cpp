// A trace in a few characters.
#include "text/spark_line.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "diagnostics/made_draws.hpp"

namespace gadwall {
namespace {

TEST(SparkLine, IsLevelForChainsThatMixed) {
  EXPECT_EQ(spark_line(testing::good_draws(4, 4000, 1).parameter(0)), "▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄");
}

TEST(SparkLine, ShowsADrift) {
  EXPECT_EQ(spark_line(Vector::LinSpaced(1600, -1, 1)), "▁▁▁▁▁▁▂▃▅▆▇▇▇▇▇▇");
}

TEST(SparkLine, GivesEveryChainAtLeastOnePiece) {
  Matrix x = Matrix::Zero(10, 20);
  x.col(19).setOnes();
  const std::string line = spark_line(x);
  EXPECT_EQ(line.size(), 3U * 20U);
  EXPECT_TRUE(line.ends_with("▇"));
}

TEST(SparkLine, HasDotsWhereThereIsNothingToDraw) {
  EXPECT_EQ(spark_line(Matrix::Constant(8, 8, 1.0)), "················");
  EXPECT_EQ(spark_line(Matrix::Constant(1, 2, std::nan(""))), "··");
  EXPECT_EQ(spark_line(Matrix(0, 2)), "");
}

}  // namespace
}  // namespace gadwall
