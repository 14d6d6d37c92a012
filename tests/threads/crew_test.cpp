// A crew does the work once on every thread, again and again, and passes on what is thrown.
#include "threads/crew.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace gadwall {
namespace {

TEST(Crew, WorksOnEveryThreadEachTime) {
  for (const int threads : {1, 2, 5}) {
    Crew crew(threads);
    std::atomic<int> count{0};
    for (int call = 1; call <= 1000; ++call) {
      crew.work([&] { ++count; });
      ASSERT_EQ(count, call * threads);
    }
  }
}

TEST(Crew, ThrowsWhatAThreadThrewAndWorksOn) {
  Crew crew(3);
  std::atomic<int> turn{0};
  EXPECT_THROW(crew.work([&] {
    if (turn++ == 1) throw std::runtime_error("one of them");
  }),
               std::runtime_error);
  std::atomic<int> count{0};
  crew.work([&] { ++count; });
  EXPECT_EQ(count, 3);
}

TEST(Crew, GoesHomeWithoutWork) {
  Crew crew(4);
}

}  // namespace
}  // namespace gadwall
