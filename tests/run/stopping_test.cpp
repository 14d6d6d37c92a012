// Runs that stop on their own quality, or on time.
#include "run/stopping.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gadwall/gadwall.hpp"

namespace gadwall {
namespace {

double standard_normal(ConstVectorRef x, VectorRef grad) {
  grad = -x;
  return -0.5 * x.squaredNorm();
}

SampleOptions quick(double ess) {
  SampleOptions options{.sampler = "gadmala"};
  options.run.warmup = 3000;
  options.run.until_ess = ess;
  return options;
}

TEST(Stopping, EndsAtTheFirstLookThatIsEnough) {
  const SampleResult result = sample(standard_normal, 3, quick(400));
  EXPECT_EQ(result.draws.facts.stopped_by, "ess");
  EXPECT_GE(result.summary.ess_worst, 400);
  EXPECT_LT(result.summary.rhat_max, 1.01);
  Index look = 100;
  while (look < result.draws.draws()) look *= 2;
  EXPECT_EQ(result.draws.draws(), look);
  // The look before was not enough: the first half of the draws.
  SampleOptions half = quick(0);
  half.run.draws = look / 2;
  const Summary before = sample(standard_normal, 3, half).summary;
  EXPECT_TRUE(before.ess_worst < 400 || before.rhat_max >= 1.01);
}

TEST(Stopping, EndsAtTheSameDrawForAnyNumberOfThreads) {
  SampleOptions options = quick(400);
  const Index one = sample(standard_normal, 3, options).draws.draws();
  options.run.threads = 4;
  EXPECT_EQ(sample(standard_normal, 3, options).draws.draws(), one);
}

TEST(Stopping, HasDrawsAsTheMost) {
  SampleOptions options = quick(1e9);
  options.run.draws = 250;
  const SampleResult result = sample(standard_normal, 3, options);
  EXPECT_EQ(result.draws.facts.stopped_by, "draws");
  EXPECT_EQ(result.draws.draws(), 250);
}

RunPlan one_chain() {
  RunOptions run;
  run.chains = 1;
  return {make_target(standard_normal, 1), find_sampler("mala"), {}, run};
}

/// The last look of 100, 200, 400, ... is before the end: what has come since counts.
TEST(Stopping, LooksAtTheLastDraws) {
  SampleOptions options = quick(0);
  options.run.draws = 3000;
  const Summary all = sample(standard_normal, 3, options).summary;
  options.run.draws = 1600;
  const double before = sample(standard_normal, 3, options).summary.ess_worst;
  ASSERT_GT(all.ess_worst, before + 1);
  ASSERT_LT(all.rhat_max, 1.01);
  options = quick((all.ess_worst + before) / 2);
  options.run.draws = 3000;
  const SampleResult result = sample(standard_normal, 3, options);
  EXPECT_EQ(result.draws.draws(), 3000);
  EXPECT_EQ(result.draws.facts.stopped_by, "ess");
}

TEST(Stopping, LooksAtTheLastDrawsOutOfTurn) {
  const RunPlan plan = one_chain();
  MemorySink sink(plan);
  const Vector statistics = Vector::Zero(static_cast<Index>(plan.statistics.size()));
  for (int i = 0; i < 150; ++i) {
    sink.write(0, statistics, Vector::Constant(1, std::fmod(i * 0.618034, 1)));
  }
  StoppingRule rule(100000, 200);
  EXPECT_FALSE(rule.is_enough(150, true, sink));
  EXPECT_EQ(rule.next_look(), 200);
}

TEST(Stopping, LeavesOutLooksThatAreHopeless) {
  const RunPlan plan = one_chain();
  MemorySink sink(plan);
  const Vector statistics = Vector::Zero(static_cast<Index>(plan.statistics.size()));
  for (int i = 0; i < 100; ++i) {  // an ESS of a few hundred at most
    sink.write(0, statistics, Vector::Constant(1, std::fmod(i * 0.618034, 1)));
  }
  StoppingRule rule(100000);
  EXPECT_EQ(rule.next_look(), 100);
  EXPECT_FALSE(rule.is_enough(100, false, sink));
  EXPECT_GT(rule.next_look(), 6400);
}

TEST(Stopping, NeverLooksWithoutARule) {
  MemorySink sink(one_chain());
  StoppingRule rule(0);
  EXPECT_FALSE(rule.is_enough(100, true, sink));
  EXPECT_EQ(rule.next_look(), std::numeric_limits<Index>::max());
}

TEST(Stopping, EndsOnTimeWithWhatThereIs) {
  SampleOptions options;
  options.run.warmup = 0;
  options.run.draws = 1'000'000'000;
  options.run.max_seconds = 0.01;
  const SampleResult result = sample(standard_normal, 3, options);
  EXPECT_EQ(result.draws.facts.stopped_by, "time");
  EXPECT_EQ(result.draws.facts.draws, result.draws.draws());
}

TEST(Stopping, NeedsASinkThatCanBeReadBack) {
  class Blind final : public Sink {
    void begin_sampling(Index, const Tuning&) override {}
    void write(Index, const DrawStatistics&, ConstVectorRef) override {}
  } sink;
  const SamplerRow& row = find_sampler("gadmala");
  RunOptions run_options;
  run_options.warmup = 10;
  run_options.until_ess = 10;
  const RunPlan plan(make_target(standard_normal, 2), row, {}, run_options);
  Monitor monitor(4);
  EXPECT_THROW(run(plan, sink, monitor), UsageError);
}

}  // namespace
}  // namespace gadwall
