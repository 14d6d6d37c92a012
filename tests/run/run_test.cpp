// The loop: what it costs, what the sink and the monitor see, how it stops.
#include "gadwall/run.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "message_of.hpp"
#include "run/run_testing.hpp"

namespace gadwall {
namespace {

using testing::CountingNormal;
using testing::Ran;
using testing::RecordingSink;
using testing::run_sampler;
using testing::short_run;
using testing::statistic;

constexpr std::uint64_t kChains = 3, kWarmup = 40, kDraws = 25;

RunFacts facts_of(const char* sampler, bool has_hessian = true) {
  const auto target = std::make_shared<CountingNormal>(2, has_hessian);
  return run_sampler(target, find_sampler(sampler), short_run(kChains, kWarmup, kDraws))
      .outcome.facts;
}

void expect_gradients(const char* sampler, const RunFacts& facts, std::uint64_t warmup,
                      std::uint64_t sampling) {
  EXPECT_EQ(facts.gradients.warmup, kChains * warmup) << sampler;
  EXPECT_EQ(facts.gradients.sampling, kChains * sampling) << sampler;
}

TEST(Cost, OfEverySamplerIsWhatTheTargetWasAskedFor) {
  for (const SamplerRow& row : samplers()) {
    for (const bool has_hessian : {true, false}) {
      const auto target = std::make_shared<CountingNormal>(3, has_hessian);
      const RunFacts facts = run_sampler(target, row, short_run(2, 30, 20)).outcome.facts;
      EXPECT_EQ(facts.gradients.total(), target->gradients + target->products) << row.name;
      EXPECT_EQ(facts.densities.total(), target->densities) << row.name;
      EXPECT_EQ(facts.bad_points, 0U) << row.name;
    }
  }
}

TEST(Cost, IsOneGradientAnIterationForLangevin) {
  for (const char* name : {"mala", "gadmala"}) {  // and one for the start
    const RunFacts facts = facts_of(name);
    expect_gradients(name, facts, kWarmup + 1, kDraws);
    EXPECT_EQ(facts.densities.total(), 0U) << name;
  }
}

TEST(Cost, IsOneHessianProductMoreForTheExactGradientInWarmup) {
  expect_gradients("gadmala-exact", facts_of("gadmala-exact"), 2 * kWarmup + 1, kDraws);
  // Without a product two gradients are differenced.
  expect_gradients("gadmala-exact", facts_of("gadmala-exact", false), 3 * kWarmup + 1, kDraws);
}

TEST(Cost, IsGradientsInWarmupAndDensitiesAfterItForGadrwm) {
  const RunFacts facts = facts_of("gadrwm");
  expect_gradients("gadrwm", facts, kWarmup + 1, 0);
  EXPECT_EQ(facts.densities.warmup, 0U);
  EXPECT_EQ(facts.densities.sampling, kChains * kDraws);
}

TEST(Cost, IsDensitiesAloneForRandomWalks) {
  for (const char* name : {"rwm", "am"}) {
    const RunFacts facts = facts_of(name);
    expect_gradients(name, facts, 1, 0);
    EXPECT_EQ(facts.densities.warmup, kChains * kWarmup) << name;
    EXPECT_EQ(facts.densities.sampling, kChains * kDraws) << name;
  }
}

TEST(Cost, IsOneGradientALeapfrogForHamiltonianKernels) {
  expect_gradients("hmc", facts_of("hmc"), 10 * kWarmup + 1, 10 * kDraws);
  const auto target = std::make_shared<CountingNormal>(2, true);
  const Ran nuts = run_sampler(target, find_sampler("nuts"), short_run(1, kWarmup, kDraws));
  double leapfrogs = 0;
  for (const Vector& s : nuts.chains[0].statistics) leapfrogs += statistic(s, "leapfrogs");
  EXPECT_EQ(static_cast<double>(nuts.outcome.facts.gradients.sampling), leapfrogs);
}

TEST(Cost, OfTheChainsAddsUpToThatOfTheRun) {
  for (const SamplerRow& row : samplers()) {
    RunOptions options = short_run(6, 30, 20);
    options.lanes = 3;
    const auto target = std::make_shared<CountingNormal>(2, true);
    const RunOutcome outcome = run_sampler(target, row, options).outcome;
    ASSERT_EQ(outcome.chains.size(), 6U);
    std::uint64_t gradients = 0, densities = 0;
    double acceptance = 0;
    for (const MeasuredFacts& chain : outcome.chains) {
      gradients += chain.gradients.total();
      densities += chain.densities.total();
      acceptance += chain.accept_rate / 6;
      EXPECT_EQ(chain.draws, 20) << row.name;
    }
    EXPECT_EQ(gradients, outcome.facts.gradients.total()) << row.name;
    EXPECT_EQ(densities, outcome.facts.densities.total()) << row.name;
    EXPECT_NEAR(acceptance, outcome.facts.accept_rate, 1e-14) << row.name;
  }
}

TEST(Run, WorksWithoutWarmupForEverySampler) {
  for (const SamplerRow& row : samplers()) {
    const Ran ran = run_sampler(testing::autoregression(3), row, short_run(2, 0, 30));
    EXPECT_EQ(ran.chains[1].draws.size(), 30U) << row.name;
    EXPECT_NE(ran.chains[1].draws.front(), ran.chains[1].draws.back()) << row.name;
    EXPECT_TRUE(ran.chains[1].draws.back().allFinite()) << row.name;
  }
}

TEST(Run, TellsTheSinkEverythingOnceAndInOrder) {
  const auto target = testing::autoregression(2);
  for (const SamplerRow& row : samplers()) {
    RunOptions options = short_run(4, 20, 30);
    options.lanes = 2;
    options.threads = 2;
    const Ran ran = run_sampler(target, row, options);
    for (const RecordingSink::Record& chain : ran.chains) {
      EXPECT_EQ(chain.begins, 1) << row.name;
      EXPECT_TRUE(chain.began_first) << row.name;
      ASSERT_EQ(chain.draws.size(), 30U) << row.name;
      for (std::size_t i = 0; i < 30; ++i) {
        Vector logp(1);
        Matrix none;
        target->evaluate(chain.draws[i], logp, none);
        EXPECT_NEAR(statistic(chain.statistics[i], "log_density"), logp[0], 1e-12) << row.name;
        EXPECT_GE(statistic(chain.statistics[i], "accept"), 0) << row.name;
        EXPECT_LE(statistic(chain.statistics[i], "accept"), 1) << row.name;
      }
    }
  }
}

TEST(Run, TakesMissingLengthsFromTheSampler) {
  const RunPlan plan(testing::autoregression(2), find_sampler("nuts"), {}, {});
  EXPECT_EQ(plan.warmup, 1000);
  EXPECT_EQ(plan.draws, 1000);
}

TEST(Run, SaysWhatItWas) {
  RunOptions options = short_run(2, 30, 20);
  options.seed = 99;
  const RunFacts facts =
      run_sampler(testing::autoregression(2), find_sampler("mala"), options).outcome.facts;
  EXPECT_EQ(facts.sampler, "mala");
  EXPECT_EQ(facts.chains, 2);
  EXPECT_EQ(facts.warmup, 30);
  EXPECT_EQ(facts.draws, 20);
  EXPECT_EQ(facts.seed, 99U);
  EXPECT_EQ(facts.settings, used_settings(find_sampler("mala"), {}));
  EXPECT_GT(facts.accept_rate, 0);
  EXPECT_LE(facts.accept_rate, 1);
}

TEST(Monitor, FollowsTheChains) {
  const RunPlan plan(testing::autoregression(2), find_sampler("mala"), {}, short_run(2, 30, 20));
  RecordingSink sink(2);
  Monitor monitor(2);
  const RunOutcome outcome = run(plan, sink, monitor);
  EXPECT_FALSE(outcome.interrupted);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_EQ(monitor.chain[c].iteration, 50);
    double sum = 0;
    for (const Vector& s : sink.chain[c].statistics) sum += statistic(s, "accept");
    EXPECT_NEAR(monitor.chain[c].acceptance, sum / 20, 1e-14);
    EXPECT_NEAR(outcome.chains[c].accept_rate, sum / 20, 1e-14);
  }
}

/// Stops the run, or fails, at a given write.
class EndingSink final : public Sink {
 public:
  EndingSink(Monitor& monitor, int last, bool fails)
      : monitor_(monitor), last_(last), fails_(fails) {}

