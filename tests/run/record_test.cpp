// What parts of a sampler put into the record of a run: numbers of adapters, findings of meetings.
#include <gtest/gtest.h>

#include <cmath>

#include "run/adaptation_record.hpp"
#include "run/travelling_kernel.hpp"

namespace gadwall {
namespace {

using testing::travelling_sampler;

Transition one_transition(double log_ratio) {
  Transition transition(1, 1);
  transition.accept[0] = std::exp(log_ratio);
  transition.log_ratio[0] = log_ratio;
  return transition;
}

TEST(AdaptationRecord, FillsRowsOfStagesWithoutTheNumber) {
  AdaptationRecord record(10);
  const Tuning tuning(Factor::unit(1));
  const Vector logp = Vector::Zero(1);
  for (const NamedNumbers& numbers :
       {NamedNumbers{}, NamedNumbers{{"a", 1}}, NamedNumbers{{"b", 2}}}) {
    record.add(one_transition(-1));
    record.add_row(0, tuning, numbers, logp);
  }
  const auto& recorded = record.trace().recorded;
  ASSERT_EQ(recorded.size(), 2U);
  const auto expect = [](const std::vector<double>& column, std::size_t row, double value) {
    ASSERT_EQ(column.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(std::isnan(column[i]), i != row);
    }
    EXPECT_EQ(column[row], value);
  };
  expect(recorded.at("a"), 1, 1);
  expect(recorded.at("b"), 2, 2);
}

TEST(AdaptationRecord, ThinsTheNumbersWithTheRows) {
  AdaptationRecord record(1);
  for (Index i = 1; i <= 512; ++i) {
    record.add(one_transition(0));
    record.add_row(i, Tuning(Factor::unit(1)), {{"a", static_cast<double>(i)}}, Vector::Zero(1));
  }
  const AdaptationTrace& trace = record.trace();
  ASSERT_EQ(trace.iteration.size(), 256U);
  ASSERT_EQ(trace.recorded.at("a").size(), 256U);
  for (std::size_t i = 0; i < 256; ++i) {
    EXPECT_EQ(trace.recorded.at("a")[i], static_cast<double>(trace.iteration[i]));
  }
}

TEST(AdaptationRecord, TakesMeansOfBatchesThatAreGroupedAnew) {
  std::vector<AdaptationRecord> records(2, AdaptationRecord(10));
  records[0].add(one_transition(0));
  records[0].add_row(1, Tuning(Factor::unit(1)), {{"both", 1}}, Vector::Zero(1));
  records[1].add(one_transition(0));
  records[1].add_row(1, Tuning(Factor::unit(1)), {{"both", 3}, {"one", 5}}, Vector::Ones(1));
  const AdaptationTrace trace =
      AdaptationRecord::regrouped({{&records[0], 0}, {&records[1], 0}}).trace();
  EXPECT_EQ(trace.recorded.at("both"), std::vector<double>{2});
  EXPECT_TRUE(std::isnan(trace.recorded.at("one")[0]));
  EXPECT_EQ(trace.log_density[0], (std::vector<double>{0, 1}));
}

TEST(AdaptationRecord, BoundsTheMeanOfTheLogRatios) {
  AdaptationRecord record(10);
  EXPECT_TRUE(std::isnan(record.recent().log_ratio));
  record.add(one_transition(-std::numeric_limits<double>::infinity()));
  record.add(one_transition(2));
  EXPECT_EQ(record.recent().log_ratio, -500);
}

TEST(Record, HasTheNumbersOfTheAdapter) {
  const testing::Ran ran = testing::run_sampler(testing::autoregression(2), travelling_sampler(),
                                                testing::short_run(2, 30, 20));
  const Learnt& learnt = ran.outcome.learnt.at(1);
  EXPECT_EQ(learnt.number("lessons"), 30);  // its last
  EXPECT_TRUE(std::isnan(learnt.number("beta")));
  const AdaptationTrace& trace = learnt.trace;
  ASSERT_EQ(trace.iteration.size(), 30U);
  for (std::size_t i = 0; i < 30; ++i) {
    EXPECT_EQ(trace.recorded.at("lessons")[i], static_cast<double>(i + 1));
    EXPECT_EQ(trace.recorded.at("acceptance_seen")[i], trace.acceptance[i]);
  }
}

TEST(Record, HasBetaAndTheSpeedMeasureOfGadSamplers) {
  SampleOptions options;
  options.sampler = "gadmala";
  options.run = testing::short_run(1, 400, 10);
  options.settings = {{"scout", Index{100}}};
  const Learnt learnt = sample(testing::autoregression(2), options).draws.learnt.front();
  EXPECT_GT(learnt.number("beta"), 0);
  const auto& trace = learnt.trace;
  const auto& beta = trace.recorded.at("beta");
  const auto& objective = trace.recorded.at("objective");
  for (std::size_t i = 0; i < trace.iteration.size(); ++i) {
    const bool scouting = trace.iteration[i] <= 100;
    EXPECT_EQ(std::isnan(beta[i]), scouting) << trace.iteration[i];
    if (scouting) continue;
    EXPECT_LE(objective[i] - beta[i] * trace.log_determinant[i], 1e-9);  // E[min(0, r)]
  }
}

TEST(Record, HasWhatAMeetingFoundWhenItsStageEnded) {
  const RunFacts facts = testing::run_sampler(testing::autoregression(2), travelling_sampler(),
                                              testing::short_run(2, 30, 20))
                             .outcome.facts;
  ASSERT_EQ(facts.stages.size(), 2U);
  const std::vector<Note>& notes = facts.stages[0].notes;
  ASSERT_EQ(notes.size(), 3U);
  EXPECT_EQ(notes[0], (Note{"held", 3.0}));
  EXPECT_GT(std::get<double>(notes[1].value), 0);
  EXPECT_EQ(notes[2], (Note{"chosen", "the end"}));
  EXPECT_TRUE(facts.stages[1].notes.empty());
}

/// Asks for the end after so many rows.
class StoppingSink final : public Sink {
 public:
  StoppingSink(Index rows, Monitor& monitor) : left_(rows), monitor_(monitor) {}
  void begin_sampling(Index, const Tuning&) override {}
  void write(Index, const DrawStatistics&, ConstVectorRef) override { count(); }
  void write_warmup(Index, const DrawStatistics&, ConstVectorRef) override { count(); }

