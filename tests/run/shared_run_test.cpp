// Runs that several processes share: the draws, the record and the checkpoints of one process.
#include <gtest/gtest.h>

#include "message_of.hpp"
#include "run/run_testing.hpp"
#include "run/share.hpp"
#include "run/team_of_threads.hpp"
#include "targets/funnel.hpp"

namespace gadwall {
namespace {

using testing::autoregression;
using testing::RecordingSink;
using testing::with_team;

/// Remembers the states of warm-up too.
class KeepingSink final : public Sink {
 public:
  explicit KeepingSink(Index chains) : draws(chains), warmup(static_cast<std::size_t>(chains)) {}

  void begin_sampling(Index c, const Tuning& tuning) override { draws.begin_sampling(c, tuning); }
  void write(Index c, const DrawStatistics& statistics, ConstVectorRef x) override {
    draws.write(c, statistics, x);
  }
  void write_warmup(Index c, const DrawStatistics&, ConstVectorRef x) override {
    warmup[static_cast<std::size_t>(c)].emplace_back(x);
  }

  RecordingSink draws;
  std::vector<std::vector<Vector>> warmup;  // by chain
};

/// What a run left, and its state whenever it was saved.
struct SharedRan {
  RunOutcome outcome;
  std::vector<RecordingSink::Record> chains;
  std::vector<std::vector<Vector>> warmup;
  std::vector<std::string> states;
  RowsKept rows;
};

struct Case {
  std::string sampler;
  Index chains;
  Index lanes;
  Index warmup;
  bool settles = false;
  Settings settings = {};
  std::shared_ptr<const Target> target = autoregression(4);
};

RunOptions options_of(const Case& c, Index draws) {
  RunOptions options = testing::short_run(c.chains, c.warmup, draws);
  options.lanes = c.lanes;
  options.warmup_settles = c.settles;
  options.seed = 7;
  return options;
}

RunPlan plan_of(const Case& c, Index draws = 30) {
  return {c.target, find_sampler(c.sampler), c.settings, options_of(c, draws)};
}

/// Everything that a run can keep: states of warm-up, scores, every second draw.
RunPlan plan_that_keeps_all(const Case& c) {
  RunOptions options = options_of(c, 12);
  options.save_warmup = true;
  options.thin = 2;
  options.save_scores = plan_of(c).stages.back().kernel()->uses_gradient();
  return {c.target, find_sampler(c.sampler), c.settings, options};
}

/// Begun, or gone on with from a state. stop_rank: a process that is told to stop from the start.
SharedRan run_shared(const RunPlan& plan, int size, const std::string& state = "",
                     int stop_rank = -1) {
  SharedRan ran;
  KeepingSink sink(plan.run.chains);
  with_team(size, [&](Team& team) {
    Monitor monitor(plan.run.chains);
    monitor.stop = team.rank() == stop_rank;
    Restart restart;
    RecordingSink unused(plan.run.chains);
    if (team.is_first()) {
      restart.state = state;
      restart.period_seconds = 0;
      restart.save = [&](const RunState& saved) {
        ran.states.push_back(saved.bytes());
        ran.rows = saved.rows;
      };
    }
    Sink& own = team.is_first() ? static_cast<Sink&>(sink) : unused;
    RunOutcome outcome = run(plan, own, monitor, restart, team);
    if (team.is_first()) ran.outcome = std::move(outcome);
  });
  ran.chains = std::move(sink.draws.chain);
  ran.warmup = std::move(sink.warmup);
  return ran;
}

void expect_same_draws(const SharedRan& a, const SharedRan& b, const std::string& what) {
  ASSERT_EQ(a.chains.size(), b.chains.size());
  for (std::size_t c = 0; c < a.chains.size(); ++c) {
    EXPECT_EQ(a.chains[c].draws, b.chains[c].draws) << what << ", chain " << c;
    EXPECT_EQ(a.chains[c].statistics, b.chains[c].statistics) << what << ", chain " << c;
    EXPECT_EQ(b.chains[c].begins, 1) << what;
    EXPECT_TRUE(b.chains[c].began_first) << what;
  }
}

void expect_same_record(const RunOutcome& a, const RunOutcome& b) {
  EXPECT_EQ(a.facts.gradients.total(), b.facts.gradients.total());
  EXPECT_EQ(a.facts.warmup, b.facts.warmup);
  EXPECT_EQ(a.facts.accept_rate, b.facts.accept_rate);
  EXPECT_EQ(a.facts.stopped_by, b.facts.stopped_by);
  ASSERT_EQ(a.facts.stages.size(), b.facts.stages.size());
  for (std::size_t s = 0; s < a.facts.stages.size(); ++s) {
    EXPECT_EQ(a.facts.stages[s].gradients, b.facts.stages[s].gradients);
    EXPECT_EQ(a.facts.stages[s].iterations, b.facts.stages[s].iterations);
  }
  ASSERT_EQ(a.learnt.size(), b.learnt.size());
  for (std::size_t i = 0; i < a.learnt.size(); ++i) {
    EXPECT_EQ(a.learnt[i].tuning.step, b.learnt[i].tuning.step);
    EXPECT_EQ(a.learnt[i].tuning.factor().log_scales(), b.learnt[i].tuning.factor().log_scales());
    EXPECT_EQ(a.learnt[i].trace.acceptance, b.learnt[i].trace.acceptance);
  }
  ASSERT_EQ(a.chains.size(), b.chains.size());
  for (std::size_t c = 0; c < a.chains.size(); ++c) {
    EXPECT_EQ(a.chains[c].gradients.total(), b.chains[c].gradients.total());
  }
}

class SharedRun : public ::testing::TestWithParam<Case> {};

TEST_P(SharedRun, HasTheDrawsAndTheRecordOfOneProcess) {
  const RunPlan plan = plan_of(GetParam());
  const SharedRan alone = run_shared(plan, 1);
  for (int size = 2; size <= std::min(4, most_processes(plan)); ++size) {
    const SharedRan shared = run_shared(plan, size);
    expect_same_draws(alone, shared, std::to_string(size) + " processes");
    expect_same_record(alone.outcome, shared.outcome);
    ASSERT_EQ(shared.outcome.team.ranks.size(), static_cast<std::size_t>(size));
  }
}

/// From some of the states that were saved on the way, with other numbers of processes.
TEST_P(SharedRun, GoesOnWithAnyNumberOfProcesses) {
  const RunPlan plan = plan_of(GetParam());
  const int most = std::min(4, most_processes(plan));
  const SharedRan whole = run_shared(plan, most);
  ASSERT_GE(whole.states.size(), 3U);
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string& state = whole.states[i * (whole.states.size() - 2) / 3];
    const int size = 1 + static_cast<int>(i) % most;
    const SharedRan rest = run_shared(plan, size, state);
    for (std::size_t c = 0; c < whole.chains.size(); ++c) {
      const std::vector<Vector>& all = whole.chains[c].draws;
      const std::vector<Vector>& last = rest.chains[c].draws;
      ASSERT_LE(last.size(), all.size());
      EXPECT_TRUE(std::equal(last.rbegin(), last.rend(), all.rbegin())) << i << ", chain " << c;
    }
    EXPECT_EQ(rest.outcome.facts.gradients.total(), whole.outcome.facts.gradients.total());
  }
}

INSTANTIATE_TEST_SUITE_P(Samplers, SharedRun,
                         ::testing::Values(Case{"gadmala", 4, 1, 60},
                                           Case{"gadmala", 8, 2, 1500, true},
                                           Case{"nuts", 4, 1, 60}, Case{"gadrwm", 8, 2, 60},
                                           Case{"nuts", 8, 2, 160, false, {{"metric", "auto"}}},
                                           Case{"hmc", 4, 1, 160, false, {{"metric", "lowrank"}}},
                                           Case{"auto", 16, 4, 1000}, Case{"auto", 144, 8, 300}),
                         [](const auto& test) {
                           return test.param.sampler + (test.param.settles ? "_that_settles" : "") +
                                  (test.param.chains > 100 ? "_of_many_chains" : "") +
                                  (test.param.settings.contains("metric") ? "_from_scores" : "");
                         });

/// Alone, on two and on three processes.
SharedRan expect_same_on_three(const RunPlan& plan) {
  SharedRan alone = run_shared(plan, 1);
  EXPECT_GE(most_processes(plan), 3);
  for (const int size : {2, 3}) {
    const SharedRan shared = run_shared(plan, size);
    expect_same_draws(alone, shared, std::to_string(size) + " processes");
    EXPECT_EQ(alone.warmup, shared.warmup);
    expect_same_record(alone.outcome, shared.outcome);
  }
  return alone;
}

TEST(SharedRunOfEverySampler, HasTheDrawsAndTheRecordOfOneProcess) {
  for (const SamplerRow& row : samplers()) {
    SCOPED_TRACE(row.name);
    const RunPlan plan = plan_that_keeps_all({row.name, 6, 2, 90});
    const SharedRan alone = expect_same_on_three(plan);
    EXPECT_EQ(alone.chains.back().draws.size(), 12U);
    EXPECT_FALSE(alone.warmup.back().empty());
  }
}

TEST(SharedRunOfEverySampler, AlsoWhereLIsLearntTogether) {
  const std::string pool = "pool", metric = "metric";
  for (const Case& c :
       {Case{"gadmala", 6, 2, 60, false, {{pool, true}}},
        Case{"gadmala", 6, 2, 1500, true, {{pool, true}}},
        Case{"gadmala", 3, 1, 80, false, {{pool, true}, {metric, "lowrank"}}, autoregression(8)},
        Case{"gadmala", 3, 1, 80, false, {{"drift", "exact"}}},
        Case{"gadhmc", 6, 2, 60, false, {{pool, true}}},
        Case{"gadrwm", 6, 2, 60, false, {{pool, true}}}}) {
    SCOPED_TRACE(c.sampler + ", lanes " + std::to_string(c.lanes));
    expect_same_on_three(plan_that_keeps_all(c));
  }
}

TEST(SharedRunOfEverySampler, AlsoWhereAMetricIsMadeFromScores) {
  const std::string metric = "metric", from = "metric-from";
  for (const Case& c : {Case{"nuts", 6, 2, 160, false, {{metric, "auto"}}},
                        Case{"nuts", 3, 1, 160, false, {{metric, "lowrank"}}, autoregression(8)},
                        Case{"hmc", 3, 1, 160, false, {{metric, "dense"}, {from, "scores"}}},
                        Case{"hmc", 6, 2, 160, false, {{metric, "diag"}, {from, "scores"}}}}) {
    SCOPED_TRACE(c.sampler + ", lanes " + std::to_string(c.lanes));
    expect_same_on_three(plan_that_keeps_all(c));
  }
}

TEST(SharedRunOfEverySampler, AlsoWhereCoordinatesAreWarped) {
  const Case funnel{"auto", 24, 8, 1200, false, {}, std::make_shared<Funnel>()};
  const SharedRan alone = expect_same_on_three(plan_that_keeps_all(funnel));
  for (const Learnt& learnt : alone.outcome.learnt) EXPECT_TRUE(learnt.tuning.warp);
}

TEST(SharedRunStop, ReachesAllFromAnyProcessAndLeavesACheckpoint) {
  const RunPlan plan = plan_of({"gadmala", 4, 1, 50}, 40);
  const SharedRan whole = run_shared(plan, 1);
  for (int rank = 0; rank < 3; ++rank) {
    const SharedRan stopped = run_shared(plan, 3, "", rank);
    EXPECT_EQ(stopped.outcome.facts.stopped_by, "signal");
    EXPECT_TRUE(stopped.outcome.interrupted);
    ASSERT_FALSE(stopped.states.empty());
    EXPECT_EQ(stopped.rows.draws, 0);  // in warm-up
    expect_same_draws(whole, run_shared(plan, 2, stopped.states.back()), "gone on");
  }
}

TEST(SharedRunShares, AreWholeBatchesOfEveryStage) {
  for (const Case& c : {Case{"auto", 24, 4, 1000}, Case{"auto", 24, 8, 1000},
                        Case{"auto", 64, 8, 1000}, Case{"auto", 8, 1, 1000}}) {
    EXPECT_EQ(chains_kept_together(plan_of(c)), c.lanes) << c.chains;
  }
  const RunPlan plan = plan_of({"auto", 16, 4, 1000});
  EXPECT_EQ(chains_kept_together(plan), 4);
  EXPECT_EQ(most_processes(plan), 4);
  Index next = 0;
  for (int r = 0; r < 4; ++r) {
    const Share share = share_of(plan, r, 4);
    EXPECT_EQ(share.first, next);
    EXPECT_EQ(share.first % 4, 0);
    EXPECT_GT(share.end, share.first);
    next = share.end;
  }
  EXPECT_EQ(next, 16);
}

TEST(SharedRunShares, MoreProcessesThanBatchesAreRefused) {
  const RunPlan plan = plan_of({"gadmala", 2, 1, 10});
  EXPECT_NE(testing::message_of<UsageError>([&] {
              run_shared(plan, 3);
            }).find("there are 3 processes, expected at most 2"),
            std::string::npos);
}

}  // namespace
}  // namespace gadwall
