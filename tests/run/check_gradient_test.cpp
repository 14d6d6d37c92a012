// A gradient beside differences of its density.
#include "gadwall/check_gradient.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gadwall/error.hpp"
#include "gadwall/targets.hpp"

namespace gadwall {
namespace {

std::shared_ptr<const Target> quartic(double fault) {
  return make_target(
      [fault](ConstVectorRef x, VectorRef grad) {
        grad = -x.array().cube();
        grad[1] += fault;
        return -x.array().pow(4).sum() / 4;
      },
      3);
}

TEST(CheckGradient, AgreesWithARightOne) {
  const GradientCheck check = check_gradient(*quartic(0), Vector::Constant(3, 1.5));
  EXPECT_TRUE(check.is_right());
  EXPECT_LT(check.error, 1e-8);
  const auto gaussian = find_target("gaussian2d").make({}).target;
  EXPECT_TRUE(check_gradient(*gaussian, Vector::Constant(2, 100)).is_right());
}

TEST(CheckGradient, NamesTheCoordinateThatIsOff) {
  const auto target = quartic(0.1);
  const GradientCheck check = check_gradient(*target, Vector::Ones(3));
  EXPECT_FALSE(check.is_right());
  EXPECT_EQ(check.coordinate, 1);
  EXPECT_NEAR(check.given, -0.9, 1e-12);
  EXPECT_NEAR(check.measured, -1, 1e-8);
  EXPECT_EQ(to_text(check, *target),
            "the gradient of x.2 is -0.9, by differences of the log density -1");
}

TEST(CheckGradient, NeedsAFinitePoint) {
  const auto nowhere = make_target([](ConstVectorRef, VectorRef) { return -INFINITY; }, 2);
  EXPECT_THROW(check_gradient(*nowhere, Vector::Zero(2)), UsageError);
  EXPECT_THROW(check_gradient(*quartic(0), Vector::Zero(2)), UsageError);
}

}  // namespace
}  // namespace gadwall
