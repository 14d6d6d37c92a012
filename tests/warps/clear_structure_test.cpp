// Estimates that are near to the structure of a hierarchy get it exactly; others do not.
#include "warps/clear_structure.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gadwall {
namespace {

/// sum_j (u_j - u_0)^2 over the `effects` members after the first.
Matrix star(Index effects) {
  Matrix driven = Matrix::Identity(effects + 1, effects + 1);
  driven(0, 0) = static_cast<double>(effects);
  driven.row(0).tail(effects).setConstant(-1);
  driven.col(0).tail(effects).setConstant(-1);
  return driven;
}

Matrix with_errors(Matrix a, double size) {
  for (Index j = 0; j < a.rows(); ++j) {
    for (Index k = 0; k <= j; ++k) {
      a(j, k) += size * std::sin(static_cast<double>(1 + 7 * j + 3 * k));
      a(k, j) = a(j, k);
    }
  }
  return a;
}

TEST(ClearStructure, AMeanAndItsEffectsMoveTogetherFreely) {
  const std::optional<Matrix> clear =
      with_clear_structure(with_errors(star(12), 0.02), Vector::Constant(13, 0.5));
  ASSERT_TRUE(clear);
  EXPECT_LT((*clear * Vector::Ones(13)).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT((*clear - star(12)).cwiseAbs().maxCoeff(), 0.3);
}

// A group with much data shows little of the neck: its own row is mostly error. That of the mean is
// not, and says what it is.
TEST(ClearStructure, AnEffectThatIsHardlyKnownIsWhatTheMeanSaysOfIt) {
  Vector share = Vector::Constant(13, 0.5);
  share[5] = 0.02;
  for (const double own : {0.8, 1.25, 0.4, -0.1}) {
    Matrix estimate = with_errors(star(12), 0.005);
    estimate(5, 5) = own;
    estimate(5, 9) = estimate(9, 5) = 0.25;  // no mean of others
    estimate(5, 2) = estimate(2, 5) = -0.2;
    const std::optional<Matrix> clear = with_clear_structure(estimate, share);
    ASSERT_TRUE(clear) << own;
    EXPECT_LT((*clear * Vector::Ones(13)).cwiseAbs().maxCoeff(), 1e-14) << own;
    EXPECT_LT((*clear - star(12)).cwiseAbs().maxCoeff(), 0.1) << own;
  }
}

// Coefficients whose mean size is that of their squares: their sum alone would not tell them
// from 1.
TEST(ClearStructure, CoefficientsOfAMeanAreNotTakenForOnes) {
  Matrix contrasts = Matrix::Identity(8, 9);
  for (Index j = 0; j < 8; ++j) contrasts(j, 8) = j < 4 ? -0.5 : -1.207;
  const Matrix driven = contrasts.transpose() * contrasts;
  const std::optional<Matrix> clear = with_clear_structure(driven, Vector::Constant(9, 0.5));
  ASSERT_TRUE(clear);
  EXPECT_LT((*clear - driven).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(ClearStructure, EffectsAroundZeroAreDrivenAlone) {
  const std::optional<Matrix> clear =
      with_clear_structure(with_errors(2 * Matrix::Identity(6, 6), 0.02), Vector::Constant(6, 0.5));
  ASSERT_TRUE(clear);
  EXPECT_TRUE(clear->isDiagonal(0));
  EXPECT_GT(clear->diagonal().minCoeff(), 1.9);
}

TEST(ClearStructure, AMeanWithCoefficientsKeepsThem) {
  Matrix contrasts = Matrix::Identity(8, 10);  // u_j - u_8 - x_j u_9
  for (Index j = 0; j < 8; ++j) {
    contrasts(j, 8) = -1;
    contrasts(j, 9) = 0.5 * static_cast<double>(j) - 1.7;
  }
  const Matrix driven = contrasts.transpose() * contrasts;
  const std::optional<Matrix> clear = with_clear_structure(driven, Vector::Constant(10, 0.5));
  ASSERT_TRUE(clear);
  EXPECT_LT((*clear * Vector::Ones(10) - driven * Vector::Ones(10)).norm(), 0.5);
}

TEST(ClearStructure, MembersThatAreNotDrivenStayOut) {
  Vector share = Vector::Constant(7, 0.5);
  share[3] = 0.001;
  const std::optional<Matrix> clear =
      with_clear_structure(with_errors(Matrix::Identity(7, 7), 0.01), share);
  ASSERT_TRUE(clear);
  EXPECT_TRUE(clear->row(3).isZero(0));
}

TEST(ClearStructure, ARandomWalkHasAnother) {
  Matrix walk = Matrix::Zero(9, 9);
  for (Index t = 1; t < 9; ++t) {
    const Vector step = Vector::Unit(9, t) - Vector::Unit(9, t - 1);
    walk += step * step.transpose();
  }
  EXPECT_FALSE(with_clear_structure(walk, Vector::Constant(9, 0.5)));
}

}  // namespace
}  // namespace gadwall
