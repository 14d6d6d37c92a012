// Runs in files from a C++ program, with public headers only: write, read, stop, resume, export.
#include <gtest/gtest.h>

#include <filesystem>

#include "files/netcdf_testing.hpp"
#include "gadwall/gadwall.hpp"

namespace gadwall::files {
namespace {

double standard_normal(ConstVectorRef x, VectorRef grad) {
  grad = -x;
  return -0.5 * x.squaredNorm();
}

SampleOptions short_run() {
  SampleOptions options;
  options.sampler = "gadmala";
  options.run.chains = 2;
  options.run.warmup = 200;
  options.run.draws = 300;
  options.run.seed = 3;
  return options;
}

std::shared_ptr<const Target> target(Index dim = 3) {
  return make_target(standard_normal, dim);
}

void expect_same_draws(const Draws& a, const Draws& b) {
  ASSERT_EQ(a.chains.size(), b.chains.size());
  for (std::size_t c = 0; c < a.chains.size(); ++c) {
    EXPECT_EQ(a.chains[c].draws, b.chains[c].draws);
  }
}

template <class Act>
void expect_refusal(Act act, const std::string& part) {
  try {
    act();
    ADD_FAILURE() << "no error; wanted one that holds: " << part;
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

class RunsInFiles : public ::testing::Test {
 protected:
  FileOptions named(const std::string& name) const {
    FileOptions options;
    options.name = directory_.file(name);
    options.target = "normal";
    return options;
  }
  TemporaryDirectory directory_;
};

TEST_F(RunsInFiles, HaveTheDrawsOfARunInMemory) {
  const FileResult result = sample_to_file(target(), short_run(), named("run"));
  EXPECT_EQ(result.paths, std::vector<std::string>{directory_.file("run.nc")});
  EXPECT_EQ(result.facts.stopped_by, "draws");
  const Draws read_back = read(result.name);
  expect_same_draws(read_back, sample(target(), short_run()).draws);
  EXPECT_EQ(read_back.facts.target, "normal");
  EXPECT_EQ(result.summary.parameters.size(), 3U);
  EXPECT_EQ(result.summary.parameters[1].values.mean,
            summarise(read_back).parameters[1].values.mean);
}

TEST_F(RunsInFiles, TakeACallable) {
  const FileResult result = sample_to_file(standard_normal, 3, short_run(), named("run"));
  expect_same_draws(read(result.name), sample(target(), short_run()).draws);
}

TEST_F(RunsInFiles, GoOnWhereTheyWereStopped) {
  Monitor monitor(2);
  monitor.stop = true;  // before the first iteration
  FileOptions files = named("run");
  files.monitor = &monitor;
  const FileResult stopped = sample_to_file(target(), short_run(), files);
  EXPECT_EQ(stopped.facts.stopped_by, "signal");
  EXPECT_TRUE(stopped.paths.empty());
  EXPECT_TRUE(stopped.summary.parameters.empty());
  const FileResult whole = resume(target(), short_run(), named("run"));
  EXPECT_TRUE(whole.warnings.empty());
  expect_same_draws(read(whole.name), sample(target(), short_run()).draws);
}

TEST_F(RunsInFiles, TakeMoreDrawsWhenTheyGoOn) {
  sample_to_file(target(), short_run(), named("run"));
  SampleOptions more = short_run();
  more.run.draws = 500;
  more.run.threads = 2;
  resume(target(), more, named("run.nc"));
  expect_same_draws(read(directory_.file("run")), sample(target(), more).draws);
}

TEST_F(RunsInFiles, RefuseToGoOnAsAnotherRun) {
  sample_to_file(target(), short_run(), named("run"));
  const auto refuses = [&](const SampleOptions& options, Index dim, const std::string& part) {
    expect_refusal([&] { resume(target(dim), options, named("run")); }, part);
  };
  SampleOptions other = short_run();
  other.run.draws = 500;
  refuses(other, 4, "dimension is 4, expected 3");
  other.run.seed = 4;
  refuses(other, 3, "seed is 4, expected 3");
  other = short_run();
  other.run.chains = 4;
  refuses(other, 3, "chains is 4, expected 2");
  other = short_run();
  other.sampler = "nuts";
  refuses(other, 3, "expected");
  other = short_run();
  other.settings = {{"learning-rate", 0.5}};
  refuses(other, 3, "learning-rate is 0.5, expected");
  expect_refusal([&] { resume(target(), short_run(), named("gone")); }, "gone.checkpoint");
}

TEST_F(RunsInFiles, AreNotOverwrittenUnasked) {
  sample_to_file(target(), short_run(), named("run"));
  expect_refusal([&] { sample_to_file(target(), short_run(), named("run")); }, "exists");
  FileOptions again = named("run");
  again.overwrite = true;
  sample_to_file(target(), short_run(), again);
  expect_refusal([&] { sample_to_file(target(), short_run(), {}); }, "name of the run is ''");
}

TEST_F(RunsInFiles, AreExportedAsCmdStanWritesThem) {
  FileOptions files = named("run");
  files.csv = true;
  const FileResult result = sample_to_file(target(), short_run(), files);
  ASSERT_EQ(result.paths.size(), 3U);
  const std::vector<std::string> exported =
      export_csv(result.name, {.name = directory_.file("again")});
  const Draws from_run = read_run({result.paths[1], result.paths[2]}).draws;
  const Draws from_export = read_run(exported).draws;
  expect_same_draws(from_run, from_export);
  expect_same_draws(from_run, read(result.name));
}

TEST_F(RunsInFiles, HaveAMonitorForTheirChains) {
  Monitor monitor(3);
  FileOptions files = named("run");
  files.monitor = &monitor;
  expect_refusal([&] { sample_to_file(target(), short_run(), files); }, "monitor");
}

}  // namespace
}  // namespace gadwall::files
