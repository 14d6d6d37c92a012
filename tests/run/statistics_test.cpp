// Statistics of a draw: the table, and the columns that a kernel adds.
#include "gadwall/statistics.hpp"

#include <gtest/gtest.h>

#include <set>

#include "kernels/langevin.hpp"
#include "message_of.hpp"
#include "run/travelling_kernel.hpp"

namespace gadwall {
namespace {

using testing::Travelling;
using testing::travelling_sampler;

TEST(Statistics, HaveThreeNamesEachOfWhichIsTheirOwn) {
  std::set<std::string> names, stan, arviz;
  for (const Statistic& statistic : common_statistics()) {
    names.insert(statistic.name);
    stan.insert(statistic.stan);
    arviz.insert(statistic.arviz);
  }
  const std::size_t count = common_statistics().size();
  EXPECT_EQ(names.size(), count);
  EXPECT_EQ(stan.size(), count);
  EXPECT_EQ(arviz.size(), count);
}

TEST(Statistics, OfAKernelAreNamedAfterItWhereItSaysNoMore) {
  const Statistic own{"trajectory"};
  EXPECT_EQ(own.stan, "trajectory__");
  EXPECT_EQ(own.arviz, "trajectory");
}

TEST(Statistics, OfAKernelFollowTheCommonOnes) {
  SampleOptions options;
  options.run = testing::short_run(4, 30, 20);
  options.run.lanes = 2;
  const Draws draws = sample(testing::autoregression(2), travelling_sampler(), options).draws;
  ASSERT_EQ(draws.statistics.size(), common_statistics().size() + 2);
  for (std::size_t c = 0; c < 4; ++c) {
    const Vector travelled = draws.statistic(c, "travelled");
    const Vector lane = draws.statistic(c, "lane");
    ASSERT_EQ(travelled.size(), 20);
    EXPECT_TRUE((lane.array() == static_cast<double>(c % 2)).all());
    for (Index i = 1; i < 20; ++i) {
      const auto& x = draws.chains[c].draws;
      const double length = (x.row(i) - x.row(i - 1)).norm();
      EXPECT_NEAR(travelled[i], length > 0 ? length : travelled[i], 1e-12);
    }
  }
}

/// The states of warm-up, as they come.
class WarmupSink final : public Sink {
 public:
  void begin_sampling(Index, const Tuning&) override {}
  void write(Index, const DrawStatistics& statistics, ConstVectorRef) override {
    draws.emplace_back(statistics);
  }
  void write_warmup(Index, const DrawStatistics& statistics, ConstVectorRef) override {
    warmup.emplace_back(statistics);
  }
  std::vector<Vector> warmup, draws;
};

TEST(Statistics, OfAnotherStagesKernelAreZero) {
  const SamplerRow row =
      make_sampler({.name = "changing", .summary = "for tests", .warmup = 10, .draws = 10},
                   NoOptions{}, [](const NoOptions&, const Circumstances& c) {
                     std::vector<Stage> stages = travelling_sampler().stages({}, c);
                     stages.back().kernel = [] { return std::make_unique<Langevin>(); };
                     return stages;
                   });
  RunOptions options = testing::short_run(1, 10, 10);
  options.save_warmup = true;
  const RunPlan plan(testing::autoregression(2), row, {}, options);
  const Index column = find_statistic(plan.statistics, "travelled");
  ASSERT_EQ(column, 7);
  WarmupSink sink;
  Monitor monitor(1);
  run(plan, sink, monitor);
  ASSERT_EQ(sink.warmup.size(), 10U);
  for (const Vector& row_of_warmup : sink.warmup) EXPECT_GT(row_of_warmup[column], 0);
  ASSERT_EQ(sink.draws.size(), 10U);
  for (const Vector& draw : sink.draws) EXPECT_EQ(draw[column], 0);
}

TEST(Statistics, OfAKernelMustHaveNewNames) {
  const std::vector<Statistic> taken = {{"energy"},
                                        {"height", Statistic::Kind::real, "lp__"},
                                        {"height", Statistic::Kind::real, "height__", "lp"}};
  for (const Statistic& statistic : taken) {
    const SamplerRow row = make_sampler(
        {.name = "doubling", .summary = "for tests", .warmup = 10, .draws = 10}, NoOptions{},
        [statistic](const NoOptions&, const Circumstances& c) {
          const auto kernel = [statistic] { return std::make_unique<Travelling>(statistic); };
          return learn_then_draw(c, kernel, [] { return std::make_unique<testing::Still>(); });
        });
    const std::string message = testing::message_of<UsageError>([&] {
      const RunPlan plan(testing::autoregression(2), row, {}, testing::short_run(1, 10, 10));
    });
    EXPECT_EQ(message, "a kernel of doubling has a statistic '" + statistic.name +
                           "', a name that is taken");
  }
}

}  // namespace
}  // namespace gadwall
