// What a run makes of a tuning: one that is given, with its step; one that is no longer finite.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "adapters/lesson_testing.hpp"
#include "message_of.hpp"
#include "run/run_testing.hpp"

namespace gadwall {
namespace {

using testing::message_of;
using testing::short_run;

constexpr Index kDim = 4;

std::vector<Vector> draws_from(const SamplerRow& row, const Tuning& tuning, Index warmup) {
  RunOptions options = short_run(1, warmup, 20);
  options.tuning = tuning;
  return testing::run_sampler(testing::autoregression(kDim), row, options).chains[0].draws;
}

/// A step that is a power of two is folded without rounding.
TEST(GivenTuning, IsLearntFromWithItsStep) {
  const Factor factor = Factor::dense(testing::some_factor(kDim, 9));
  for (const char* sampler : {"gadrwm", "gadmala", "gadmala-exact"}) {
    const SamplerRow& row = find_sampler(sampler);
    for (const Index warmup : {0, 200}) {
      const auto apart = draws_from(row, Tuning(factor, 0.25), warmup);
      const auto folded = draws_from(row, Tuning(factor.scaled(0.25)), warmup);
      EXPECT_EQ(apart, folded) << sampler << ", warm-up " << warmup;
    }
  }
}

/// hmc keeps a metric that is given, whatever its form, unless it is to learn one.
TEST(GivenTuning, MustHaveTheFormThatIsLearntFromIt) {
  const auto refusal = [](const char* sampler, const Settings& settings, const Factor& factor) {
    RunOptions options = short_run(1, 200, 20);
    options.tuning = Tuning(factor);
    return message_of<UsageError>(
        [&] { RunPlan(testing::autoregression(kDim), find_sampler(sampler), settings, options); });
  };
  const Factor dense = Factor::dense(testing::some_factor(kDim, 9));
  const std::string wrong = "the tuning to begin with has a dense metric, expected ";
  EXPECT_EQ(refusal("hmc", {}, dense), "");
  EXPECT_EQ(refusal("hmc", {{"metric", "unit"}}, dense), wrong + "unit");
  EXPECT_EQ(refusal("hmc", {{"metric", "dense"}}, dense), "");
  EXPECT_EQ(refusal("nuts", {}, dense), wrong + "diag");
  EXPECT_EQ(refusal("nuts", {{"metric", "lowrank"}}, dense), wrong + "lowrank");
  EXPECT_EQ(refusal("nuts", {{"metric", "auto"}}, dense), "");
}

/// Three iterations have no window.
TEST(GivenTuning, IsNotGuessedAnewFromAGradient) {
  const Factor factor = Factor::dense(testing::some_factor(kDim, 9));
  RunOptions options = short_run(1, 3, 1);
  options.tuning = Tuning(factor);
  for (const char* sampler : {"nuts", "hmc"}) {
    const testing::Ran ran = testing::run_sampler(
        testing::autoregression(kDim), find_sampler(sampler), options, {{"metric", "auto"}});
    EXPECT_EQ(ran.outcome.learnt.front().tuning.factor().matrix(), factor.matrix()) << sampler;
  }
}

constexpr std::uint32_t kSpoiltChain = 4;  // and those in lockstep with it

/// Learns nothing, and spoils the tuning in one of its lessons.
class Spoiler final : public Adapter {
 public:
  using Spoil = std::function<void(Tuning&)>;
  Spoiler(Index lesson, Spoil spoil) : lesson_(lesson), spoil_(std::move(spoil)) {}

  Tuning initial_tuning(Index n) const override {
    return Tuning(Factor::first(Metric::dense, n, 0.3));
  }
  void learn(const Lesson& lesson, Tuning& tuning) override {
    if (lesson.noise.first_chain != kSpoiltChain) return;
    if (static_cast<Index>(lesson.noise.iteration) == lesson_) spoil_(tuning);
  }
  void finish(Tuning& tuning) override {
    if (lesson_ < 0) spoil_(tuning);
  }

 private:
  Index lesson_;
  Spoil spoil_;
};

SamplerRow spoilt(Index lesson, const Spoiler::Spoil& spoil) {
  SamplerRow row = find_sampler("am");
  row.name = "spoilt";
  row.stages = [=](const Settings& settings, const Circumstances& c) {
    std::vector<Stage> stages = find_sampler("am").stages(settings, c);
    stages.front().adapter = [=] { return std::make_unique<Spoiler>(lesson, spoil); };
    return stages;
  };
  return row;
}

std::string complaint(const SamplerRow& row, Index warmup, Index lanes) {
  RunOptions options = short_run(8, warmup, 10);
  options.lanes = lanes;
  return message_of<RunError>(
      [&] { testing::run_sampler(testing::autoregression(kDim), row, options); });
}

void spoil_diagonal(Tuning& tuning) {
  tuning.change_factor().as<LowerFactor>().lower()(2, 2) = std::numeric_limits<double>::quiet_NaN();
}

void spoil_corner(Tuning& tuning) {
  tuning.change_factor().as<LowerFactor>().lower()(3, 0) = std::numeric_limits<double>::infinity();
}

TEST(LearntTuning, IsAnErrorWhereItIsNoLongerFinite) {
  // The 38th lesson. A row of the record shows it: at once in the determinant, else when the next
  // proposal is rejected.
  EXPECT_EQ(
      complaint(spoilt(37, spoil_diagonal), 200, 1),
      "the factor L of spoilt is no longer finite: chain 5, after iteration 38 of warm-up; it "
      "learns too fast for this target");
  EXPECT_EQ(complaint(spoilt(37, spoil_corner), 200, 4),
            "the factor L of spoilt is no longer finite: chains 5 to 8, after iteration 39 of "
            "warm-up; it learns too fast for this target");
  EXPECT_EQ(
      complaint(spoilt(37, [](Tuning& t) { t.step = std::numeric_limits<double>::infinity(); }),
                200, 4),
      "the step of spoilt is no longer finite: chains 5 to 8, after iteration 39 of warm-up; "
      "it learns too fast for this target");
}

TEST(LearntTuning, IsLookedAtWhenWarmUpEnds) {
  for (const auto& spoil : {spoil_diagonal, spoil_corner}) {
    EXPECT_EQ(complaint(spoilt(-1, spoil), 50, 2),
              "the factor L of spoilt is no longer finite: chains 1 to 2, after iteration 50 of "
              "warm-up; it learns too fast for this target");
  }
}

TEST(LearntTuning, IsNoErrorWhereItIsFinite) {
  EXPECT_EQ(complaint(spoilt(-1, [](Tuning&) {}), 50, 2), "");
}

}  // namespace
}  // namespace gadwall
