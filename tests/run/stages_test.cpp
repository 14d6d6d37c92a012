// Runs of several stages: lanes that are grouped anew, meetings, restarts in every stage.
#include <gtest/gtest.h>

#include <cmath>

#include "adapters/step.hpp"
#include "kernels/langevin.hpp"
#include "kernels/random_walk.hpp"
#include "meetings/shared_step.hpp"
#include "run/run_testing.hpp"

namespace gadwall {
namespace {

using testing::Ran;
using testing::run_sampler;
using testing::short_run;

/// Learns nothing itself: the step is the meeting's.
class Idle final : public Adapter {
 public:
  Tuning initial_tuning(Index n) const override { return Tuning(Factor::unit(n), 0.5); }
  void learn(const Lesson&, Tuning&) override {}
};

/// Chain 1 goes on from chain 0 at every meeting; the stage ends at the third.
class Copying final : public Meeting {
 public:
  Index next(Index done) const override { return done + 10; }
  bool hold(std::span<Member> mine, Team& team) override {
    copy_lane(0, 1, mine, team);
    return ++held_ == 3;
  }
  void archive(Archive& a) override { a("held", held_); }

 private:
  Index held_ = 0;
};

template <class Part, class... Options>
auto made(Options... options) {
  return [options...] { return std::make_unique<Part>(options...); };
}

/// Every lane alone, then all in pairs with one step, then the draws four at a time.
SamplerRow three_groupings() {
  return make_sampler({.name = "groupings", .summary = "for tests", .warmup = 100, .draws = 50},
                      NoOptions{}, [](const NoOptions&, const Circumstances& c) {
                        Stage alone{.name = "alone", .most = 40, .lanes = 1};
                        alone.kernel = made<RandomWalk>();
                        alone.adapter = made<StepAdapter>(StepOptions{.initial = 0.5});
                        alone.meeting = made<Copying>();
                        Stage pairs{.name = "pairs", .most = 60, .lanes = 2};
                        pairs.kernel = made<Langevin>();
                        pairs.adapter = made<Idle>();
                        pairs.meeting =
                            made<SharedStep>(SharedStepOptions{.averaging = {}, .every = 3});
                        Stage draws{.name = "draws", .most = c.iterations, .lanes = 4};
                        draws.kernel = made<Langevin>();
                        return std::vector<Stage>{alone, pairs, draws};
                      });
}

RunOptions eight_chains(int threads) {
  RunOptions run = short_run(8, 100, 50);
  run.threads = threads;
  return run;
}

TEST(Stages, GiveTheSameDrawsForAnyNumberOfThreads) {
  const SamplerRow row = three_groupings();
  const Ran one = run_sampler(testing::autoregression(3), row, eight_chains(1));
  for (const int threads : {2, 3, 8}) {
    const Ran more = run_sampler(testing::autoregression(3), row, eight_chains(threads));
    for (std::size_t c = 0; c < 8; ++c) EXPECT_EQ(more.chains[c].draws, one.chains[c].draws);
  }
}

TEST(Stages, AreNotedAsTheyWere) {
  const RunFacts facts =
      run_sampler(testing::autoregression(3), three_groupings(), eight_chains(1)).outcome.facts;
  ASSERT_EQ(facts.stages.size(), 3U);
  EXPECT_EQ(facts.stages[0].name, "alone");
  EXPECT_EQ(facts.stages[0].iterations, 30);  // its third meeting ended it
  EXPECT_EQ(facts.stages[1].begin, 30);
  EXPECT_EQ(facts.stages[1].iterations, 60);
  EXPECT_EQ(facts.stages[2].iterations, 50);
  EXPECT_EQ(facts.warmup, 90);
  EXPECT_EQ(facts.stages[1].gradients, 8U * 61);  // the walk before it left none
  EXPECT_EQ(facts.stages[2].gradients, 8U * 50);
  EXPECT_EQ(facts.gradients.sampling, 8U * 50);
  EXPECT_EQ(facts.densities.warmup, 8U * 30);  // of the random walk
}

TEST(Stages, ShareOneStepThatHasTheWantedAcceptance) {
  const Ran ran = run_sampler(testing::autoregression(3), three_groupings(), eight_chains(1));
  ASSERT_EQ(ran.outcome.learnt.size(), 2U);
  EXPECT_EQ(ran.outcome.learnt[0].tuning.step, ran.outcome.learnt[1].tuning.step);
  ASSERT_EQ(ran.outcome.learnt[0].trace.log_density.front().size(), 4U);
}

/// Asks for the end after so many iterations of the first chain.
class CountingSink final : public Sink {
 public:
  CountingSink(Index stop_after, Monitor& monitor) : left_(stop_after), monitor_(monitor) {}

