// Parameters with limits: gradients, limits, and known laws.
#include "gadwall/transforms.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <cmath>

#include "gadwall/check_gradient.hpp"
#include "gadwall/error.hpp"
#include "gadwall/sample.hpp"

namespace gadwall {
namespace {

std::vector<Parameter> one_of_each() {
  return {unbounded("mu"), positive("tau", 2), bounded("rho", -1, 3), ordered("cut", 3),
          simplex("p", 4)};
}

/// Something that depends on all values.
double density(ConstVectorRef v, VectorRef grad) {
  double logp = 0;
  for (Index i = 0; i < v.size(); ++i) {
    const double a = 0.3 * static_cast<double>(i + 1);
    logp += std::sin(a * v[i]) - 0.1 * v[i] * v[i];
    grad[i] = a * std::cos(a * v[i]) - 0.2 * v[i];
  }
  return logp;
}

TEST(Transforms, HaveTheGradientOfDensityAndJacobian) {
  const auto target = make_target(one_of_each(), density);
  ASSERT_EQ(target->dim(), 10);
  for (const double scale : {0.1, 1.0, 4.0}) {
    Vector x(10);
    for (Index i = 0; i < 10; ++i) x[i] = scale * std::cos(3.0 * static_cast<double>(i));
    const GradientCheck check = check_gradient(*target, x);
    EXPECT_LT(check.error, 1e-7) << target->names()[static_cast<std::size_t>(check.coordinate)];
  }
}

/// log |det dv/dx| by differences, for transforms with as many values as coordinates.
TEST(Transforms, HaveTheJacobianOfTheMap) {
  for (const Parameter& p : {positive("a", 3), bounded("b", -1, 3, 3), ordered("c", 3)}) {
    const Vector x = Vector::LinSpaced(3, -0.5, 0.8);
    Vector v(3);
    Vector up(3);
    Vector down(3);
    const double said = p.transform->apply(x, v);
    Matrix jacobian(3, 3);
    for (Index i = 0; i < 3; ++i) {
      const Vector step = 1e-6 * Vector::Unit(3, i);
      p.transform->apply(x + step, up);
      p.transform->apply(x - step, down);
      jacobian.col(i) = (up - down) / 2e-6;
    }
    EXPECT_NEAR(std::exp(said), std::abs(jacobian.determinant()), 1e-6) << p.name;
  }
}

TEST(Transforms, KeepTheLimitsAndComeBack) {
  const auto target = make_target(one_of_each(), density);
  const Vector x = Vector::LinSpaced(10, -2, 2);
  Vector v(11);
  target->output(x, {}, v);
  EXPECT_GT(v[1], 0);
  EXPECT_TRUE(v[3] > -1 && v[3] < 3);
  EXPECT_TRUE(v[4] < v[5] && v[5] < v[6]);
  EXPECT_NEAR(v.tail(4).sum(), 1, 1e-14);
  EXPECT_EQ(target->output_names()[1], "tau.1");
  EXPECT_EQ(target->output_names()[3], "rho");
  EXPECT_LT((target->coordinates(target->output_names(), v) - x).norm(), 1e-12);
  v[1] = -1;
  EXPECT_THROW(target->coordinates(target->output_names(), v), UsageError);
}

TEST(Transforms, AreRefusedWhereTheyMakeNoSense) {
  EXPECT_THROW(bounded("a", 1, 1), UsageError);
  EXPECT_THROW(bounded("a", 0, INFINITY), UsageError);
  EXPECT_THROW(simplex("p", 1), UsageError);
  EXPECT_THROW(positive("s", -1), UsageError);
  EXPECT_THROW(make_target(std::vector<Parameter>{}, density), UsageError);
}

/// Dirichlet(1, 2, 3) has means 1/6, 2/6, 3/6; an exponential has mean 1, also as a limit of draws.
TEST(Transforms, AreSampledByTheirLaws) {
  const auto target =
      make_target({simplex("p", 3), positive("e")}, [](ConstVectorRef v, VectorRef grad) {
        grad << 0, 1 / v[1], 2 / v[2], -1;
        return std::log(v[1]) + 2 * std::log(v[2]) - v[3];
      });
  SampleOptions options;
  options.sampler = "nuts";
  const SampleResult result = sample(target, options);
  const double expected[] = {1.0 / 6, 2.0 / 6, 3.0 / 6, 1};
  for (std::size_t i = 0; i < 4; ++i) {
    const ParameterDiagnostics& d = result.summary.parameters[i].values;
    EXPECT_LT(std::abs(d.mean - expected[i]) / d.mcse_mean, 4) << i;
  }
}

}  // namespace
}  // namespace gadwall
