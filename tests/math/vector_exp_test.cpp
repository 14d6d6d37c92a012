// The vector exponential against long double, over its whole range and at its edges.
#include "math/vector_exp.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace gadwall {
namespace {

double exp_of(double x) {
  Pack4 packs[1] = {Pack4{-1, x, -2, -3}};
  exp_nonpositive(packs);
  return packs[0][1];
}

double ulps(double got, long double wanted) {
  const auto rounded = static_cast<double>(wanted);
  const double ulp = rounded - std::nextafter(rounded, 0);
  return static_cast<double>(std::abs(got - wanted) / ulp);
}

TEST(VectorExp, IsWithinTwoUnitsInTheLastPlaceOfLongDouble) {
  for (int i = 0; i <= 200'000; ++i) {
    const double x = -708.0 * i / 200'000;
    ASSERT_LE(ulps(exp_of(x), expl(x)), 2) << x;
  }
  for (double x = -1; x < -1e-18; x *= 0.9) ASSERT_LE(ulps(exp_of(x), expl(x)), 2) << x;
}

TEST(VectorExp, IsExactAtZeroAndZeroWhereTheResultIsNoNormalNumber) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(exp_of(0.0), 1);
  EXPECT_EQ(exp_of(-0.0), 1);
  EXPECT_GT(exp_of(kLowestExponent), 0);
  for (const double x : {-708.4, -745.0, -800.0, -1e10, -1e300, -infinity}) {
    EXPECT_EQ(exp_of(x), 0) << x;
  }
}

TEST(VectorExp, PassesNanOn) {
  EXPECT_TRUE(std::isnan(exp_of(std::nan(""))));
}

TEST(VectorExp, DoesTheSameToEveryPositionAndPack) {
  Pack4 packs[3];
  for (int i = 0; i < 12; ++i) packs[i / 4][i % 4] = -0.37 * i;
  exp_nonpositive(packs);
  for (int i = 0; i < 12; ++i) EXPECT_EQ(packs[i / 4][i % 4], exp_of(-0.37 * i)) << i;
}

}  // namespace
}  // namespace gadwall
