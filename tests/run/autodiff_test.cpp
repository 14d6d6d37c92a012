// Derivatives by forward and by reverse mode beside those by differences and on paper.
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
         erf(x) * abs(-x) + pow(x, 2.5) + pow(x, x) - pow(1.5, x);
}

const auto every_density = [](const auto& x) {
  auto sum = every_function(x[0]);
  for (Index i = 1; i < x.size(); ++i) sum += every_function(x[i]) * x[i - 1];
  return sum;
};

TEST(Autodiff, KnowsTheFunctionsOfDensities) {
  for (const Index n : {1, 8, 11, 24, 25, 40}) {  // forward up to 24, the tape beyond
    const auto target = make_target(autodiff(every_density), n);
    EXPECT_LT(check_gradient(*target, Vector::LinSpaced(n, 0.3, 1.7)).error, 1e-7) << n;
  }
}

TEST(Autodiff, IsTheSameBothWays) {
  const Vector x = Vector::LinSpaced(19, 0.3, 1.7);
  Vector forward(19), reverse(19);
  const double value = differentiate_forward(every_density, x, forward);
  EXPECT_EQ(differentiate_reverse(every_density, x, reverse), value);
  EXPECT_LT((forward - reverse).norm(), 1e-13 * forward.norm());
}

TEST(Autodiff, GoesBackAlongConstantsAndOtherTapes) {
  const auto constant = [](const auto& x) { return 0.0 * x[0] + 3.0; };
  const auto two = [](const auto& x) { return x[1] * x[1]; };
  Vector gradient(2);
  EXPECT_EQ(differentiate_reverse(constant, Vector{{1, 2}}, gradient), 3);
  EXPECT_EQ(gradient, (Vector{{0, 0}}));
  EXPECT_EQ(differentiate_reverse(two, Vector{{1, 2}}, gradient), 4);
  EXPECT_EQ(gradient, (Vector{{0, 4}}));
}

TEST(Autodiff, PassesOverBranchesThatDoNotCount) {
  const auto f = [](const auto& x) { return 0.0 * log(x[0]) + x[1]; };  // log 0
  Vector gradient(2);
  differentiate_reverse(f, Vector{{0, 2}}, gradient);
  EXPECT_EQ(gradient[1], 1);
}

TEST(Autodiff, WorksWithEigensProducts) {
  Matrix a(3, 3);
  a << 2, 1, 0, 1, 3, 0.5, 0, 0.5, 1;
  const auto density = autodiff([a](const auto& x) { return -0.5 * x.dot(a * x) + 2.0 * x.sum(); });
  const Vector x = Vector::LinSpaced(3, -1, 1);
  Vector gradient(3), taped(3);
  const double value = density(x, gradient);
  differentiate_reverse([a](const auto& y) { return -0.5 * y.dot(a * y) + 2.0 * y.sum(); }, x,
                        taped);
  EXPECT_LT((gradient - taped).norm(), 1e-14);
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
