// The funnel: its marginal and conditional distributions, found by integrating the density itself.
#include "targets/funnel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "message_of.hpp"
#include "targets/target_checks.hpp"

namespace gadwall {
namespace {

using namespace gadwall::testing;

struct Slice {
  double weight = 0;    // integral of pi over x_1, x_2 for one v
  double variance = 0;  // of x_1 given v
};

/// Trapezoids over the plane of x_1 and x_2, scaled with the funnel's width e^(v/2).
Slice integrate_slice(double v) {
  const Funnel target(3);
  const double spacing = 0.25 * std::exp(v / 2);
  Slice sum;
  for (int i = -40; i <= 40; ++i) {
    for (int j = -40; j <= 40; ++j) {
      const Vector x{{v, spacing * i, spacing * j}};
      const double weight = std::exp(log_density(target, x)) * spacing * spacing;
      sum.weight += weight;
      sum.variance += weight * x[1] * x[1];
    }
  }
  sum.variance /= sum.weight;
  return sum;
}

TEST(Funnel, HasANormalMarginalOfStandardDeviationThree) {
  for (const double v : {-9.0, -2.0, 0.0, 3.5, 8.0}) {
    const double wanted = 2 * std::numbers::pi * std::exp(-v * v / 18);
    EXPECT_NEAR(integrate_slice(v).weight / wanted, 1, 1e-12) << v;
  }
}

TEST(Funnel, IsAsWideAsTheExponentialOfV) {
  for (const double v : {-9.0, -2.0, 0.0, 3.5, 8.0}) {
    EXPECT_NEAR(integrate_slice(v).variance / std::exp(v), 1, 1e-12) << v;
  }
}

TEST(Funnel, NamesItsNeckV) {
  EXPECT_EQ(Funnel(3).names(), (std::vector<std::string>{"v", "x.1", "x.2"}));
}

TEST(Funnel, RefusesFewerThanTwoCoordinates) {
  EXPECT_EQ(message_of([] { Funnel(1); }), "funnel has dimension 1, needs at least 2");
}

}  // namespace
}  // namespace gadwall
