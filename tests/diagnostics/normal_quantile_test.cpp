// The inverse normal distribution function against R's qnorm.
#include "diagnostics/normal_quantile.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "diagnostics/reference_chains.hpp"

namespace gadwall {
namespace {

TEST(NormalQuantile, EqualsRsQnormToTheLastDigits) {
  std::ifstream in = testing::open_reference("qnorm.txt");
  double p = 0, wanted = 0;
  int lines = 0;
  for (; in >> p >> wanted; ++lines) {
    EXPECT_NEAR(normal_quantile(p), wanted, 1e-15 * std::abs(wanted)) << "at p = " << p;
  }
  EXPECT_EQ(lines, 31);
}

TEST(NormalQuantile, IsInfiniteAtTheEndsAndNaNOutside) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(normal_quantile(0), -infinity);
  EXPECT_EQ(normal_quantile(1), infinity);
  EXPECT_TRUE(std::isnan(normal_quantile(-0.01)));
  EXPECT_TRUE(std::isnan(normal_quantile(1.01)));
  EXPECT_TRUE(std::isnan(normal_quantile(std::nan(""))));
}

}  // namespace
}  // namespace gadwall
