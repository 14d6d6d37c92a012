// The schedule of warm-up windows. The ends for 200 and more iterations are those of Stan 2.21.
#include "adapters/warmup_windows.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gadwall {
namespace {

struct Schedule {
  std::vector<Index> inside;  // iterations whose draws teach the metric
  std::vector<Index> ends;    // last iteration of each window
};

Schedule schedule(Index warmup, WindowOptions options = {}) {
  const WarmupWindows windows(options, warmup);
  Schedule result;
  for (Index t = 0; t < warmup; ++t) {
    if (windows.in_window(t)) result.inside.push_back(t);
    if (windows.ends_window(t)) result.ends.push_back(t);
  }
  return result;
}

using Ends = std::vector<Index>;

TEST(WarmupWindows, AreThoseOfStanForAThousandIterations) {
  const Schedule stan = schedule(1000);  // 75 | 25, 50, 100, 200, 500 | 50
  EXPECT_EQ(stan.ends, (Ends{99, 149, 249, 449, 949}));
  EXPECT_EQ(stan.inside.front(), 75);
  EXPECT_EQ(stan.inside.back(), 949);
}

TEST(WarmupWindows, AreThoseOfStanForOtherLengths) {
  EXPECT_EQ(schedule(200).ends, (Ends{99, 149}));
  EXPECT_EQ(schedule(299).ends, (Ends{99, 248}));
  EXPECT_EQ(schedule(300).ends, (Ends{99, 149, 249}));
  EXPECT_EQ(schedule(500).ends, (Ends{99, 149, 249, 449}));
  EXPECT_EQ(schedule(2000).ends, (Ends{99, 149, 249, 449, 849, 1949}));
}

TEST(WarmupWindows, LetTheLastWindowTakeWhatIsLeft) {
  EXPECT_EQ(schedule(150).ends, (Ends{99}));
  EXPECT_EQ(schedule(199).ends, (Ends{148}));  // a second one of 50 would not fit
}

TEST(WarmupWindows, SplitAShortWarmupInProportion) {
  // 15 % | 75 % | 10 %, rounded down at both ends
  const Schedule hundred = schedule(100);
  EXPECT_EQ(hundred.ends, (Ends{89}));
  EXPECT_EQ(hundred.inside.front(), 15);
  const Schedule almost = schedule(149);
  EXPECT_EQ(almost.ends, (Ends{134}));
  EXPECT_EQ(almost.inside.front(), 22);
  const Schedule twenty = schedule(20);
  EXPECT_EQ(twenty.ends, (Ends{17}));
  EXPECT_EQ(twenty.inside.front(), 3);
}

TEST(WarmupWindows, AreNoneBelowTwentyIterations) {
  for (const Index warmup : {0, 1, 19}) {
    EXPECT_TRUE(schedule(warmup).inside.empty()) << warmup;
    EXPECT_TRUE(schedule(warmup).ends.empty()) << warmup;
    EXPECT_FALSE(WarmupWindows({}, warmup).in_window(0));
  }
}

TEST(WarmupWindows, FollowOneAnotherWithoutAGapAndDouble) {
  for (const WindowOptions options :
       {WindowOptions{}, WindowOptions{.start = 0, .base = 1, .end = 0},
        WindowOptions{.start = 10, .base = 7, .end = 3}}) {
    for (Index warmup = options.start + options.base + options.end; warmup < 1500; ++warmup) {
      if (warmup < 20) continue;
      const Schedule s = schedule(warmup, options);
      ASSERT_EQ(s.inside.front(), options.start) << warmup;
      ASSERT_EQ(s.inside.back(), warmup - options.end - 1) << warmup;
      ASSERT_EQ(s.ends.back(), s.inside.back()) << warmup;
      Index begin = options.start;
      Index length = options.base;
      for (const Index end : s.ends) {
        const Index seen = end + 1 - begin;
        ASSERT_TRUE(end == s.ends.back() ? seen >= length : seen == length) << warmup;
        ASSERT_LT(seen, 3 * length) << warmup;  // else its successor would have fitted
        begin = end + 1;
        length *= 2;
      }
    }
  }
}

TEST(WarmupWindows, KnowTheOneThatAnIterationIsIn) {
  const WarmupWindows windows({}, 200);  // 75 ... 99 and 100 ... 149
  for (const Index iteration : {75, 80, 99}) {
    EXPECT_EQ(windows.window_at(iteration).first, 75);
    EXPECT_EQ(windows.window_at(iteration).last, 99);
  }
  for (const Index iteration : {100, 149}) {
    EXPECT_EQ(windows.window_at(iteration).first, 100);
    EXPECT_EQ(windows.window_at(iteration).last, 149);
  }
}

}  // namespace
}  // namespace gadwall
