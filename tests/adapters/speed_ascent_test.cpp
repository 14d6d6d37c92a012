// What the ascent does beyond the paper's: low rank factors against finite differences of the
// objective in each of their parts, the scale at the end, and means over batches.
#include "adapters/speed_ascent.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>

#include "adapters/lesson_testing.hpp"

namespace gadwall {
namespace {

using testing::some_numbers;

constexpr double kBeta = 0.7;
constexpr double kRate = 1e-6;
constexpr Index kDim = 6;
constexpr Index kRank = 2;

Matrix orthonormal(const Matrix& m) {
  return Eigen::HouseholderQR<Matrix>(m).householderQ() * Matrix::Identity(m.rows(), m.cols());
}

struct Parts {
  Vector scales;
  Matrix directions;
  Vector lengths;

  Matrix matrix() const {
    const Matrix inner =
        Matrix::Identity(kDim, kDim) +
        directions * (lengths.array() - 1).matrix().asDiagonal() * directions.transpose();
    return scales.asDiagonal() * inner;
  }
  Factor factor() const { return Factor::low_rank(scales, directions, lengths.cwiseAbs2()); }
};

Parts some_parts() {
  return {some_numbers(kDim, 1, 1).cwiseAbs().array() + 0.5,
          orthonormal(some_numbers(kDim, kRank, 2)), Vector{{3, 0.4}}};
}

/// Two outer products, as lanes would give them.
SpeedGradient some_gradient(double size = 1) {
  SpeedGradient gradient;
  for (std::uint64_t c = 0; c < 2; ++c) {
    gradient.append(size * some_numbers(kDim, 1, 10 + c).col(0),
                    some_numbers(kDim, 1, 20 + c).col(0));
  }
  return gradient;
}

/// Linear in L with that gradient, and the entropy of L itself, by its determinant.
double objective(const SpeedGradient& gradient, const Matrix& L) {
  const OuterProducts p = gradient.products();
  double sum = kBeta * std::log(std::abs(L.determinant()));
  for (Index c = 0; c < p.count; ++c) sum += p.left.col(c).dot(L * p.right.col(c));
  return sum;
}

/// d objective when the parts move along `direction`.
template <class Move>
double slope(const Move& move, double size = 1) {
  constexpr double h = 1e-6;
  const SpeedGradient gradient = some_gradient(size);
  return (objective(gradient, move(h).matrix()) - objective(gradient, move(-h).matrix())) / (2 * h);
}

SpeedMeasureOptions options() {
  return {.metric = Metric::low_rank, .rank = kRank, .learning_rate = kRate, .beta = kBeta};
}

/// The step of RMSprop's first time, rate g / (1 + |g|), back to g.
double gradient_of(double step, double rate) {
  const double q = step / rate;
  return q / (1 - std::abs(q));
}

LowRankFactor moved(double size = 1) {
  SpeedAscent ascent(options());
  Factor factor = some_parts().factor();
  ascent.ascend(some_gradient(size), factor);
  return factor.as<LowRankFactor>();
}

TEST(LowRankAscent, MovesScalesByTheGradientOfTheObjective) {
  const LowRankFactor after = moved();
  const Parts parts = some_parts();
  for (Index i = 0; i < kDim; ++i) {
    const double wanted = slope([&](double h) {
      Parts changed = parts;
      changed.scales[i] += h;
      return changed;
    });
    EXPECT_NEAR(gradient_of(after.scales()[i] - parts.scales[i], kRate), wanted,
                1e-5 * (1 + wanted * wanted));
  }
}

TEST(LowRankAscent, MovesLogLengthsByTheGradientOfTheObjective) {
  const LowRankFactor after = moved();
  const Parts parts = some_parts();
  for (Index j = 0; j < kRank; ++j) {
    const double wanted = slope([&](double h) {
      Parts changed = parts;
      changed.lengths[j] *= std::exp(h);
      return changed;
    });
    const double step = std::log(after.eigenvalues()[j]) / 2 - std::log(parts.lengths[j]);
    EXPECT_NEAR(gradient_of(step, 10 * kRate), wanted, 1e-5 * (1 + wanted * wanted));
  }
}

/// Of a gradient so small that RMSprop leaves its direction alone.
TEST(LowRankAscent, TurnsDirectionsByTheTangentGradientOfTheObjective) {
  constexpr double size = 1e-4;
  const Parts parts = some_parts();
  const double rate = 100 * kRate / std::sqrt(static_cast<double>(kDim));
  const Matrix gradient = (moved(size).directions() - parts.directions) / (rate * size);
  ASSERT_GT(gradient.norm(), 1);
  for (std::uint64_t seed = 30; seed < 34; ++seed) {
    Matrix tangent = some_numbers(kDim, kRank, seed);
    const Matrix along = parts.directions.transpose() * tangent;
    tangent -= parts.directions * (along + along.transpose()) / 2;
    const auto turned = [&](double h) {
      Parts changed = parts;
      changed.directions = orthonormal(parts.directions + h * tangent);  // signs do not matter
      return changed;
    };
    EXPECT_NEAR(gradient.cwiseProduct(tangent).sum(), slope(turned, size) / size,
                2e-3 * gradient.norm());
  }
}

TEST(LowRankAscent, KeepsDirectionsOrthonormal) {
  SpeedAscent ascent(options());
  Factor factor = some_parts().factor();
  for (int i = 0; i < 200; ++i) ascent.ascend(some_gradient(), factor);
  const Matrix& U = factor.as<LowRankFactor>().directions();
  EXPECT_LT((U.transpose() * U - Matrix::Identity(kRank, kRank)).norm(), 1e-12);
}

/// A product and eight that are zero are one: in each iteration there are more than directions, so
/// that none waits. Turns are so small that those of eight iterations add up.
TEST(LowRankAscent, TurnsWaitUntilThereWereAsManyProductsAsDirections) {
  constexpr Index kWide = 8;
  const Vector a = 1e-4 * some_numbers(20, 1, 50).col(0);
  const Vector b = some_numbers(20, 1, 51).col(0);
  SpeedGradient one, padded;
  one.append(a, b);
  padded.append(a, b);
  for (Index c = 0; c < kWide; ++c) padded.append(Vector::Zero(20), Vector::Zero(20));
  const Factor begin = Factor::low_rank(Vector::Ones(20), orthonormal(some_numbers(20, kWide, 52)),
                                        Vector::LinSpaced(kWide, 4, 11));
  const auto turned = [&](const SpeedGradient& gradient, int iterations) -> Matrix {
    SpeedMeasureOptions options{.metric = Metric::low_rank, .rank = kWide, .learning_rate = 1e-3};
    SpeedAscent ascent(options);
    Factor factor = begin;
    for (int i = 0; i < iterations; ++i) ascent.ascend(gradient, factor);
    return factor.as<LowRankFactor>().directions() - begin.as<LowRankFactor>().directions();
  };
  EXPECT_EQ(turned(one, kWide - 1).norm(), 0);
  const Matrix by_one = turned(one, kWide);
  const Matrix at_once = turned(padded, kWide);
  EXPECT_GT(at_once.norm(), 1e-6);
  EXPECT_LT((by_one - at_once).norm(), 1e-2 * at_once.norm());
}

/// By a learning rate for many lanes, which would turn it by up to 0.5.
TEST(LowRankAscent, TurnsADirectionByALittleAtMost) {
  SpeedMeasureOptions options{.metric = Metric::low_rank, .rank = kRank, .learning_rate = 5e-3};
  SpeedAscent ascent(options);
  const Matrix before = some_parts().directions;
  Factor factor = some_parts().factor();
  ascent.ascend(some_gradient(1e3), factor);
  const Matrix turn = factor.as<LowRankFactor>().directions() - before;
  EXPECT_LT(turn.colwise().norm().maxCoeff(), 0.015);
  EXPECT_GT(turn.colwise().norm().minCoeff(), 0.005);
}

TEST(LowRankAscent, BeginsWithTheDirectionsThatAreThereAndNewOnes) {
  const Parts parts = some_parts();
  SpeedAscent ascent({.metric = Metric::low_rank, .rank = 4});
  Tuning tuning(parts.factor());
  ascent.start({1, 0, 0}, tuning);
  const auto& begun = tuning.factor().as<LowRankFactor>();
  EXPECT_EQ(begun.rank(), 4);
  const Matrix overlap = begun.directions().leftCols(2).transpose() * parts.directions;
  EXPECT_LT((overlap.cwiseAbs() - Matrix::Identity(2, 2)).norm(), 1e-12);
  SpeedAscent small({.metric = Metric::low_rank, .rank = 1});
  Tuning cut(parts.factor());
  small.start({1, 0, 0}, cut);
  EXPECT_EQ(cut.factor().as<LowRankFactor>().rank(), 1);
  EXPECT_NEAR(cut.factor().as<LowRankFactor>().eigenvalues()[0], 9, 1e-12);
}

/// Directions that no gradient has shown yet, and the determinant there was.
TEST(LowRankAscent, IsSeededByStatesAndScores) {
  Matrix x = some_numbers(kDim, 400, 40);
  x.row(1) = 20 * x.row(0) + x.row(1);  // one wide direction
  Matrix covariance = Matrix::Identity(kDim, kDim);
  covariance(1, 0) = covariance(0, 1) = 20;
  covariance(1, 1) = 401;
  SpeedAscent ascent({.metric = Metric::low_rank, .rank = 2});
  Factor factor = Factor::low_rank(Vector::Constant(kDim, 0.1), Matrix(kDim, 0), Vector());
  const double before = factor.log_determinant();
  ascent.seed(x, -covariance.inverse() * x, {1, 0, 0}, factor);
  EXPECT_NEAR(factor.log_determinant(), before, 1e-10);
  EXPECT_EQ(factor.as<LowRankFactor>().rank(), 2);
  const Matrix found = factor.covariance();
  const double correlation = found(0, 1) / std::sqrt(found(0, 0) * found(1, 1));
  EXPECT_NEAR(correlation, 20 / std::sqrt(401.0), 1e-3);
}

TEST(SpeedAscent, RescalesByTheScoresOfTheLastStretch) {
  testing::HandMade made(3, 2);
  made.transition.whitened = some_numbers(3, 2, 5);
  SpeedGradient gradient;
  const Matrix L = testing::some_factor(3, 9);
  gradient.gather(ProposalKind::langevin_fast, made.lesson(), Factor::dense(L));
  EXPECT_NEAR(gradient.score_square(), made.transition.whitened.squaredNorm() / 6, 1e-15);
  SpeedAscent ascent({.learning_rate = 0});
  Tuning tuning(Factor::dense(L));
  ascent.ascend(gradient, tuning.change_factor());
  ascent.rescale(tuning);
  EXPECT_LT((tuning.factor().matrix() - L / std::sqrt(gradient.score_square())).norm(), 1e-13);
}

TEST(SpeedGradient, OfSeveralBatchesWithoutAnyHasTheirDimension) {
  testing::HandMade hand(3, 2);
  hand.transition.log_ratio << 1, 2;
  std::vector<SpeedGradient> batches(2);
  for (SpeedGradient& batch : batches) {
    batch.gather(ProposalKind::random_walk, hand.lesson(), Factor::unit(3));
  }
  const SpeedGradient mean = SpeedGradient::mean(batches);
  EXPECT_EQ(mean.products().count, 0);
  EXPECT_EQ(mean.products().left.rows(), 3);
  EXPECT_EQ(mean.products().right.rows(), 3);
}

TEST(SpeedGradient, OfSeveralBatchesIsTheMeanOverAllLanes) {
  testing::HandMade all(3, 4);
  all.transition.next.whitened = some_numbers(3, 4, 7);
  all.transition.move = some_numbers(3, 4, 8);
  all.transition.whitened = some_numbers(3, 4, 9);
  all.transition.log_ratio << -1, 2, -3, -4;
  const Factor L = Factor::dense(testing::some_factor(3, 9));
  SpeedGradient one;
  one.gather(ProposalKind::langevin_fast, all.lesson(), L);
  std::vector<SpeedGradient> halves(2);
  for (Index h = 0; h < 2; ++h) {
    testing::HandMade half(3, 2);
    half.before.grad = all.before.grad.middleCols(2 * h, 2);
    half.transition.next.grad = all.transition.next.grad.middleCols(2 * h, 2);
    half.transition.next.whitened = all.transition.next.whitened.middleCols(2 * h, 2);
    half.transition.move = all.transition.move.middleCols(2 * h, 2);
    half.transition.whitened = all.transition.whitened.middleCols(2 * h, 2);
    half.transition.log_ratio = all.transition.log_ratio.segment(2 * h, 2);
    halves[static_cast<std::size_t>(h)].gather(ProposalKind::langevin_fast, half.lesson(), L);
  }
  const SpeedGradient mean = SpeedGradient::mean(halves);
  const auto sum = [](const SpeedGradient& g) {
    const OuterProducts p = g.products();
    return Matrix(p.left.leftCols(p.count) * p.right.leftCols(p.count).transpose());
  };
  EXPECT_EQ(mean.products().count, 3);
  EXPECT_LT((sum(mean) - sum(one)).norm(), 1e-14);
  EXPECT_NEAR(mean.score_square(), one.score_square(), 1e-15);
}

}  // namespace
}  // namespace gadwall
