// Runs and targets in words.
#include "session/run_request.hpp"

#include <gtest/gtest.h>

#include "gadwall/error.hpp"
#include "gadwall/targets.hpp"
#include "message_of.hpp"
#include "session/target_words.hpp"

namespace gadwall::session {
namespace {

std::string refusal(const std::string& name, const std::string& value) {
  return testing::message_of([&] {
    RunRequest request;
    set_word(request, name, value);
    make_plan(request, find_target("gaussian2d").make({}).target);
  });
}

TEST(RunRequest, BecomesAPlan) {
  RunRequest request;
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"sampler", "nuts"},
                                                        {"lanes", "3"},
                                                        {"chains", "6"},
                                                        {"warmup", "50"},
                                                        {"draws", "2e2"},
                                                        {"until", "ess=400"},
                                                        {"max-time", "1m30s"},
                                                        {"seed", "9"},
                                                        {"threads", "2"},
                                                        {"save", "x[2]"},
                                                        {"thin", "4"},
                                                        {"save-warmup", "true"},
                                                        {"start", "uniform:3"},
                                                        {"metric", "dense"},
                                                        {"target-accept", "0.9"}}) {
    EXPECT_TRUE(set_word(request, name, value)) << name;
  }
  EXPECT_FALSE(set_word(request, "metrik", "dense"));
  const RunPlan plan = make_plan(request, find_target("gaussian2d").make({}).target);
  EXPECT_EQ(plan.sampler->name, "nuts");
  EXPECT_EQ(plan.run.chains, 6);
  EXPECT_EQ(plan.run.lanes, 3);
  EXPECT_EQ(plan.warmup, 50);
  EXPECT_EQ(plan.draws, 200);
  EXPECT_EQ(plan.run.until_ess, 400);
  EXPECT_EQ(plan.run.max_seconds, 90);
  EXPECT_EQ(plan.run.seed, 9U);
  EXPECT_EQ(plan.run.threads, 2);
  EXPECT_EQ(plan.run.save, std::vector<Index>{1});
  EXPECT_EQ(plan.run.thin, 4);
  EXPECT_TRUE(plan.run.save_warmup);
  EXPECT_EQ(plan.start->name(), "uniform:3");
  EXPECT_EQ(plan.settings.at("metric"), OptionValue(std::string("dense")));
}

TEST(RunRequest, HasAsManyChainsAsLanesUnlessItIsToldOtherwise) {
  RunRequest request;
  EXPECT_EQ(planned_chains(request), 16);
  request.sampler = "nuts";
  EXPECT_EQ(planned_chains(request), 4);
  request.run.lanes = 8;
  EXPECT_EQ(planned_chains(request), 8);
  request.chains = 16;
  EXPECT_EQ(planned_chains(request), 16);
}

TEST(RunRequest, NamesTheFieldThatIsWrong) {
  EXPECT_EQ(refusal("draws", "0").find("`draws` is '0', expected a whole number from 1"), 0U);
  EXPECT_EQ(refusal("warmup", "auto:x").find("`warmup=auto:N`, N is 'x'"), 0U);
  EXPECT_EQ(refusal("until", "400"), "`until` is '400', expected ess=N, e.g. ess=400");
  EXPECT_EQ(refusal("save-warmup", "maybe"), "`save-warmup` is 'maybe', expected true or false");
  EXPECT_NE(refusal("leapfrog", "3").find("`leapfrog` is not an option of"), std::string::npos);
}

TEST(TargetWords, AreKnownForEveryOptionOfEveryTarget) {
  for (const TargetRow& row : targets()) {
    for (const std::string& option : row.options) {
      EXPECT_EQ(std::ranges::count(target_words(), option, &TargetWord::name), 1) << option;
    }
  }
}

TEST(TargetWords, FillTheOptionsOfTheTargetThatHasThem) {
  TargetOptions options;
  const TargetRow& row = find_target("logistic");
  set_target_word(row, options, "prior-sd", "2.5");
  set_target_word(row, options, "bias", "false");
  set_target_word(row, options, "constant-columns", "refuse");
  EXPECT_EQ(options.prior_sd, 2.5);
  EXPECT_FALSE(options.bias);
  EXPECT_FALSE(options.drop_constant);
  EXPECT_THROW(set_target_word(row, options, "dim", "3"), UsageError);
  EXPECT_THROW(set_target_word(row, options, "prior-sd", "0"), UsageError);
}

}  // namespace
}  // namespace gadwall::session
