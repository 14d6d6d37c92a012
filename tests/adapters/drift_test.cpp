// The shape and the angle of the exact drift, learnt from hand-made states and scores.
#include "adapters/drift.hpp"

#include <gtest/gtest.h>

#include "adapters/lesson_testing.hpp"
#include "meetings/pooled_drift.hpp"

namespace gadwall {
namespace {

constexpr Index kIterations = 400;

Matrix some_covariance(Index n) {
  const Matrix root = testing::some_factor(n, 9);
  return root * root.transpose();
}

/// Every iteration ends in states of any kind whose scores are those of N(0, covariance).
void show(const Matrix& covariance, std::uint64_t i, testing::HandMade& made) {
  const Index n = covariance.rows();
  made.transition.next.x = testing::some_numbers(n, made.before.lanes(), 100 + i);
  made.transition.next.grad = -covariance.inverse() * made.transition.next.x;
  made.transition.accept.setConstant(1);
}

Tuning first_tuning(Metric form, Index n) {
  return Tuning(Factor::first(form, n, 1), 1);
}

Tuning learnt(const DriftOptions& options, const Matrix& covariance) {
  const Index n = covariance.rows();
  testing::HandMade made(n, 2);
  DriftAdapter adapter(options);
  Tuning tuning = first_tuning(options.metric, n);
  adapter.start(made.before, made.density, {}, tuning);
  for (std::uint64_t i = 0; i < kIterations; ++i) {
    show(covariance, i, made);
    adapter.learn(made.lesson(i), tuning);
  }
  adapter.finish(tuning);
  return tuning;
}

TEST(Drift, MakesOfLTheFactorOfAGaussiansCovarianceWhateverThePointsAre) {
  const Matrix covariance = some_covariance(4);
  const Tuning tuning = learnt({.angle = {}, .iterations = kIterations}, covariance);
  EXPECT_LT((tuning.factor().covariance() - covariance).norm(), 2e-3 * covariance.norm());
  EXPECT_EQ(tuning.step, AngleOptions{}.most);  // everything was accepted
}

TEST(Drift, LeavesLWhereNothingIsToBeCorrectedOrPointsAreTooFew) {
  const Matrix covariance = some_covariance(4);
  const Matrix one = Matrix::Identity(4, 4);
  const DriftOptions never{.angle = {}, .correct = false, .iterations = kIterations};
  EXPECT_EQ(learnt(never, covariance).factor().covariance(), one);
  const DriftOptions pooled{.angle = {}, .pool = true, .iterations = kIterations};
  EXPECT_EQ(learnt(pooled, covariance).factor().covariance(), one);  // its meeting did not meet
  const Matrix wide = some_covariance(100);                          // 400 points in 100 dimensions
  EXPECT_EQ(learnt({.angle = {}, .iterations = kIterations / 2}, wide).factor().covariance(),
            Matrix::Identity(100, 100));
}

TEST(Drift, KeepsTheRankOfALowRankL) {
  Matrix wide = testing::some_numbers(20, 6, 3);
  const Matrix covariance = Matrix::Identity(20, 20) + 3 * wide * wide.transpose();
  for (const Index rank : {2, 6}) {
    const Tuning tuning =
        learnt({.angle = {}, .metric = Metric::low_rank, .rank = rank, .iterations = kIterations},
               covariance);
    EXPECT_EQ(tuning.factor().as<LowRankFactor>().rank(), rank);
  }
}

TEST(Drift, HasTwoWindowsAndTimeForTheAngle) {
  for (const Index iterations : {40, 400, 2500, 10000}) {
    const WarmupWindows windows = drift_windows({.angle = {}, .iterations = iterations});
    std::vector<Index> ends;
    for (Index i = 0; i < iterations; ++i) {
      if (windows.ends_window(i)) ends.push_back(i + 1);
    }
    ASSERT_EQ(ends.size(), 2U) << iterations;
    EXPECT_LE(ends.back(), iterations - std::min<Index>(1000, iterations / 4));
    const PooledDrift meeting({.angle = {}, .pool = true, .iterations = iterations});
    EXPECT_EQ(meeting.next(0), ends[0]);
    EXPECT_EQ(meeting.next(ends[0]), ends[1]);
    EXPECT_GT(meeting.next(ends[1]), iterations);
  }
}

}  // namespace
}  // namespace gadwall
