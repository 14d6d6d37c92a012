// What the stages of auto collect, on lessons made by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "adapters/alone.hpp"
#include "adapters/lesson_testing.hpp"
#include "adapters/paths.hpp"
#include "adapters/points.hpp"

namespace gadwall {
namespace {

using testing::HandMade;

template <class T>
T through_an_archive(T& value, T into) {
  Archive saved;
  saved("value", value);
  Archive given(saved.bytes());
  given("value", into);
  return into;
}

TEST(Points, AreTheStatesAfterTheDecision) {
  HandMade made(3, 2);
  made.transition.accepted[1] = false;
  Points points;
  points.add(made.lesson(0));
  points.add(made.lesson(1));
  ASSERT_EQ(points.iterations(), 2);
  EXPECT_EQ(points.x().col(2), made.transition.next.x.col(0));
  EXPECT_EQ(points.x().col(3), made.before.x.col(1));
  EXPECT_EQ(points.scores().col(2), made.transition.next.grad.col(0));
  EXPECT_EQ(points.scores().col(3), made.before.grad.col(1));
  EXPECT_EQ(points.logp()[2], made.transition.next.logp[0]);
  EXPECT_EQ(points.logp()[3], made.before.logp[1]);
}

TEST(Points, KeepTheLastAndSurviveARestart) {
  HandMade made(2, 3);
  Points points;
  for (std::uint64_t i = 0; i < 5; ++i) {
    made.transition.next.x.setConstant(static_cast<double>(i));
    points.add(made.lesson(i));
  }
  const Points again = through_an_archive(points, Points());
  for (Points kept : {points, again}) {
    kept.keep_last(2);
    EXPECT_EQ(kept.iterations(), 2);
    EXPECT_EQ(kept.x().leftCols(3), Matrix::Constant(2, 3, 3));
    EXPECT_EQ(kept.x().rightCols(3), Matrix::Constant(2, 3, 4));
  }
}

TEST(AloneAdapter, BeginsWithTheScalesOfTheFirstGradient) {
  HandMade made(3, 2);
  made.before.grad.col(0) = Vector{{4, -100, 0}};
  AloneAdapter adapter({});
  Tuning tuning = adapter.initial_tuning(3);
  adapter.start(made.before, made.density, {1, 0, 0}, tuning);
  EXPECT_EQ(tuning.factor().matrix_diagonal(), (Vector{{0.5, 0.1, 1}}));
}

/// With x and g independent normals of sd a and b the scale is (a^2 / b^2)^(1/4), from the last
/// half.
TEST(AloneAdapter, LearnsScalesFromTheLastHalfOfItsPath) {
  HandMade made(1, 1);
  AloneAdapter adapter({.every = 8});
  Tuning tuning = adapter.initial_tuning(1);
  adapter.start(made.before, made.density, {1, 0, 0}, tuning);
  const Matrix numbers = testing::some_numbers(2, 8, 11);
  for (std::uint64_t i = 0; i < 8; ++i) {
    const auto c = static_cast<Index>(i);
    const double size = i < 4 ? 1e6 : 1;  // the first half is the way to the bulk
    made.transition.next.x(0, 0) = size * numbers(0, c);
    made.transition.next.grad(0, 0) = numbers(1, c);
    adapter.learn(made.lesson(i), tuning);
  }
  const auto variance = [&](Index row) {
    const Eigen::ArrayXd last = numbers.row(row).tail(4).array();
    return (last - last.mean()).square().sum();
  };
  EXPECT_NEAR(tuning.factor().matrix_diagonal()[0], std::pow(variance(0) / variance(1), 0.25),
              1e-12);
}

TEST(AloneAdapter, HasArrivedWhenItsLogDensityNoLongerClimbs) {
  HandMade made(1, 1);
  AloneAdapter adapter({.every = 1000});
  Tuning tuning = adapter.initial_tuning(1);
  adapter.start(made.before, made.density, {1, 0, 0}, tuning);
  const auto feed = [&](int count, double from, double slope) {
    for (int i = 0; i < count; ++i) {
      made.transition.next.logp[0] = from + slope * i;
      adapter.learn(made.lesson(0), tuning);
    }
  };
  EXPECT_FALSE(adapter.has_arrived());  // nothing seen yet
  feed(24, -1000, 10);
  EXPECT_FALSE(adapter.has_arrived());
  feed(16, -3, 0.01);
  EXPECT_TRUE(adapter.has_arrived());
  AloneAdapter again({.every = 1000});
  EXPECT_TRUE(through_an_archive(adapter, std::move(again)).has_arrived());
}

TEST(PathsAdapter, SeesWhatItIsToldToLookAt) {
  HandMade made(2, 2);
  Tuning tuning(Factor::unit(2));
  PathsAdapter adapter;
  made.transition.leapfrogs.setConstant(3);
  made.transition.divergent[1] = true;
  made.transition.accepted[1] = false;
  adapter.learn(made.lesson(0), tuning);
  EXPECT_EQ(adapter.seen().start.cols(), 0);  // it looks away at first

  adapter.look(PathsAdapter::Look::at_states);
  EXPECT_FALSE(adapter.wants().path);
  adapter.learn(made.lesson(1), tuning);
  EXPECT_EQ(adapter.seen().start, made.before.x);
  EXPECT_EQ(adapter.seen().after.col(0), made.transition.next.x.col(0));
  EXPECT_EQ(adapter.seen().after.col(1), made.before.x.col(1));
  EXPECT_EQ(adapter.seen().gradients, 6);
  EXPECT_EQ(adapter.seen().divergences, 1);

  adapter.look(PathsAdapter::Look::along_paths);
  EXPECT_TRUE(adapter.wants().path);
  EXPECT_EQ(adapter.seen().start.cols(), 0);
  const double bad = -std::numeric_limits<double>::infinity();
  made.transition.path = {{testing::some_numbers(2, 2, 7), Vector{{0.5, std::log(0.25)}}},
                          {testing::some_numbers(2, 2, 8), Vector{{bad, 0}}}};
  adapter.learn(made.lesson(2), tuning);
  EXPECT_EQ(adapter.seen().steps(), 2);
  EXPECT_TRUE(adapter.seen().accept.isApprox(Matrix{{1, 0.25}, {0, 1}}));
  EXPECT_EQ(adapter.seen().end.col(1).tail(2), made.transition.path[1].x.col(1));
}

}  // namespace
}  // namespace gadwall
