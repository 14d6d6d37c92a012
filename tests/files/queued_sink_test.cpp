// The queue between chains and writers: what it hands on, and how often it copies.
#include "files/queued_sink.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <thread>

#include "gadwall/targets.hpp"

namespace gadwall::files {
namespace {

RunPlan plan_of(Index chains, Index lanes) {
  RunOptions run;
  run.chains = chains;
  run.lanes = lanes;
  const SamplerRow& row = find_sampler("gadmala");
  return {find_target("gaussian2d").make({}).target, row, {}, run};
}

struct Seen {
  std::vector<Index> batches;
  std::vector<const Tuning*> tunings;
  Index rows = 0;
};

class Witness final : public DrawWriter {
 public:
  explicit Witness(Seen& seen) : seen_(seen) {}
  void begin_sampling(Index batch, const std::shared_ptr<const Tuning>& tuning) override {
    seen_.batches.push_back(batch);
    seen_.tunings.push_back(tuning.get());
  }
  void append(const ChainBlock& block) override { seen_.rows += block.count; }

 private:
  Seen& seen_;
};

TEST(QueuedSink, CopiesATuningOncePerBatchAndSharesItBetweenWriters) {
  Seen first, second;
  const Vector statistics = Vector::Zero(7);
  {
    const RunPlan plan = plan_of(6, 3);
    std::vector<std::unique_ptr<DrawWriter>> writers;
    writers.push_back(std::make_unique<Witness>(first));
    writers.push_back(std::make_unique<Witness>(second));
    QueuedSink sink(plan, std::move(writers), [] { return Draws(); });
    const Tuning tuning(Factor::unit(2));
    for (Index chain = 0; chain < 6; ++chain) {
      sink.begin_sampling(chain, tuning);
      sink.write(chain, statistics, Vector::Zero(2));
    }
    sink.flush();
    EXPECT_EQ(first.rows, 6);
  }
  EXPECT_EQ(first.batches, (std::vector<Index>{0, 1}));
  EXPECT_EQ(first.tunings, second.tunings);
}

/// Of the threads that the writers were called by.
class ThreadWitness final : public DrawWriter {
 public:
  explicit ThreadWitness(std::set<std::thread::id>& seen) : seen_(seen) {}
  void append(const ChainBlock&) override { seen_.insert(std::this_thread::get_id()); }

 private:
  std::set<std::thread::id>& seen_;
};

std::set<std::thread::id> writing_threads(std::chrono::milliseconds between) {
  std::set<std::thread::id> seen;
  const RunPlan plan = plan_of(2, 2);
  std::vector<std::unique_ptr<DrawWriter>> writers;
  writers.push_back(std::make_unique<ThreadWitness>(seen));
  QueuedSink sink(plan, std::move(writers), [] { return Draws(); });
  for (int i = 0; i < 3; ++i) {
    sink.write(0, Vector::Zero(7), Vector::Zero(2));
    std::this_thread::sleep_for(between);
  }
  sink.flush();
  return seen;
}

TEST(QueuedSink, WritesAShortRunInTheThreadThatWaitsForIt) {
  EXPECT_EQ(writing_threads(std::chrono::milliseconds(0)), std::set{std::this_thread::get_id()});
}

TEST(QueuedSink, WritesALongRunBesideIt) {
  const auto seen = writing_threads(std::chrono::milliseconds(600));
  EXPECT_FALSE(seen.empty());
  EXPECT_FALSE(seen.contains(std::this_thread::get_id()));
}

TEST(QueuedSink, LosesNothingWhereItEndsBeforeAnybodyWaited) {
  Seen seen;
  {
    std::vector<std::unique_ptr<DrawWriter>> writers;
    writers.push_back(std::make_unique<Witness>(seen));
    const RunPlan plan = plan_of(1, 1);
    QueuedSink sink(plan, std::move(writers), [] { return Draws(); });
    for (int i = 0; i < 20000; ++i) sink.write(0, Vector::Zero(7), Vector::Zero(2));
  }
  EXPECT_EQ(seen.rows, 20000);
}

}  // namespace
}  // namespace gadwall::files
