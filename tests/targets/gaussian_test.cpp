// Gaussian targets: the density by hand, the paper's three, and covariances that are none.
#include "targets/gaussian.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "message_of.hpp"
#include "targets/target_checks.hpp"

namespace gadwall {
namespace {

using namespace gadwall::testing;

/// The Hessian of log pi, column by column: minus the precision.
Matrix hessian(const Gaussian& target) {
  const Index n = target.dim();
  Matrix out(n, n);
  target.hessian_times(Matrix::Zero(n, n), Matrix::Identity(n, n), out);
  return out;
}

TEST(Gaussian, IsTheQuadraticFormWorkedOutByHand) {
  // Sigma = [2 1; 1 1] has the inverse [1 -1; -1 2]; at mean + (3, 1) the form is 9 - 6 + 2 = 5.
  const Gaussian target(Vector{{1.0, -1.0}}, Matrix{{2, 1}, {1, 1}});
  const Evaluation at(target, Vector{{4.0, 0.0}});
  EXPECT_NEAR(at.logp[0], -2.5, 1e-14);
  EXPECT_NEAR(at.grad(0, 0), -2, 1e-14);
  EXPECT_NEAR(at.grad(1, 0), 1, 1e-14);
}

TEST(Gaussian, IsZeroAndFlatAtItsMean) {
  const Gaussian target(Vector{{3.0, -2.0}}, Matrix{{2, 1}, {1, 1}});
  const Evaluation at(target, target.mean());
  EXPECT_EQ(at.logp[0], 0);
  EXPECT_EQ(at.grad.norm(), 0);
}

TEST(Gaussian, HasThePrecisionAsMinusItsHessian) {
  for (const auto& target : {gaussian2d(), gp51(), neal100()}) {
    const Index n = target->dim();
    const Matrix product = -hessian(*target) * target->covariance();
    EXPECT_LT((product - Matrix::Identity(n, n)).norm(), 1e-10) << n;
  }
}

TEST(Gaussian, IsTheSameForADiagonalCovarianceHoweverItIsStored) {
  // One entry that is not zero makes the covariance dense; 1e-30 does not change the density.
  Matrix almost = Vector{{1.0, 4.0, 0.25}}.asDiagonal();
  const Gaussian diagonal(Vector::Ones(3), almost);
  almost(0, 1) = almost(1, 0) = 1e-30;
  const Gaussian dense(Vector::Ones(3), almost);
  const Matrix x = normal_matrix(3, 4, 1);
  EXPECT_LT((Evaluation(diagonal, x).grad - Evaluation(dense, x).grad).norm(), 1e-13);
  EXPECT_LT((Evaluation(diagonal, x).logp - Evaluation(dense, x).logp).norm(), 1e-13);
}

TEST(Gaussian2d, HasTheMomentsOfThePaper) {
  EXPECT_EQ(gaussian2d()->mean(), Vector::Zero(2));
  EXPECT_EQ(gaussian2d()->covariance(), (Matrix{{1, 0.99}, {0.99, 1}}));
}

TEST(Gp51, HasTheSquaredExponentialCovariance) {
  const Matrix covariance = gp51()->covariance();
  ASSERT_EQ(covariance.rows(), 51);
  EXPECT_EQ(gp51()->mean(), Vector::Zero(51));
  EXPECT_DOUBLE_EQ(covariance(0, 0), 1.01);
  EXPECT_DOUBLE_EQ(covariance(50, 50), 1.01);
  EXPECT_DOUBLE_EQ(covariance(7, 8), std::exp(-0.02));   // distance 0.08, 0.0064 / 0.32
  EXPECT_DOUBLE_EQ(covariance(0, 50), std::exp(-50.0));  // distance 4
}

TEST(Neal100, HasStandardDeviationsFromOneHundredthToOne) {
  const Matrix covariance = neal100()->covariance();
  ASSERT_EQ(covariance.rows(), 100);
  EXPECT_EQ(neal100()->mean(), Vector::Zero(100));
  for (Index i = 0; i < 100; ++i) {
    EXPECT_NEAR(std::sqrt(covariance(i, i)), 0.01 * static_cast<double>(i + 1), 1e-15);
  }
  EXPECT_TRUE(covariance.isDiagonal(0));
}

TEST(Gaussian, RefusesACovarianceOfAnotherSizeThanTheMean) {
  const std::string message = message_of([] { Gaussian(Vector::Zero(3), Matrix::Identity(2, 2)); });
  EXPECT_EQ(message, "covariance is 2 x 2, expected 3 x 3 as the mean has 3 entries");
  EXPECT_NE(message_of([] { Gaussian(Vector::Zero(2), Matrix::Ones(2, 3)); }), "");
}

TEST(Gaussian, RefusesACovarianceThatIsNotSymmetric) {
  const std::string message = message_of([] {
    Gaussian(Vector::Zero(2), Matrix{{1, 0.5}, {0.25, 1}});
  });
  EXPECT_EQ(message, "covariance is not symmetric: entry (1, 2) is 0.5, (2, 1) is 0.25");
}

TEST(Gaussian, RefusesACovarianceThatIsNotPositiveDefinite) {
  const Matrix indefinite{{1, 2}, {2, 1}};
  const Matrix singular{{1, 1}, {1, 1}};
  const Matrix negative = -Matrix::Identity(2, 2);
  const Matrix zero = Matrix::Zero(2, 2);
  for (const Matrix& covariance : {indefinite, singular, negative, zero}) {
    EXPECT_NE(message_of([&] {
                Gaussian(Vector::Zero(2), covariance);
              }).find("covariance is not positive definite"),
              std::string::npos)
        << covariance;
  }
}

TEST(Gaussian, RefusesNumbersThatAreNotFinite) {
  const double bad = std::nan("");
  for (const std::string& message :
       {message_of([&] { Gaussian(Vector::Zero(2), Matrix::Constant(2, 2, bad)); }),
        message_of([&] { Gaussian(Vector::Constant(2, bad), Matrix::Identity(2, 2)); })}) {
    EXPECT_NE(message.find("not finite"), std::string::npos) << message;
  }
}

TEST(Gaussian, KeepsItsMomentsForTheDrawsFile) {
  const TargetData data = gaussian2d()->data();
  ASSERT_EQ(data.constant.size(), 2U);
  EXPECT_EQ(data.constant[1].shape, (std::vector<Index>{2, 2}));
  EXPECT_EQ(data.constant[1].values, (std::vector<double>{1, 0.99, 0.99, 1}));
}

}  // namespace
}  // namespace gadwall
