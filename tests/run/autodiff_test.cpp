// Derivatives by forward mode beside those on paper.
#include "gadwall/autodiff.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gadwall/check_gradient.hpp"
#include "gadwall/sample.hpp"

namespace gadwall {
namespace {

template <class T>
T every_function(const T& x) {
  return exp(x) + expm1(x) * log(x) - log1p(x) / sqrt(x) + sin(x) * cos(x) - tanh(x) + atan(x) +
         erf(x) * abs(-x) + pow(x, 2.5) + pow(x, x);
}

TEST(Autodiff, KnowsTheFunctionsOfDensities) {
  const auto density = autodiff([](const auto& x) {
    auto sum = every_function(x[0]);
    for (Index i = 1; i < x.size(); ++i) sum += every_function(x[i]) * x[i - 1];
    return sum;
  });
  const auto target = make_target(density, 11);  // more than go along at once
  const Vector x = Vector::LinSpaced(11, 0.3, 1.7);
  EXPECT_LT(check_gradient(*target, x).error, 1e-8);
}

TEST(Autodiff, WorksWithEigensProducts) {
  Matrix a(3, 3);
  a << 2, 1, 0, 1, 3, 0.5, 0, 0.5, 1;
  const auto density = autodiff([a](const auto& x) { return -0.5 * x.dot(a * x) + 2.0 * x.sum(); });
  const Vector x = Vector::LinSpaced(3, -1, 1);
  Vector gradient(3);
  const double value = density(x, gradient);
  EXPECT_NEAR(value, -0.5 * x.dot(a * x) + 2 * x.sum(), 1e-14);
  EXPECT_LT((gradient - (Vector::Constant(3, 2) - a * x)).norm(), 1e-14);
}

TEST(Autodiff, IsSampledFrom) {
  SampleOptions options;
  options.sampler = "nuts";
  options.run.draws = 500;
  const auto result = sample(
      autodiff([](const auto& x) { return -0.5 * (x[0] - 2.0) * (x[0] - 2.0); }), 1, options);
  const ParameterDiagnostics& d = result.summary.parameters[0].values;
  EXPECT_LT(std::abs(d.mean - 2) / d.mcse_mean, 4);
}

}  // namespace
}  // namespace gadwall
