// Scouting: targets of any scale, and restarts in the middle of it.
#include "samplers/scout.hpp"

#include <gtest/gtest.h>

#include "gadwall/catalog.hpp"
#include "run/run_testing.hpp"

namespace gadwall {
namespace {

using testing::short_run;

constexpr const char* kLearners[] = {"gadrwm", "gadmala", "gadmala-exact"};

/// Independent normals around 3 sd, with sds from 1e-6 to 1e4.
std::shared_ptr<const Target> wild_scales() {
  return make_target(
      [](ConstVectorRef x, VectorRef grad) {
        double logp = 0;
        double sd = 1e-6;
        for (Index i = 0; i < x.size(); ++i, sd *= 100) {
          const double e = x[i] / sd - 3;
          logp -= e * e / 2;
          grad[i] = -e / sd;
        }
        return logp;
      },
      6);
}

SampleResult sample_wild_scales(const std::string& sampler, Index scout, Metric metric) {
  const Settings settings = {{"scout", scout}, {"metric", to_string(metric)}};
  return sample(wild_scales(), {sampler, settings, short_run(4, 4000, 4000)});
}

TEST(Scout, FindsScalesOfAllSizes) {
  for (const char* sampler : kLearners) {
    for (const Metric metric : {Metric::diag, Metric::dense}) {
      const SampleResult result = sample_wild_scales(sampler, 500, metric);
      double sd = 1e-6;
      for (const ParameterSummary& parameter : result.summary.parameters) {
        const ParameterDiagnostics& seen = parameter.values;
        EXPECT_LT(std::abs(seen.mean - 3 * sd), 4 * seen.mcse_mean) << sampler << parameter.name;
        EXPECT_LT(std::abs(seen.sd - sd), 4 * seen.mcse_sd) << sampler;
        EXPECT_LT(seen.mcse_sd, 0.1 * sd) << sampler;
        sd *= 100;
      }
    }
  }
}

TEST(Scout, IsNeededForThem) {
  EXPECT_LT(sample_wild_scales("gadmala", 0, Metric::dense).draws.facts.accept_rate, 0.05);
}

Index scouted(const std::string& sampler, const Settings& settings, const RunOptions& run) {
  const RunPlan plan(wild_scales(), find_sampler(sampler), settings, run);
  return plan.stages.front().name == "scout" ? plan.stages.front().most : 0;
}

TEST(Scout, TakesAtMostHalfOfWarmUpAndNoneWhereThereIsNothingToFind) {
  RunOptions run = short_run(1, 2000, 10);
  EXPECT_EQ(scouted("gadmala", {{"scout", 500}}, run), 500);
  EXPECT_EQ(scouted("gadmala", {}, run), 0);
  EXPECT_EQ(scouted("mala", {}, run), 0);
  run.warmup = 600;
  EXPECT_EQ(scouted("gadmala", {{"scout", 500}}, run), 300);
  run.tuning = Tuning(Factor::dense(Matrix::Identity(6, 6)));
  EXPECT_EQ(scouted("gadmala", {{"scout", 500}}, run), 0);
}

TEST(Scout, LearnsADenseMetricWhereItHasDrawsEnough) {
  const auto metric = [](Index n, Metric learnt) {
    const Stage stage =
        scout_stage({.iterations = 200}, learnt, {.dim = n, .chains = 1, .warmup = 2000});
    return stage.adapter()->initial_tuning(n).factor().kind();
  };
  EXPECT_EQ(metric(50, Metric::dense), Metric::dense);
  EXPECT_EQ(metric(51, Metric::dense), Metric::diag);
  EXPECT_EQ(metric(50, Metric::diag), Metric::diag);
}

TEST(Scout, LeavesNothingOfItselfInTheDraws) {
  const testing::Ran ran = testing::run_sampler(testing::autoregression(3), find_sampler("gadmala"),
                                                short_run(1, 100, 5), {{"scout", 50}});
  for (const Vector& draw : ran.chains[0].statistics) {
    EXPECT_EQ(testing::statistic(draw, "tree_depth"), 0);
    EXPECT_EQ(testing::statistic(draw, "leapfrogs"), 1);
    EXPECT_EQ(testing::statistic(draw, "energy"), 0);
  }
}

// The scout accepts 0.8 of its proposals, too, and its metric does not change within a window.
TEST(Scout, IsOverBeforeAWarmUpSettles) {
  const Settings settings = {{"scout", 2000}, {"target-accept", 0.8}};
  RunOptions run = short_run(2, 10000, 10);
  run.warmup_settles = true;
  const SampleResult result = sample(testing::autoregression(2), {"gadmala", settings, run});
  EXPECT_GE(result.draws.facts.warmup, 3000);
  EXPECT_EQ(result.draws.facts.gradients.sampling, 20U);  // one for a draw: no trajectories
}

/// Asks for the end of the run after so many iterations of warm-up.
class StoppingSink final : public Sink {
 public:
  StoppingSink(Index stop_after, Monitor& monitor) : left_(stop_after), monitor_(monitor) {}

  void begin_sampling(Index, const Tuning&) override {}
  void write(Index, const DrawStatistics&, ConstVectorRef x) override { draws.emplace_back(x); }
  void write_warmup(Index, const DrawStatistics&, ConstVectorRef) override {
    if (--left_ == 0) monitor_.stop = true;
  }

  std::vector<Vector> draws;

 private:
  Index left_;
  Monitor& monitor_;
};

TEST(Scout, GoesOnAfterARestartAsIfNothingHadHappened) {
  RunOptions run_options = short_run(1, 400, 20);
  run_options.save_warmup = true;
  const RunPlan plan(testing::autoregression(4), find_sampler("gadmala"), {{"scout", 100}},
                     run_options);
  const auto draws = [&](Index stop_after, Restart restart) {
    Monitor monitor(1);
    StoppingSink sink(stop_after, monitor);
    run(plan, sink, monitor, restart);
    return sink.draws;
  };
  const std::vector<Vector> whole = draws(0, {});
  ASSERT_EQ(whole.size(), 20U);
  for (const Index stop_after : {1, 30, 99, 100, 101, 250}) {
    std::string state;
    const auto keep = [&](const RunState& now) { state = now.bytes(); };
    EXPECT_TRUE(draws(stop_after, {.state = "", .save = keep}).empty());
    EXPECT_EQ(draws(0, {.state = state, .save = nullptr}), whole) << stop_after;
  }
}

}  // namespace
}  // namespace gadwall
