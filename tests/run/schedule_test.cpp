// Batches are handed out in turn, however many there are.
#include "run/schedule.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

namespace gadwall {
namespace {

int questions = 0;

struct Walker {
  Index at = 0;
  std::uint64_t moved = 0;

  Index iteration() const {
    ++questions;
    return at;
  }
  std::uint64_t moved_here() const {
    ++questions;
    return moved;
  }
};

using Walkers = std::vector<std::unique_ptr<Walker>>;

Walkers walkers(const std::vector<Walker>& of) {
  Walkers result;
  for (const Walker& one : of) result.push_back(std::make_unique<Walker>(one));
  return result;
}

TEST(Schedule, HandsOutTheOneFurthestBehindAndTheOneMovedLastOfSeveral) {
  const Walkers all = walkers({{3}, {1, 4}, {2, 7}, {1, 6}, {9}, {1, 5}});
  Schedule<Walker> schedule(all, 9);
  for (const std::size_t expected : {3, 5, 1, 2, 0})
    EXPECT_EQ(schedule.take(), all[expected].get());
  EXPECT_EQ(schedule.take(), nullptr);
}

TEST(Schedule, TakesBackWhatHasNotArrived) {
  const Walkers all = walkers({{0}, {1}});
  Schedule<Walker> schedule(all, 2);
  Walker* first = schedule.take();
  first->at = 2;
  schedule.give_back(first);
  Walker* second = schedule.take();
  EXPECT_EQ(second, all[1].get());
  schedule.give_back(second);
  EXPECT_EQ(schedule.take(), second);
  EXPECT_EQ(schedule.take(), nullptr);
}

/// A batch that two threads had at once would lose steps, which are not atomic.
TEST(Schedule, GivesABatchToOneThreadAtATime) {
  constexpr Index steps = 20'000;
  struct Counter {
    Index at = 0;
    Index iteration() const { return at; }
    std::uint64_t moved_here() const { return 0; }
  };
  std::vector<std::unique_ptr<Counter>> all;
  for (int i = 0; i < 3; ++i) all.push_back(std::make_unique<Counter>());
  Schedule<Counter> schedule(all, steps);
  std::array<Index, 4> done = {};
  std::vector<std::jthread> threads;
  for (Index& count : done) {
    threads.emplace_back([&] {
      while (Counter* counter = schedule.take()) {
        ++counter->at;
        ++count;
        schedule.give_back(counter);
      }
    });
  }
  threads.clear();
  for (const auto& counter : all) EXPECT_EQ(counter->at, steps);
  EXPECT_EQ(std::accumulate(done.begin(), done.end(), Index{0}), 3 * steps);
}

TEST(Schedule, AsksEachOfManyAFewTimesOnly) {
  constexpr int count = 20'000;
  const Walkers all = walkers(std::vector<Walker>(count));
  questions = 0;
  Schedule<Walker> schedule(all, 1);
  while (Walker* walker = schedule.take()) {
    walker->at = 1;
    schedule.give_back(walker);
  }
  EXPECT_LE(questions, 100 * count);
}

}  // namespace
}  // namespace gadwall
