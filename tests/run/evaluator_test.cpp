// The evaluator: counts everything, and lets no bad point through.
#include "gadwall/evaluator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "targets/banana.hpp"
#include "targets/logistic/logistic.hpp"
#include "targets/target_checks.hpp"

namespace gadwall {
namespace {

using testing::normal_matrix;
using testing::relative_error;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A standard normal in two dimensions that misbehaves as a marker in the first coordinate says.
class Troublesome final : public Target {
 public:
  static constexpr double kNaNDensity = 101, kInfiniteDensity = 102, kOutside = 103,
                          kNaNGradient = 104, kInfiniteGradient = 105, kThrows = 106;

  Index dim() const override { return 2; }

  void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const override {
    ++calls;
    for (Index k = 0; k < x.cols(); ++k) {
      const double marker = x(0, k);
      if (marker == kThrows) throw std::domain_error("no root at " + std::to_string(x(1, k)));
      logp[k] = marker == kNaNDensity        ? kNaN
                : marker == kInfiniteDensity ? kInfinity
                : marker == kOutside         ? -kInfinity
                                             : -x.col(k).squaredNorm() / 2;
      if (grad.size() == 0) continue;
      grad.col(k) = -x.col(k);
      if (marker == kNaNGradient) grad(1, k) = kNaN;
      if (marker == kInfiniteGradient) grad(0, k) = -kInfinity;
    }
  }

  mutable int calls = 0;
};

/// Points (marker, 1), (marker, 2), ...
Matrix points(const std::vector<double>& markers) {
  Matrix x(2, static_cast<Index>(markers.size()));
  for (Index k = 0; k < x.cols(); ++k) {
    x(0, k) = markers[static_cast<std::size_t>(k)];
    x(1, k) = static_cast<double>(k + 1);
  }
  return x;
}

struct Asked {
  explicit Asked(const Matrix& at)
      : x(at), logp(Vector::Constant(at.cols(), 55)), grad(Matrix::Constant(2, at.cols(), 55)) {
    evaluator.gradient(x, logp, grad);
  }
  void expect_good(Index k) const {
    EXPECT_EQ(logp[k], -x.col(k).squaredNorm() / 2) << k;
    EXPECT_EQ(grad.col(k), -x.col(k)) << k;
  }
  void expect_bad(Index k) const {
    EXPECT_EQ(logp[k], -kInfinity) << k;
    EXPECT_EQ(grad.col(k), Vector::Zero(2)) << k;
  }

  Troublesome target;
  Evaluator evaluator{target};
  Matrix x;
  Vector logp;
  Matrix grad;
};

TEST(Evaluator, PassesGoodPointsOn) {
  const Asked asked(points({0.5, -3, 2}));
  for (Index k = 0; k < 3; ++k) asked.expect_good(k);
  EXPECT_EQ(asked.evaluator.dim(), 2);
  EXPECT_EQ(asked.evaluator.tally().bad_points, 0U);
}

TEST(Evaluator, TurnsNaNAndInfiniteDensitiesIntoMinusInfinity) {
  const Asked asked(points(
      {Troublesome::kNaNDensity, 1, Troublesome::kInfiniteDensity, Troublesome::kOutside, 2}));
  for (const Index k : {0, 2, 3}) asked.expect_bad(k);
  for (const Index k : {1, 4}) asked.expect_good(k);
  EXPECT_EQ(asked.evaluator.tally().bad_points, 3U);
  EXPECT_EQ(asked.evaluator.tally().exceptions, 0U);
}

TEST(Evaluator, TurnsAGradientThatIsNotFiniteIntoABadPoint) {
  const Asked asked(points({Troublesome::kNaNGradient, 1, Troublesome::kInfiniteGradient}));
  for (const Index k : {0, 2}) asked.expect_bad(k);
  asked.expect_good(1);
  EXPECT_EQ(asked.evaluator.tally().bad_points, 2U);
}

TEST(Evaluator, DoesNotMindTheGradientWhereOnlyTheDensityIsAsked) {
  Troublesome target;
  Evaluator evaluator(target);
  const Matrix x = points({Troublesome::kNaNGradient, Troublesome::kNaNDensity});
  Vector logp(2);
  evaluator.density(x, logp);
  EXPECT_EQ(logp[0], -x.col(0).squaredNorm() / 2);
  EXPECT_EQ(logp[1], -kInfinity);
  EXPECT_EQ(evaluator.tally().bad_points, 1U);
}

TEST(Evaluator, LetsAnExceptionHarmTheGuiltyLaneAlone) {
  const Asked asked(points({1, Troublesome::kThrows, 2, Troublesome::kThrows, 3}));
  for (const Index k : {1, 3}) asked.expect_bad(k);
  for (const Index k : {0, 2, 4}) asked.expect_good(k);
}

TEST(Evaluator, KeepsTheFirstWordsOfTheTargetAndCountsTheOthers) {
  Asked asked(points({1, Troublesome::kThrows, 2, Troublesome::kThrows, 3}));
  asked.evaluator.gradient(asked.x, asked.logp, asked.grad);
  const EvaluationTally& tally = asked.evaluator.tally();
  EXPECT_EQ(tally.first_exceptions,
            (std::vector<std::string>{"no root at 2.000000", "no root at 4.000000"}));
  EXPECT_EQ(tally.exceptions, 4U);
  EXPECT_EQ(tally.bad_points, 4U);
  EXPECT_EQ(tally.gradients, 10U);  // a lane counts once, however often it was tried
}

TEST(Evaluator, SurvivesExceptionsWhereOnlyTheDensityIsAsked) {
  Troublesome target;
  Evaluator evaluator(target);
  Vector logp(3);
  evaluator.density(points({1, Troublesome::kThrows, 2}), logp);
  EXPECT_EQ(logp[1], -kInfinity);
  EXPECT_TRUE(std::isfinite(logp[0]) && std::isfinite(logp[2]));
  EXPECT_EQ(evaluator.tally().exceptions, 1U);
  EXPECT_EQ(evaluator.tally().densities, 3U);
}

TEST(Evaluator, AsksForABatchInOneCall) {
  const Asked asked(points({1, 2, 3, 4}));
  EXPECT_EQ(asked.target.calls, 1);
}

TEST(Evaluator, CountsGradientsAndDensitiesApart) {
  Troublesome target;
  Evaluator evaluator(target);
  const Matrix x = points({1, 2, 3});
  Vector logp(3);
  Matrix grad(2, 3);
  evaluator.density(x, logp);
  evaluator.density(x, logp);
  evaluator.gradient(x, logp, grad);
  EXPECT_EQ(evaluator.tally().densities, 6U);
  EXPECT_EQ(evaluator.tally().gradients, 3U);
}

/// A target whose Hessian-vector product is hidden.
class WithoutProduct final : public Target {
 public:
  explicit WithoutProduct(const Target& inner) : inner_(inner) {}
  Index dim() const override { return inner_.dim(); }
  void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const override {
    inner_.evaluate(x, logp, grad);
  }