  void begin_sampling(Index, const Tuning&) override {}
  void write(Index, const DrawStatistics&, ConstVectorRef x) override {
    if (fails_ && writes == last_) throw RunError("the disk is full");
    draws.emplace_back(x);
    if (++writes == last_) monitor_.stop = !fails_;
  }

  std::atomic<int> writes{0};
  std::vector<Vector> draws;

 private:
  Monitor& monitor_;
  int last_;
  bool fails_;
};

TEST(Monitor, StopsTheRunAfterThePresentIteration) {
  const RunPlan plan(testing::autoregression(2), find_sampler("mala"), {}, short_run(1, 30, 20));
  Monitor whole_monitor(1);
  EndingSink whole(whole_monitor, 1000, false);
  EXPECT_FALSE(run(plan, whole, whole_monitor).interrupted);
  Monitor monitor(1);
  EndingSink sink(monitor, 7, false);
  const RunOutcome outcome = run(plan, sink, monitor);
  EXPECT_TRUE(outcome.interrupted);
  EXPECT_EQ(outcome.facts.draws, 7);
  EXPECT_EQ(outcome.chains[0].draws, 7);
  EXPECT_EQ(monitor.chain[0].iteration, 37);
  whole.draws.resize(7);
  EXPECT_EQ(sink.draws, whole.draws);
}

TEST(Monitor, StopsARunBeforeItsFirstIteration) {
  const RunPlan plan(testing::autoregression(2), find_sampler("mala"), {}, short_run(3, 30, 20));
  Monitor monitor(3);
  monitor.stop = true;
  RecordingSink sink(3);
  const RunOutcome outcome = run(plan, sink, monitor);
  EXPECT_TRUE(outcome.interrupted);
  EXPECT_EQ(outcome.facts.draws, 0);
  EXPECT_TRUE(sink.chain[0].draws.empty());
}

TEST(Monitor, EndsTheSearchForAStartThatTakesLong) {
  Monitor monitor(2);
  const auto slow = make_target(
      [&](ConstVectorRef x, VectorRef grad) {
        monitor.stop = true;  // somebody loses patience
        std::this_thread::sleep_for(std::chrono::milliseconds(1100));
        grad = -x;
        return -x.squaredNorm() / 2;
      },
      1);
  const RunPlan plan(slow, find_sampler("mala"), {}, short_run(2, 30, 20));
  RecordingSink sink(2);
  EXPECT_THROW(run(plan, sink, monitor), Interrupted);
}

TEST(Run, KeepsChainsSideBySideSoThatAnInterruptedRunHasDrawsOfAll) {
  // Of 100 draws at a millisecond or more each, no chain can make a third in one slice of time.
  const auto slow = make_target(
      [](ConstVectorRef x, VectorRef grad) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        grad = -x;
        return -x.squaredNorm() / 2;
      },
      1);
  const RunPlan plan(slow, find_sampler("mala"), {}, short_run(3, 0, 1000));
  Monitor monitor(3);
  EndingSink sink(monitor, 100, false);
  const RunOutcome outcome = run(plan, sink, monitor);
  EXPECT_TRUE(outcome.interrupted);
  EXPECT_GT(outcome.facts.draws, 0);
  // Those behind came up to the one that was furthest, which had made less than half.
  for (const MeasuredFacts& chain : outcome.chains) EXPECT_EQ(chain.draws, outcome.facts.draws);
  EXPECT_EQ(sink.writes, 3 * outcome.facts.draws);
  EXPECT_LT(outcome.facts.draws, 50);
}

TEST(Run, EndsWithTheErrorOfItsSink) {
  for (const int threads : {1, 2}) {
    RunOptions options = short_run(1, 5, 20);
    options.threads = threads;
    const RunPlan plan(testing::autoregression(2), find_sampler("rwm"), {}, options);
    Monitor monitor(1);
    EndingSink sink(monitor, 4, true);
    const auto call = [&] { run(plan, sink, monitor); };
    EXPECT_EQ(testing::message_of<RunError>(call), "the disk is full");
  }
}

}  // namespace
}  // namespace gadwall
