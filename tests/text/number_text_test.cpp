// Numbers for people.
#include "text/number_text.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gadwall {
namespace {

TEST(NumberText, GroupsDigits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(12431), "12,431");
  EXPECT_EQ(grouped(1234567890), "1,234,567,890");
}

TEST(NumberText, RoundsCountsAndKeepsThreeDigitsOfRates) {
  EXPECT_EQ(count_text(84.6), "85");
  EXPECT_EQ(count_text(-1234.2), "-1,234");
  EXPECT_EQ(count_text(NAN), "-");
  EXPECT_EQ(count_text(INFINITY), "inf");
  EXPECT_EQ(rate_text(1594.2), "1,590");
  EXPECT_EQ(rate_text(0.01234), "0.0123");
  EXPECT_EQ(rate_text(999.7), "1,000");
  EXPECT_EQ(rate_text(325203), "325,000");
  EXPECT_EQ(rate_text(0), "0");
  EXPECT_EQ(rate_text(INFINITY), "-");
  EXPECT_EQ(ratio_text(1.0213), "1.021");
  EXPECT_EQ(ratio_text(NAN), "-");
}

TEST(NumberText, ShowsOnWhichSideOfALimit) {
  EXPECT_EQ(text_beside(1.0213, 1.01, 3), "1.021");
  EXPECT_EQ(text_beside(1.01004, 1.01, 3), "1.01004");
  EXPECT_EQ(text_beside(1.01, 1.01, 3), "1.010");
  EXPECT_EQ(text_beside(399.7, 400, 0), "399.7");
  EXPECT_EQ(text_beside(87.4, 400, 0), "87");
  EXPECT_EQ(text_beside(0.29999, 0.3, 2), "0.29999");
  EXPECT_EQ(text_beside(NAN, 400, 0), "-");
  EXPECT_EQ(text_beside(INFINITY, 1.01, 3), "inf");
}

TEST(NumberText, KnowsOneFromMany) {
  EXPECT_EQ(counted(1, "bad point"), "1 bad point");
  EXPECT_EQ(counted(0, "bad point"), "0 bad points");
  EXPECT_EQ(counted(1200, "bad point"), "1,200 bad points");
}

}  // namespace
}  // namespace gadwall