 private:
  const Target& inner_;
};

TEST(Evaluator, CountsAnExactHessianProductOnceAndOneByDifferencesTwice) {
  const Banana exact;
  const WithoutProduct hidden(exact);
  const Matrix x = normal_matrix(2, 3, 1), v = normal_matrix(2, 3, 2);
  Matrix out(2, 3);
  Evaluator once(exact), twice(hidden);
  once.hessian_times(x, v, out);
  twice.hessian_times(x, v, out);
  EXPECT_EQ(once.tally().gradients, 3U);
  EXPECT_EQ(twice.tally().gradients, 6U);
  EXPECT_EQ(once.tally().densities + twice.tally().densities, 0U);
}

void expect_accurate_differences(const Target& exact, double spread, double length) {
  const WithoutProduct hidden(exact);
  const Index n = exact.dim();
  const Matrix x = spread * normal_matrix(n, 20, 3);
  const Matrix v = length * normal_matrix(n, 20, 4);
  Matrix wanted(n, 20), got(n, 20);
  Evaluator(exact).hessian_times(x, v, wanted);
  Evaluator(hidden).hessian_times(x, v, got);
  for (Index k = 0; k < 20; ++k) {
    EXPECT_LT(relative_error(got.col(k), wanted.col(k)), 1e-6) << spread << " " << length;
  }
}

TEST(Evaluator, FindsTheHessianProductByDifferencesOfGradients) {
  const Vector labels = (normal_matrix(30, 1, 5).array() > 0).cast<double>();
  const Logistic logistic(normal_matrix(30, 4, 6), labels, 1);
  const Banana banana(3);
  for (const double length : {1e-8, 1.0, 1e6}) {  // the result is linear in v
    for (const double spread : {0.1, 1.0, 10.0}) {
      expect_accurate_differences(logistic, spread, length);
      expect_accurate_differences(banana, spread, length);
    }
  }
}

/// A standard normal in one dimension whose product throws beyond 10.
class ThrowingProduct final : public Target {
 public:
  Index dim() const override { return 1; }
  void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const override {
    logp = -x.row(0).transpose().cwiseAbs2() / 2;
    if (grad.size() > 0) grad = -x;
  }
  bool hessian_times(ConstMatrixRef x, ConstMatrixRef v, MatrixRef out) const override {
    if (x.maxCoeff() > 10) throw std::domain_error("too far");
    out = -v;
    return true;
  }
};

TEST(Evaluator, LetsAHessianProductThatThrowsHarmTheGuiltyLaneAlone) {
  const ThrowingProduct target;
  Evaluator evaluator(target);
  Matrix out(1, 3);
  evaluator.hessian_times(Matrix{{1, 11, 2}}, Matrix{{5, 6, 7}}, out);
  EXPECT_EQ(out, (Matrix{{-5, 0, -7}}));
}

TEST(Evaluator, GivesZeroForAHessianProductWithNothing) {
  const Banana banana;
  Matrix out = Matrix::Constant(2, 1, 7);
  Evaluator(WithoutProduct(banana)).hessian_times(normal_matrix(2, 1, 1), Matrix::Zero(2, 1), out);
  EXPECT_EQ(out, Matrix::Zero(2, 1));
}

TEST(Evaluator, GivesZeroForAHessianProductThatCannotBeHad) {
  const auto half_line = make_target(
      [](ConstVectorRef x, VectorRef grad) {
        grad.setConstant(-1);
        return x[0] > 0 ? -x[0] : -kInfinity;
      },
      1);
  Matrix out = Matrix::Constant(1, 1, 7);
  Evaluator(*half_line).hessian_times(Matrix::Zero(1, 1), Matrix::Ones(1, 1), out);
  EXPECT_EQ(out(0, 0), 0);

  const Banana banana;  // an exact product that overflows
  Matrix two = Matrix::Constant(2, 2, 7);
  Matrix x = Matrix::Ones(2, 2);
  x(0, 1) = 1e200;
  Evaluator(banana).hessian_times(x, Matrix::Ones(2, 2), two);
  EXPECT_TRUE(two.col(0).allFinite());
  EXPECT_NE(two.col(0).norm(), 0);
  EXPECT_EQ(two.col(1), Vector::Zero(2));
}

}  // namespace
}  // namespace gadwall
