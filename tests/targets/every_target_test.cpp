// What every target must fulfil, whatever its density: the gradient is the derivative of the
// density, the Hessian-vector product that of the gradient, and a batch is its columns.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <ostream>
#include <set>

#include "gadwall/evaluator.hpp"
#include "gadwall/targets.hpp"
#include "stan/target.hpp"
#include "targets/banana.hpp"
#include "targets/funnel.hpp"
#include "targets/gaussian.hpp"
#include "targets/logistic/logistic.hpp"
#include "targets/target_checks.hpp"

namespace gadwall {
namespace {

using namespace gadwall::testing;

struct TargetCase {
  std::string name;
  std::function<std::shared_ptr<const Target>()> make;
  double spread = 1;  // points are this times standard normal numbers
  bool has_product = true;
};

std::ostream& operator<<(std::ostream& out, const TargetCase& c) {
  return out << c.name;
}

std::shared_ptr<const Target> correlated_gaussian() {
  const Matrix half = normal_matrix(5, 5, 31);
  return std::make_shared<Gaussian>(normal_matrix(5, 1, 32),
                                    half * half.transpose() + Matrix::Identity(5, 5));
}

std::shared_ptr<const Target> small_logistic() {
  const Vector labels = (normal_matrix(40, 1, 33).array() > 0).cast<double>();
  return std::make_shared<Logistic>(normal_matrix(40, 6, 34), labels, 1.5);
}

std::shared_ptr<const Target> quartic_callable() {
  const auto density = [](ConstVectorRef x, VectorRef grad) {
    grad = -x.array().cube();
    return -x.array().pow(4).sum() / 4;
  };
  return make_target(density, 3);
}

std::shared_ptr<const Target> hand_written_stan() {
  return std::make_shared<stan::StanTarget>(GADWALL_FAKE_MODELS "/fake_good.so", "", 1);
}

template <class T>
auto made(Index dim) {
  return [dim] { return std::make_shared<T>(dim); };
}

// A new target is one line here.
const TargetCase kCases[] = {
    {"Gaussian", correlated_gaussian, 2},
    {"Gaussian2d", gaussian2d},
    {"Gp51", gp51},
    {"Neal100", neal100},
    {"Banana2", made<Banana>(2), 5},
    {"Banana4", made<Banana>(4), 5},
    {"Funnel2", made<Funnel>(2), 2},
    {"Funnel10", made<Funnel>(10), 2},
    {"Logistic", small_logistic},
    {"Stan", hand_written_stan, 1, false},
    {"Callable", quartic_callable, 1, false},
};

TEST(TargetTable, HasNoRowThatIsNotCheckedHere) {
  const auto is_letter_of = [](char a, char b) { return std::tolower(a) == b; };
  for (const TargetRow& row : targets()) {
    EXPECT_TRUE(std::ranges::any_of(kCases, [&](const TargetCase& c) {
      return std::ranges::equal(c.name.substr(0, row.name.size()), row.name, is_letter_of);
    })) << row.name;
  }
}

class EveryTarget : public ::testing::TestWithParam<TargetCase> {
 protected:
  const std::shared_ptr<const Target> target_ = GetParam().make();
  const Index n_ = target_->dim();
  const Matrix x_ = GetParam().spread * normal_matrix(n_, 7, 1);
};

TEST_P(EveryTarget, HasTheGradientOfItsDensity) {
  const Evaluation at(*target_, x_);
  for (Index k = 0; k < x_.cols(); ++k) {
    EXPECT_LT(relative_error(at.grad.col(k), differenced_gradient(*target_, x_.col(k))), 1e-8);
  }
}

TEST_P(EveryTarget, HasTheHessianProductOfItsGradient) {
  const Matrix v = normal_matrix(n_, x_.cols(), 2);
  Matrix product(n_, x_.cols());
  ASSERT_EQ(target_->hessian_times(x_, v, product), GetParam().has_product);
  if (!GetParam().has_product) return;
  for (Index k = 0; k < x_.cols(); ++k) {
    const Vector wanted = differenced_product(*target_, x_.col(k), v.col(k));
    EXPECT_LT(relative_error(product.col(k), wanted), 1e-8);
  }
}

TEST_P(EveryTarget, TreatsABatchAsItsColumns) {
  const Evaluation batch(*target_, x_);
  for (Index k = 0; k < x_.cols(); ++k) {
    const Evaluation alone(*target_, x_.col(k));
    EXPECT_NEAR(batch.logp[k], alone.logp[0], kRounding * (1 + std::abs(alone.logp[0])));
    EXPECT_LT(relative_error(batch.grad.col(k), alone.grad.col(0)), kRounding);
  }
}

TEST_P(EveryTarget, TreatsABatchOfHessianProductsAsItsColumns) {
  if (!GetParam().has_product) return;
  const Matrix v = normal_matrix(n_, x_.cols(), 3);
  Matrix batch(n_, x_.cols()), alone(n_, 1);
  target_->hessian_times(x_, v, batch);
  for (Index k = 0; k < x_.cols(); ++k) {
    target_->hessian_times(x_.col(k), v.col(k), alone);
    EXPECT_LT(relative_error(batch.col(k), alone.col(0)), kRounding);
  }
}

TEST_P(EveryTarget, GivesTheSameDensityWithoutTheGradient) {
  Vector logp(x_.cols());
  Matrix none;
  target_->evaluate(x_, logp, none);
  EXPECT_EQ(logp, Evaluation(*target_, x_).logp);
}

TEST_P(EveryTarget, WritesOnlyToTheColumnsItIsGiven) {
  Matrix grad = Matrix::Constant(n_, 5, 77);
  Vector logp = Vector::Constant(5, 77);
  target_->evaluate(x_.middleCols(2, 3), logp.segment(1, 3), grad.middleCols(1, 3));
  for (const Index outside : {0, 4}) {
    EXPECT_EQ(logp[outside], 77);
    EXPECT_EQ(grad.col(outside), Vector::Constant(n_, 77));
  }
  for (Index k = 0; k < 3; ++k) {
    const Evaluation alone(*target_, x_.col(2 + k));
    EXPECT_LT(relative_error(grad.col(1 + k), alone.grad.col(0)), kRounding);
  }
}

TEST_P(EveryTarget, HasOneNameForEachCoordinate) {
  const std::vector<std::string> names = target_->names();
  EXPECT_EQ(static_cast<Index>(names.size()), n_);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  for (const std::string& name : names) EXPECT_FALSE(name.empty());
}

TEST_P(EveryTarget, SurvivesPointsAtTheEndOfTheNumbers) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Evaluator density(*target_);
  Vector logp(1);
  Matrix grad(n_, 1);
  for (const double value : {std::nan(""), infinity, -infinity, 1e200, -1e200, 1e308}) {
    density.gradient(Matrix::Constant(n_, 1, value), logp, grad);
    if (!std::isfinite(value)) {
      EXPECT_EQ(logp[0], -infinity) << value;
    }
    EXPECT_TRUE(std::isfinite(logp[0]) || logp[0] == -infinity) << value;
    EXPECT_TRUE(grad.allFinite()) << value;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, EveryTarget, ::testing::ValuesIn(kCases),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace gadwall
