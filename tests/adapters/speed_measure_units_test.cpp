// Learning in units of the first L is the paper's algorithm on rescaled coordinates.
#include <gtest/gtest.h>

#include "adapters/lesson_testing.hpp"
#include "adapters/speed_measure.hpp"

namespace gadwall {
namespace {

using testing::HandMade;

constexpr Index kDim = 5;
constexpr double kFirstDiagonal = 0.1;  // of L in its units

/// A Langevin transition in the coordinates x_i = units_i z_i, whose gradients are those of z
/// divided by the units; products with L are the same in both.
HandMade transition_in(const Vector& units, const Matrix& in_units, std::uint64_t variant) {
  HandMade made(kDim, 2);
  Transition& t = made.transition;
  t.next.grad = testing::some_numbers(kDim, 2, 10 + variant);
  t.whitened = in_units.transpose() * made.before.grad;
  t.next.whitened = in_units.transpose() * t.next.grad;
  t.move = t.noise + t.whitened / 2;
  for (Matrix* dual : {&made.before.grad, &t.next.grad, &t.curvature}) {
    *dual = units.cwiseInverse().asDiagonal() * *dual;
  }
  return made;
}

Tuning tuning_of(Metric metric, const Matrix& lower) {
  return Tuning(metric == Metric::diag ? Factor::diagonal(lower.diagonal()) : Factor::dense(lower));
}

void expect_the_same_lessons(ProposalKind proposal, Metric metric) {
  const Vector units = (3 * testing::some_numbers(kDim, 1, 7)).array().exp();
  Matrix first = testing::some_factor(kDim, 9);
  if (metric == Metric::diag) first = Matrix(first.diagonal().asDiagonal());
  first.diagonal().setConstant(kFirstDiagonal);
  SpeedMeasureOptions options{.proposal = proposal, .metric = metric, .learning_rate = 0.01};
  SpeedMeasureAdapter plain(options);
  options.relative = true;
  SpeedMeasureAdapter relative(options);
  Tuning in_units = tuning_of(metric, first);
  Tuning tuning = tuning_of(metric, units.asDiagonal() * first);
  for (std::uint64_t i = 0; i < 4; ++i) {
    const Matrix now = in_units.factor().matrix();
    HandMade scaled = transition_in(Vector::Ones(kDim), now, i);
    HandMade made = transition_in(units, now, i);
    if (i == 0) relative.start(made.before, made.density, {1, 0, 0}, tuning);
    plain.learn(scaled.lesson(i), in_units);
    relative.learn(made.lesson(i), tuning);
    const Matrix learnt = units.cwiseInverse().asDiagonal() * tuning.factor().matrix();
    EXPECT_LT((learnt - in_units.factor().matrix()).cwiseAbs().maxCoeff(), 1e-7);
  }
}

TEST(SpeedMeasureUnits, LearnWhatThePaperWouldOnRescaledCoordinates) {
  for (const Metric metric : {Metric::diag, Metric::dense}) {
    expect_the_same_lessons(ProposalKind::random_walk, metric);
    expect_the_same_lessons(ProposalKind::langevin_fast, metric);
    expect_the_same_lessons(ProposalKind::langevin_exact, metric);
  }
}

TEST(SpeedMeasureUnits, ScaleTheFloorToo) {
  HandMade made(2, 1);
  made.transition.next.grad << -1e6, 1e-6;
  made.transition.noise << 10, 10;
  SpeedMeasureAdapter adapter({.proposal = ProposalKind::random_walk,
                               .learning_rate = 0.5,
                               .relative = true,
                               .diagonal_floor = 0.02});
  Tuning tuning(Factor::dense(Vector{{1e-6, 1e6}}.asDiagonal()));
  adapter.start(made.before, made.density, {1, 0, 0}, tuning);
  adapter.learn(made.lesson(), tuning);
  EXPECT_DOUBLE_EQ(tuning.factor().matrix_diagonal()[0], 0.02 * 1e-5);
  EXPECT_GT(tuning.factor().matrix_diagonal()[1], 1e6);
}

}  // namespace
}  // namespace gadwall
