// How long a run will still take.
#include "session/time_left.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gadwall/targets.hpp"

namespace gadwall::session {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

RunPlan plan_with(RunOptions run) {
  run.warmup = 1000;
  run.draws = 2000;
  return RunPlan(find_target("gaussian2d").make({}).target, find_sampler("mala"), {}, run);
}

TEST(TimeLeft, HasARateForWarmUpAndOneForSampling) {
  const RunPlan plan = plan_with({});
  TimeLeft time(plan);
  time.estimate(0, -1, kUnknown, 0);
  EXPECT_NEAR(time.estimate(500, -1, kUnknown, 1), 5, 1e-9);      // 2500 at 500 a second
  EXPECT_NEAR(time.estimate(1000, 1000, kUnknown, 2), 4, 1e-9);   // no draw yet: as warm-up went
  EXPECT_NEAR(time.estimate(1100, 1000, kUnknown, 3), 19, 1e-9);  // 1900 at 100 a second
}

TEST(TimeLeft, CountsFromWhereARunGoesOn) {
  const RunPlan plan = plan_with({});
  TimeLeft time(plan);
  EXPECT_TRUE(std::isnan(time.estimate(900, -1, kUnknown, 0.2)));
  EXPECT_NEAR(time.estimate(950, -1, kUnknown, 0.7), 20.5, 1e-9);  // 2050 at 100 a second
}

TEST(TimeLeft, EndsWhenTheEssIsReachedOrTheTimeIsOver) {
  RunOptions options;
  options.until_ess = 400;
  const RunPlan until = plan_with(options);
  TimeLeft ess(until);
  ess.estimate(1000, 1000, kUnknown, 0);
  EXPECT_NEAR(ess.estimate(1100, 1000, 100, 1), 3, 1e-9);  // 100 in a second, 300 to go
  options.max_seconds = 1.5;
  const RunPlan timed = plan_with(options);
  TimeLeft clock(timed);
  clock.estimate(1000, 1000, kUnknown, 0);
  EXPECT_NEAR(clock.estimate(1100, 1000, 100, 1), 0.5, 1e-9);
}

TEST(TimeLeft, IsToldInUnitsThatFit) {
  EXPECT_EQ(time_text(41), "41 s");
  EXPECT_EQ(time_text(600), "10 min");
  EXPECT_EQ(time_text(7200), "2.0 h");
  EXPECT_EQ(time_text(kUnknown), "?");
}

}  // namespace
}  // namespace gadwall::session