 private:
  void count() {
    if (--left_ == 0) monitor_.stop = true;
  }
  Index left_;
  Monitor& monitor_;
};

TEST(Record, IsTheSameAfterARestartAndSaysWhatWasFoundBeforeIt) {
  RunOptions options = testing::short_run(1, 30, 20);
  options.save_warmup = true;
  const SamplerRow row = travelling_sampler();  // the plan points to it
  const RunPlan plan(testing::autoregression(2), row, {}, options);
  const auto go = [&](Index rows, const Restart& restart) {
    Monitor monitor(1);
    StoppingSink sink(rows, monitor);
    return run(plan, sink, monitor, restart);
  };
  const RunOutcome whole = go(0, {});
  for (const Index rows : {5, 15, 30, 35}) {
    std::string state;
    const RunOutcome stopped =
        go(rows, {.state = "", .save = [&](const RunState& now) { state = now.bytes(); }});
    if (rows == 15) {  // within the stage: so far
      EXPECT_EQ(stopped.facts.stages.back().notes[0], (Note{"held", 1.0}));
      EXPECT_EQ(stopped.facts.stages.back().notes[2], (Note{"chosen", "not yet"}));
      EXPECT_EQ(stopped.learnt.front().number("lessons"), 15);
    }
    const RunOutcome rest = go(0, {.state = state, .save = nullptr});
    EXPECT_EQ(rest.facts.stages[0].notes, whole.facts.stages[0].notes) << rows;
    EXPECT_EQ(rest.learnt[0].number("lessons"), 30) << rows;
    EXPECT_EQ(rest.learnt[0].trace.recorded, whole.learnt[0].trace.recorded) << rows;
  }
}

/// Only what it works counts, however often and long it is begun again.
TEST(Record, OfSecondsLeavesOutRestarts) {
  const SamplerRow row = travelling_sampler();
  const RunPlan plan(testing::autoregression(2), row, {}, testing::short_run(1, 30, 20));
  std::string state;
  const auto go = [&](const std::string& from) {
    Monitor monitor(1);
    StoppingSink sink(0, monitor);
    const auto save = [&](const RunState& now) { state = now.bytes(); };
    return run(plan, sink, monitor, {.state = from, .save = save}).facts.seconds.total();
  };
  go("");
  const double seconds = go(state);
  EXPECT_GT(seconds, 0);
  for (int i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(go(state), seconds);
}

}  // namespace
}  // namespace gadwall
