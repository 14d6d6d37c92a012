// Everything a C++ user may write for a density becomes the same target.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <span>

#include "gadwall/target.hpp"
#include "targets/target_checks.hpp"

namespace gadwall {
namespace {

using namespace gadwall::testing;

/// log pi = -|x|^2 / 2 + x_1, for one point, in the style of the standard library.
struct ShiftedNormal {
  double operator()(std::span<const double> x, std::span<double> grad) const {
    double sum = x[0];
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum -= x[i] * x[i] / 2;
      grad[i] = (i == 0 ? 1 : 0) - x[i];
    }
    return sum;
  }
};

void expect_shifted_normal(const Target& target) {
  ASSERT_EQ(target.dim(), 3);
  const Matrix x = normal_matrix(3, 4, 1);
  const Evaluation at(target, x);
  for (Index k = 0; k < 4; ++k) {
    EXPECT_NEAR(at.logp[k], x(0, k) - x.col(k).squaredNorm() / 2, 1e-14);
    EXPECT_LT((at.grad.col(k) - (Vector::Unit(3, 0) - x.col(k))).norm(), 1e-14);
    EXPECT_EQ(log_density(target, x.col(k)), at.logp[k]);
  }
  Matrix unused(3, 4);
  EXPECT_FALSE(target.hessian_times(x, x, unused));
}

TEST(CallableTarget, TakesALambdaOfVectorReferences) {
  const auto density = [](ConstVectorRef x, VectorRef grad) {
    grad = Vector::Unit(3, 0) - x;
    return x[0] - 0.5 * x.squaredNorm();
  };
  expect_shifted_normal(*make_target(density, 3));
}

TEST(CallableTarget, TakesAGenericLambda) {
  const auto density = [](auto x, auto grad) {
    grad = -x;
    grad[0] += 1;
    return x[0] - 0.5 * x.squaredNorm();
  };
  expect_shifted_normal(*make_target(density, 3));
}

TEST(CallableTarget, TakesAGenericLambdaOfReferences) {
  const auto density = [](const auto& x, auto&& grad) {
    grad = -x;
    grad[0] += 1;
    return x[0] - 0.5 * x.squaredNorm();
  };
  expect_shifted_normal(*make_target(density, 3));
}

TEST(CallableTarget, TakesAStructOfSpans) {
  expect_shifted_normal(*make_target(ShiftedNormal{}, 3));
}

TEST(CallableTarget, TakesAFunctionPointerAndAStandardFunction) {
  double (*const pointer)(std::span<const double>, std::span<double>) = [](auto x, auto grad) {
    return ShiftedNormal{}(x, grad);
  };
  expect_shifted_normal(*make_target(pointer, 3));
  const std::function<double(ConstVectorRef, VectorRef)> function = [](auto x, auto grad) {
    grad = Vector::Unit(3, 0) - x;
    return x[0] - 0.5 * x.squaredNorm();
  };
  expect_shifted_normal(*make_target(function, 3));
}

TEST(CallableTarget, TakesAFloatForADensity) {
  const auto density = [](ConstVectorRef, VectorRef grad) {
    grad.setZero();
    return 0.5F;
  };
  EXPECT_EQ(log_density(*make_target(density, 2), Vector::Zero(2)), 0.5);
}

TEST(CallableTarget, KeepsWhatTheCallableHolds) {
  std::shared_ptr<const Target> target;
  {
    const Vector centre = Vector::Constant(2, 5.0);
    target = make_target(
        [centre](ConstVectorRef x, VectorRef grad) {
          grad = centre - x;
          return -0.5 * (x - centre).squaredNorm();
        },
        2);
  }
  EXPECT_EQ(log_density(*target, Vector::Constant(2, 6.0)), -1);
}

TEST(CallableTarget, LeavesTheGradientAloneWhenOnlyTheDensityIsWanted) {
  int calls = 0;
  const auto density = [&calls](ConstVectorRef x, VectorRef grad) {
    ++calls;
    EXPECT_EQ(grad.size(), x.size());  // it always has a gradient to fill
    grad.setConstant(9);
    return 1.0;
  };
  const auto target = make_target(density, 3);
  EXPECT_EQ(log_density(*target, Vector::Zero(3)), 1);
  EXPECT_EQ(calls, 1);
}

TEST(CallableTarget, NamesItsCoordinates) {
  EXPECT_EQ(make_target(ShiftedNormal{}, 2)->names(), (std::vector<std::string>{"x.1", "x.2"}));
  EXPECT_EQ(make_target(ShiftedNormal{}, 2, {"mu", "tau"})->names(),
            (std::vector<std::string>{"mu", "tau"}));
}

}  // namespace
}  // namespace gadwall
