// The banana: its documented moments, found by integrating the density itself.
#include "targets/banana.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "message_of.hpp"
#include "targets/target_checks.hpp"

namespace gadwall {
namespace {

using namespace gadwall::testing;

struct Moments {
  double weight = 0;
  Eigen::Vector2d mean = Eigen::Vector2d::Zero();
  Eigen::Vector2d square = Eigen::Vector2d::Zero();
};

/// Trapezoids on a grid that follows the ridge: for smooth densities that vanish at the ends the
/// sum converges faster than any power of the spacing.
Moments integrate(double curvature) {
  const Banana target(2, curvature);
  Moments sum;
  for (double a = -90; a <= 90; a += 0.5) {
    const double ridge = curvature * (a * a - 100);
    for (double b = ridge - 9; b <= ridge + 9; b += 0.25) {
      const Eigen::Vector2d x(a, b);
      const double weight = std::exp(log_density(target, x));
      sum.weight += weight;
      sum.mean += weight * x;
      sum.square += weight * x.cwiseAbs2();
    }
  }
  sum.mean /= sum.weight;
  sum.square /= sum.weight;
  return sum;
}

TEST(Banana, HasTheMomentsThatAreDocumented) {
  for (const double curvature : {0.03, 0.1, -0.05}) {
    const Moments found = integrate(curvature);
    EXPECT_LT(found.mean.norm(), 1e-9);
    EXPECT_NEAR(found.square[0], 100, 1e-9);
    EXPECT_NEAR(found.square[1], 1 + 2e4 * curvature * curvature, 1e-8);
  }
}

TEST(Banana, HasStandardNormalCoordinatesBeyondTheSecond) {
  const Banana target(4);
  const Vector base{{3.0, 1.0, 0.0, 0.0}};
  const Vector moved{{3.0, 1.0, 0.5, -2.0}};
  EXPECT_NEAR(log_density(target, moved) - log_density(target, base), -(0.25 + 4) / 2, 1e-14);
}

TEST(Banana, RefusesFewerThanTwoCoordinates) {
  EXPECT_EQ(message_of([] { Banana(1); }), "banana has dimension 1, needs at least 2");
}

}  // namespace
}  // namespace gadwall