  void begin_sampling(Index, const Tuning&) override { ++begins; }
  void write(Index chain, const DrawStatistics&, ConstVectorRef x) override {
    draws.emplace_back(x);
    count(chain);
  }
  void write_warmup(Index chain, const DrawStatistics&, ConstVectorRef) override { count(chain); }

  int begins = 0;
  std::vector<Vector> draws;

 private:
  void count(Index chain) {
    if (chain == 7 && --left_ == 0) monitor_.stop = true;
  }

  Index left_;
  Monitor& monitor_;
};

TEST(Stages, GoOnAfterARestartInEachOfThemAsIfNothingHadHappened) {
  const SamplerRow row = three_groupings();
  RunOptions options = eight_chains(1);
  options.save_warmup = true;
  const RunPlan plan(testing::autoregression(3), row, {}, options);
  const auto draws = [&](Index stop_after, const Restart& restart) {
    Monitor monitor(8);
    CountingSink sink(stop_after, monitor);
    run(plan, sink, monitor, restart);
    return sink.draws;
  };
  const std::vector<Vector> whole = draws(0, {});
  ASSERT_EQ(whole.size(), 8U * 50);
  for (const Index stop_after : {1, 10, 29, 30, 31, 60, 89, 90, 91, 120}) {
    std::string state;
    const auto keep = [&](const RunState& now) { state = now.bytes(); };
    std::vector<Vector> parts = draws(stop_after, {.state = "", .save = keep});
    const std::vector<Vector> rest = draws(0, {.state = state, .save = nullptr});
    parts.insert(parts.end(), rest.begin(), rest.end());
    std::vector<Vector> expected = whole;
    const auto order = [](const Vector& a, const Vector& b) {
      return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    };
    std::ranges::sort(parts, order);  // slices differ, and with them the order of the chains
    std::ranges::sort(expected, order);
    EXPECT_EQ(parts, expected) << stop_after;
  }
}

/// Counts how often it is told that its stage is over.
class Finishing final : public Adapter {
 public:
  explicit Finishing(int* finished) : finished_(finished) {}
  Tuning initial_tuning(Index n) const override { return Tuning(Factor::unit(n), 0.5); }
  void learn(const Lesson&, Tuning&) override {}
  void finish(Tuning& tuning) override {
    tuning.step /= 2;
    ++*finished_;
  }

 private:
  int* finished_;
};

TEST(Stages, EndOnceWhereARestartFallsBetweenWarmUpAndTheFirstDraw) {
  int finished = 0;
  const SamplerRow row =
      make_sampler({.name = "finishing", .summary = "for tests", .warmup = 5, .draws = 5},
                   NoOptions{}, [&](const NoOptions&, const Circumstances& c) {
                     return learn_then_draw(c, made<RandomWalk>(), made<Finishing>(&finished));
                   });
  RunOptions options = short_run(1, 5, 5);
  options.save_warmup = true;
  const RunPlan plan(testing::autoregression(2), row, {}, options);
  std::string state;
  Monitor monitor(1);
  // Stopped by the last row of warm-up: the checkpoint is made before the first draw.
  class LastRow final : public Sink {
   public:
    explicit LastRow(Monitor& m) : monitor_(m) {}
    void begin_sampling(Index, const Tuning&) override {}
    void write(Index, const DrawStatistics&, ConstVectorRef) override {}
    void write_warmup(Index, const DrawStatistics&, ConstVectorRef) override {
      if (++rows_ == 5) monitor_.stop = true;
    }

   private:
    Monitor& monitor_;
    int rows_ = 0;
  } last_row(monitor);
  run(plan, last_row, monitor,
      {.state = "", .save = [&](const RunState& now) { state = now.bytes(); }});
  EXPECT_EQ(finished, 1);
  Monitor again(1);
  testing::RecordingSink sink(1);
  run(plan, sink, again, {.state = state, .save = nullptr});
  EXPECT_EQ(finished, 1);
  EXPECT_EQ(sink.chain[0].begins, 1);
  EXPECT_EQ(sink.chain[0].step, 0.25);
  EXPECT_EQ(sink.chain[0].draws.size(), 5U);
}

}  // namespace
}  // namespace gadwall
