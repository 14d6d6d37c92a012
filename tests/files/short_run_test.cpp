// What a short run remembers is what a reader of its file finds.
#include "files/short_run.hpp"

#include <gtest/gtest.h>

#include "files/kept_summary.hpp"
#include "files/netcdf_file.hpp"
#include "files/netcdf_testing.hpp"
#include "files/run_files.hpp"
#include "gadwall/gadwall.hpp"

namespace gadwall::files {
namespace {

class ManyShapes final : public Target {
 public:
  Index dim() const override { return 4; }
  std::vector<std::string> names() const override { return {"b.1.1", "b.2.1", "sd", "a"}; }
  void evaluate(ConstMatrixRef X, VectorRef logp, MatrixRef G) const override {
    G = -X;
    logp = -0.5 * X.colwise().squaredNorm().transpose();
  }
};

RunPlan plan_of(const std::string& sampler) {
  RunOptions run;
  run.chains = 4;
  run.draws = 40;
  run.warmup = 30;
  run.seed = 5;
  return {std::make_shared<ManyShapes>(), find_sampler(sampler), {}, run};
}

struct Finished {
  RunOutcome outcome;
  std::optional<ReadResult> remembered;
};

Finished run_into(const FileOptions& options, const RunPlan& plan) {
  RunFiles files(plan, options, {}, {});
  Monitor monitor(plan.run.chains);
  Finished done{run(plan, files.sink(), monitor, files.restart()), {}};
  files.finish(done.outcome);
  done.remembered = files.remembered(done.outcome);
  return done;
}

void expect_equal(const Draws& a, const Draws& b) {
  EXPECT_EQ(a.names, b.names);
  ASSERT_EQ(a.statistics.size(), b.statistics.size());
  for (std::size_t s = 0; s < a.statistics.size(); ++s) {
    EXPECT_EQ(a.statistics[s].name, b.statistics[s].name);
  }
  ASSERT_EQ(a.chains.size(), b.chains.size());
  for (std::size_t c = 0; c < a.chains.size(); ++c) {
    EXPECT_EQ(a.chains[c].draws, b.chains[c].draws);
    EXPECT_TRUE(a.chains[c].statistics.cwiseEqual(b.chains[c].statistics).all());
  }
}

class ShortRuns : public ::testing::TestWithParam<const char*> {};

TEST_P(ShortRuns, RememberWhatTheirFileSays) {
  const TemporaryDirectory directory;
  const FileOptions options{.name = directory.file("run"), .target = "shapes", .command = "again"};
  const Finished done = run_into(options, plan_of(GetParam()));
  ASSERT_TRUE(done.remembered);
  const ReadResult read = read_netcdf(options.name + ".nc");
  expect_equal(done.remembered->draws, read.draws);
  const JudgedRun of_memory = judge_draws({}, *done.remembered);
  const JudgedRun of_file = judge_draws({}, read);
  EXPECT_EQ(to_json(of_memory.summary), to_json(of_file.summary));
  EXPECT_EQ(to_text(of_memory.verdict, of_memory.summary),
            to_text(of_file.verdict, of_file.summary));
}

TEST_P(ShortRuns, NeedNotComputeWhatIsKnown) {
  const TemporaryDirectory directory;
  const FileOptions options{.name = directory.file("run")};
  const Draws draws = run_into(options, plan_of(GetParam())).remembered->draws;
  const Summary whole = summarise(draws, {.quantiles = {0.1}});
  auto known = std::make_shared<Summary>(summarise(draws, {.paper_ess = false}));
  EXPECT_EQ(to_json(summarise(draws, {.quantiles = {0.1}, .known = known})), to_json(whole));
  known->parameters.front().values.ess_bulk = 7;
  EXPECT_EQ(summarise(draws, {.known = known}).parameters.front().values.ess_bulk, 7);
}

INSTANTIATE_TEST_SUITE_P(OfSamplers, ShortRuns, ::testing::Values("auto", "nuts", "gadmala"));

TEST(ShortRun, ForgetsWhatIsTooMuch) {
  const RunPlan plan = plan_of("gadmala");
  ChainBlock block;
  block.count = 10;
  block.values = Matrix::Zero(4, 10);
  block.statistics = Matrix::Zero(static_cast<Index>(plan.statistics.size()), 10);
  ShortRun run(plan, 10 * (4 + block.statistics.rows()));
  run.append(block);
  EXPECT_TRUE(run.has_all());
  EXPECT_EQ(run.draws().draws(), 0);  // the other chains have none
  run.append(block);
  EXPECT_FALSE(run.has_all());
}

}  // namespace
}  // namespace gadwall::files
