// One repeat: what it says of its chain.
#include "reproduce/repeat.hpp"

#include <gtest/gtest.h>

#include "files/checkpoint.hpp"
#include "gadwall/sample.hpp"
#include "targets/gaussian.hpp"

namespace gadwall::app::reproduce {
namespace {

RepeatPlan small_plan(const std::string& method) {
  for (const Method& one : find_experiment("neal").methods) {
    if (one.name != method) continue;
    return {&find_experiment("neal"), shortened(one, 0.005, Shortening::rehearsal), 7};
  }
  return {};
}

Repeat done(const RepeatPlan& plan) {
  Monitor monitor(1);
  return run_repeat(plan, neal100(), "", monitor).value();
}

TEST(Repeat, HasTheNumbersOfTheSameRunOfTheLibrary) {
  const Repeat repeat = done(small_plan("gadMALAf"));
  SampleOptions options{.sampler = "gadmala"};
  options.run.chains = 1;
  options.run.warmup = options.run.draws = 100;
  options.run.seed = 7;
  const Summary summary = sample(neal100(), options).summary;
  EXPECT_EQ(repeat.ess.min, summary.ess_paper.min);
  EXPECT_EQ(repeat.ess.median, summary.ess_paper.median);
  EXPECT_EQ(repeat.acceptance, summary.facts.accept_rate);
  EXPECT_EQ(repeat.worst_per_gradient(), summary.ess_worst_per_gradient());
  EXPECT_GT(repeat.seconds, 0);
}

TEST(Repeat, KeepsWhatTheFiguresShow) {
  const RepeatPictures pictures = done(small_plan("gadMALAf")).pictures;
  EXPECT_EQ(pictures.iteration.size(), 200U);
  EXPECT_EQ(pictures.coordinate.size(), 100U);
  EXPECT_EQ(pictures.diagonal.size(), 100U);
  EXPECT_GT(pictures.beta, 0);
  EXPECT_TRUE(done(small_plan("MALA")).pictures.diagonal.empty());
}

TEST(Repeat, ChargesAPartOfAWarmUpThatWasNotShortened) {
  RepeatPlan plan = small_plan("MALA");  // 100 + 100, a gradient each, and one at the start
  EXPECT_EQ(done(plan).evaluations, 201);
  plan.chosen.warmup_weight = 0.5;
  const Repeat half = done(plan);
  EXPECT_EQ(half.evaluations, 150.5);
  EXPECT_EQ(half.pictures.log_target, done(small_plan("MALA")).pictures.log_target);
}

TEST(Repeat, KeepsTheLastBetaOfWarmUp) {
  const RepeatPlan plan = small_plan("gadMALAf");
  SampleOptions options{.sampler = "gadmala"};
  options.run.chains = 1;
  options.run.warmup = options.run.draws = 100;
  options.run.seed = 7;
  EXPECT_EQ(done(plan).pictures.beta,
            sample(neal100(), options).draws.learnt.front().number("beta"));
}

TEST(Repeat, KnowsTheBuildThatMadeIt) {
  EXPECT_EQ(small_plan("MALA").settings("").at("build"), files::build_identity());
}

TEST(Repeat, ThatIsStoppedGivesNothing) {
  Monitor monitor(1);
  monitor.stop = true;
  EXPECT_FALSE(run_repeat(small_plan("MALA"), neal100(), "", monitor));
}

}  // namespace
}  // namespace gadwall::app::reproduce
