// What is said of a run that is in trouble, and that it is said once.
#include "session/trouble.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "gadwall/targets.hpp"

namespace gadwall::session {
namespace {

class Trouble : public ::testing::Test {
 protected:
  Trouble() {
    for (ChainProgress& chain : monitor_.chain) {
      chain.iteration = 5000;
      chain.moved_at = 5000;
      chain.log_density = -10;
      chain.first_log_density = -20;
    }
    estimates_.chain_ess = {100, 100};
    estimates_.rhat = 1.0;
  }

  static RunOptions two_chains() {
    RunOptions run;
    run.chains = 2;
    return run;
  }

  /// In two dimensions.
  static RunPlan plan(const std::string& sampler, const Settings& options, const RunOptions& run) {
    return {find_target("gaussian2d").make({}).target, find_sampler(sampler), options, run};
  }

  /// What is said of a chain that has never moved.
  std::string told_of_stuck_chain(const RunPlan& plan) {
    monitor_.chain[0].moved_at = 0;
    return TroubleWatch(plan).look(monitor_, estimates_).front();
  }

  /// The one line that is new; "" where there is none.
  std::string told() {
    const auto lines = watch_.look(monitor_, estimates_);
    EXPECT_LE(lines.size(), 1U);
    return lines.empty() ? "" : lines.front();
  }

  void expect_told_once(const std::string& part) {
    EXPECT_NE(told().find(part), std::string::npos) << part;
    EXPECT_EQ(told(), "");
  }

  Monitor monitor_{2};
  Estimates estimates_;
  RunPlan plan_ = plan("gadmala", {}, two_chains());
  TroubleWatch watch_{plan_};
};

TEST_F(Trouble, IsNotSeenInAQuietRun) {
  EXPECT_EQ(told(), "");
}

TEST_F(Trouble, IsAChainThatHasNotMoved) {
  monitor_.chain[1].moved_at = 3001;
  EXPECT_EQ(told(), "");
  monitor_.chain[1].iteration = 5001;
  expect_told_once("chain 2 has not moved for 2,000 iterations");
}

TEST_F(Trouble, IsAStartInTheFarTail) {
  monitor_.chain[0].first_log_density = -1e5;
  expect_told_once("chain 1 started in the far tail");
}

TEST_F(Trouble, IsNoStartFromWhichAScoutIsSent) {
  monitor_.chain[0].first_log_density = -1e5;
  const Settings scouted = {{"scout", 1000}};
  const RunPlan after_scouting = plan("gadmala", scouted, two_chains());
  EXPECT_TRUE(TroubleWatch(after_scouting).look(monitor_, estimates_).empty());
}

TEST_F(Trouble, ComesWithWhatDecidedTheStart) {
  monitor_.chain[0].first_log_density = -1e5;
  EXPECT_TRUE(told().ends_with("try another `start` (it was normal:1)"));
  RunOptions run = two_chains();
  run.start = uniform_start(2);
  const RunPlan in_a_box = plan("gadmala", {}, run);
  EXPECT_TRUE(TroubleWatch(in_a_box)
                  .look(monitor_, estimates_)
                  .front()
                  .ends_with("try another `start` (it was uniform:2)"));
}

TEST_F(Trouble, ComesWithASamplerForAChainThatNeverMoved) {
  const std::string advice = "try `sampler=nuts` `metric=dense` `max-depth=12`, another `seed`";
  EXPECT_NE(told_of_stuck_chain(plan_).find("try `scout=1000`, another"), std::string::npos);
  const Settings scouted = {{"scout", 1000}};
  const RunPlan after_scouting = plan("gadmala", scouted, two_chains());
  EXPECT_NE(told_of_stuck_chain(after_scouting).find(advice), std::string::npos);
  const RunPlan diagonal = plan("nuts", {}, two_chains());
  EXPECT_NE(told_of_stuck_chain(diagonal).find("try `metric=dense` `max-depth=12`, another"),
            std::string::npos);
  for (const char* metric : {"dense", "lowrank", "auto"}) {
    const Settings options = {{"metric", metric}};
    const RunPlan correlated = plan("nuts", options, two_chains());
    EXPECT_NE(told_of_stuck_chain(correlated).find("try another `seed`"), std::string::npos);
  }
}

TEST_F(Trouble, IsADivergence) {
  monitor_.chain[1].divergences = 3;
  expect_told_once("chain 2 has divergent trajectories");
}

TEST_F(Trouble, IsAParameterThatNeverChanges) {
  estimates_.unmoved = {"tau"};
  expect_told_once("tau has the same value in all draws so far");
}

TEST_F(Trouble, IsNoModelThatFixesAllWhereNoChainMoves) {
  estimates_.unmoved = {"mu", "tau"};
  estimates_.nothing_moves = true;
  expect_told_once("no chain has moved in its draws so far; if this lasts, try `scout=1000`");
}

TEST_F(Trouble, IsDisagreementOfChainsThatHaveEachDrawnEnough) {
  estimates_.rhat = 1.5;
  estimates_.rhat_name = "mu";
  estimates_.chain_ess = {100, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(told(), "");
  estimates_.chain_ess = {100, 60};
  expect_told_once(
      "the chains disagree about mu (R-hat 1.50): they have not mixed yet, or there are several");
}

}  // namespace
}  // namespace gadwall::session
