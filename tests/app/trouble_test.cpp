// What is said of a run that is in trouble, and that it is said once.
#include "app/trouble.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace gadwall::app {
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
  TroubleWatch watch_{2};
};

TEST_F(Trouble, IsNotSeenInAQuietRun) {
  EXPECT_EQ(told(), "");
}

TEST_F(Trouble, IsAChainThatHasNotMoved) {
  monitor_.chain[1].moved_at = 3001;
  EXPECT_EQ(told(), "");
  monitor_.chain[1].iteration = 5001;
  expect_told_once("chain 2 has not moved for 2000 iterations");
}

TEST_F(Trouble, IsAStartInTheFarTail) {
  monitor_.chain[0].first_log_density = -1e5;
  expect_told_once("chain 1 started in the far tail");
}

TEST_F(Trouble, IsADivergence) {
  monitor_.chain[1].divergences = 3;
  expect_told_once("chain 2 has divergent trajectories");
}

TEST_F(Trouble, IsAParameterThatNeverChanges) {
  estimates_.unmoved = {"tau"};
  expect_told_once("tau has the same value in all draws so far");
}

TEST_F(Trouble, IsDisagreementOfChainsThatEachHaveMixed) {
  estimates_.rhat = 1.5;
  estimates_.rhat_name = "mu";
  estimates_.chain_ess = {100, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(told(), "");
  estimates_.chain_ess = {100, 60};
  expect_told_once("the chains disagree about mu (R-hat 1.50)");
}

}  // namespace
}  // namespace gadwall::app
