// Which numbers a run draws depends on the seed, the chain and the lanes; never on threads.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "run/run_testing.hpp"
#include "samplers/sampler_testing.hpp"

namespace gadwall {
namespace {

using testing::Ran;
using testing::run_sampler;
using testing::short_run;

bool same_draws(const testing::RecordingSink::Record& a, const testing::RecordingSink::Record& b) {
  return a.draws == b.draws;
}

TEST(Threads, NeverChangeADrawOfAnySampler) {
  const auto target = testing::autoregression(3);
  for (const SamplerRow& row : samplers()) {
    for (const Index lanes : {1, 2}) {
      RunOptions options = short_run(6, 120, 50);
      options.lanes = lanes;
      const Ran one = run_sampler(target, row, options);
      for (const int threads : {2, 3}) {
        options.threads = threads;
        const Ran several = run_sampler(target, row, options);
        for (std::size_t c = 0; c < 6; ++c) {
          ASSERT_EQ(one.chains[c].draws.size(), 50U);
          EXPECT_TRUE(same_draws(one.chains[c], several.chains[c])) << row.name << ", chain " << c;
        }
        EXPECT_EQ(one.outcome.facts.gradients.total(), several.outcome.facts.gradients.total());
      }
    }
  }
}

/// What the gad samplers have beyond the paper: other stages and, pooled, meetings of all batches.
TEST(Threads, NeverChangeADrawOfWhatGoesBeyondThePaper) {
  const auto target = testing::autoregression(4);
  const Settings low_rank{{"metric", "lowrank"}, {"rank", Index{2}}};
  Settings pooled = low_rank, both = low_rank;
  pooled["pool"] = true;
  both["pool"] = true;
  both["drift"] = "exact";
  for (const Settings& settings : {Settings{{"drift", "exact"}}, low_rank, pooled, both}) {
    for (const Index lanes : {1, 2}) {
      RunOptions options = short_run(6, 400, 50);
      options.lanes = lanes;
      const Ran one = run_sampler(target, find_sampler("gadmala"), options, settings);
      options.threads = 3;
      const Ran three = run_sampler(target, find_sampler("gadmala"), options, settings);
      for (std::size_t c = 0; c < 6; ++c) {
        ASSERT_EQ(one.chains[c].draws.size(), 50U);
        EXPECT_TRUE(same_draws(one.chains[c], three.chains[c])) << "chain " << c;
      }
    }
  }
}

TEST(Threads, HandBatchesToOneAnotherWithoutChangingADraw) {
  // 60 iterations of a millisecond or more are several slices of time: batches change threads.
  const auto quick = testing::autoregression(2);
  const auto slow = make_target(
      [quick](ConstVectorRef x, VectorRef grad) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        Vector logp(1);
        quick->evaluate(x, logp, grad);
        return logp[0];
      },
      2);
  RunOptions options = short_run(3, 30, 30);
  const Ran one = run_sampler(quick, find_sampler("gadmala"), options);
  options.threads = 2;
  const Ran two = run_sampler(slow, find_sampler("gadmala"), options);
  for (std::size_t c = 0; c < 3; ++c) {
    ASSERT_EQ(two.chains[c].draws.size(), 30U);
    EXPECT_EQ(two.chains[c].begins, 1);
    EXPECT_TRUE(same_draws(one.chains[c], two.chains[c])) << "chain " << c;
  }
}

TEST(Threads, MayBeMoreThanThereAreBatches) {
  RunOptions options = short_run(2, 10, 10);
  options.threads = 8;
  const Ran ran = run_sampler(testing::autoregression(2), find_sampler("mala"), options);
  EXPECT_EQ(ran.chains[1].draws.size(), 10U);
}

TEST(Seed, DecidesTheDrawsOfEverySampler) {
  const auto target = testing::autoregression(3);
  for (const SamplerRow& row : samplers()) {
    RunOptions options = short_run(2, 60, 30);
    const Ran first = run_sampler(target, row, options);
    const Ran again = run_sampler(target, row, options);
    options.seed = 2;
    const Ran other = run_sampler(target, row, options);
    EXPECT_TRUE(same_draws(first.chains[0], again.chains[0])) << row.name;
    EXPECT_FALSE(same_draws(first.chains[0], other.chains[0])) << row.name;
    EXPECT_NE(first.chains[0].draws.back(), first.chains[1].draws.back()) << row.name;
  }
}

TEST(Chains, DoNotDependOnHowManyThereAreWhereTheyLearnAlone) {
  const auto target = testing::autoregression(3);
  for (const SamplerRow& row : samplers()) {
    if (row.pools) continue;
    const Ran two = run_sampler(target, row, short_run(2, 60, 30));
    const Ran five = run_sampler(target, row, short_run(5, 60, 30));
    for (std::size_t c = 0; c < 2; ++c) {
      EXPECT_TRUE(same_draws(two.chains[c], five.chains[c])) << row.name << ", chain " << c;
    }
  }
}

TEST(Lanes, ShareOneTuningABatch) {
  const auto target = testing::autoregression(3);
  for (const SamplerRow& row : samplers()) {
    RunOptions options = short_run(6, 60, 5);
    options.lanes = 3;
    const Ran ran = run_sampler(target, row, options);
    ASSERT_EQ(ran.outcome.learnt.size(), 2U) << row.name;
    for (std::size_t c = 0; c < 6; ++c) {
      EXPECT_EQ(ran.chains[c].step, ran.outcome.learnt[c / 3].tuning.step) << row.name;
      EXPECT_EQ(testing::statistic(ran.chains[c].statistics.back(), "step"), ran.chains[c].step)
          << row.name;
    }
    const Tuning& a = ran.outcome.learnt[0].tuning;
    const Tuning& b = ran.outcome.learnt[1].tuning;
    const bool differ = a.step != b.step || a.factor().matrix() != b.factor().matrix();
    EXPECT_EQ(differ, !row.pools) << row.name << ": batches learn apart, or all together";
  }
}

TEST(Lanes, LearnTogether) {
  // The first lane's tuning would be another one had it learnt alone.
  const auto target = testing::autoregression(3);
  for (const SamplerRow& row : samplers()) {
    if (row.pools) continue;  // it learns with all others, lanes or not
    RunOptions options = short_run(4, 60, 5);
    const Tuning alone = run_sampler(target, row, options).outcome.learnt.front().tuning;
    options.lanes = 4;
    const Tuning together = run_sampler(target, row, options).outcome.learnt.front().tuning;
    EXPECT_TRUE(alone.step != together.step ||
                alone.factor().matrix() != together.factor().matrix())
        << row.name;
  }
}

TEST(Lanes, DrawTheNoiseOfTheirChain) {
  // Without warm-up every batch has the same tuning, so that lanes only change the rounding. (nuts
  // begins with a search for a step in which the lanes of a batch take part: it is given one.)
  const auto target = testing::autoregression(3);
  for (const SamplerRow& row : samplers()) {
    const Settings numbers = testing::settings_for(row, {{"step", 0.3}});
    std::vector<Matrix> draws;
    for (const Index lanes : {1, 4}) {
      RunOptions options = short_run(4, 0, 3);
      options.lanes = lanes;
      const SampleResult result = sample(target, {row.name, numbers, options});
      draws.emplace_back(3, 12);
      for (Index c = 0; c < 4; ++c) {
        draws.back().middleCols(3 * c, 3) = result.draws.chains[static_cast<std::size_t>(c)].draws;
      }
    }
    EXPECT_LT((draws[0] - draws[1]).cwiseAbs().maxCoeff(), 1e-12) << row.name;
  }
}

TEST(Lanes, CostAsMuchAsChainsOfTheirOwn) {
  const auto target = std::make_shared<testing::CountingNormal>(2, true);
  for (const char* name : {"rwm", "am", "gadrwm", "mala", "gadmala", "gadmala-exact", "hmc"}) {
    RunOptions options = short_run(4, 20, 10);
    const RunFacts apart = run_sampler(target, find_sampler(name), options).outcome.facts;
    options.lanes = 4;
    const RunFacts together = run_sampler(target, find_sampler(name), options).outcome.facts;
    EXPECT_EQ(apart.gradients.warmup, together.gradients.warmup) << name;
    EXPECT_EQ(apart.gradients.sampling, together.gradients.sampling) << name;
    EXPECT_EQ(apart.densities.total(), together.densities.total()) << name;
    EXPECT_EQ(together.lanes, 4) << name;
  }
}

}  // namespace
}  // namespace gadwall
