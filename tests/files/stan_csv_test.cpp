// Stan CSV files as we write them: layout, bits kept, and what happens when the disk is full.
#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "files/stan_csv.hpp"
#include "files/stan_csv_testing.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

class StanCsv : public StanCsvFixture {};

TEST_F(StanCsv, ReadsBackEveryBitThatWasWritten) {
  const Draws written = some_draws(3, 200, 5);
  const std::vector<std::string> files = write_run("run", written);

  const ReadResult read = read_stan_csv(files);

  EXPECT_EQ(read.draws.names, written.names);
  ASSERT_EQ(read.draws.chains.size(), 3u);
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_TRUE(same_bits(read.draws.chains[c].draws, written.chains[c].draws));
    EXPECT_TRUE(same_bits(read.draws.chains[c].statistics, written.chains[c].statistics));
  }
  EXPECT_TRUE(read.warnings.empty());
}

TEST_F(StanCsv, ReadsBackTheFactsOfTheRun) {
  const Draws written = some_draws(2, 10, 2);
  const RunFacts facts = read_stan_csv(write_run("run", written)).draws.facts;

  EXPECT_EQ(facts.target, "gaussian2d");
  EXPECT_EQ(facts.sampler, "gadmala");
  EXPECT_EQ(facts.chains, 2);
  EXPECT_EQ(facts.lanes, 2);
  EXPECT_EQ(facts.warmup, 500);
  EXPECT_EQ(facts.draws, 10);
  EXPECT_EQ(facts.seed, 18446744073709551615u);
  EXPECT_EQ(facts.draws_asked, 10);
  EXPECT_EQ(facts.seconds.warmup, 0.5);  // of the run, not of its slowest chain
  EXPECT_EQ(facts.seconds.sampling, 2e-5);
  EXPECT_EQ(facts.gradients.warmup, 2 * 501u);
  EXPECT_EQ(facts.gradients.sampling, 2 * 11u);
  EXPECT_EQ(facts.densities.warmup, 2 * 7u);
  EXPECT_EQ(facts.densities.sampling, 2 * 8u);
  EXPECT_EQ(facts.bad_points, 2 * 3u);
  EXPECT_EQ(facts.divergences, 2u);  // one per chain, by some_draws
  double accept = 0;
  for (const Chain& chain : written.chains) accept += chain.statistics.col(1).mean() / 2;
  EXPECT_NEAR(facts.accept_rate, accept, 1e-15);
}

TEST_F(StanCsv, HasTheLayoutOfCmdStan) {
  StanCsvHeader header = header_for(some_draws(1, 2, 2));
  header.facts.sampler = header.facts.stan_engine = "nuts";
  header.facts.seed = 7;
  header.facts.settings = {{"max-depth", "9"}, {"metric", "diag"}};
  header.stan_settings = {{"delta", "0.8"}, {"max_depth", "9"}};
  header.facts.stopped_by = "draws";
  header.metric = Metric::diag;
  StanCsvWriter writer(path("nuts_1.csv"), header);
  writer.adaptation_diagonal(0.5, Vector{{1.25, 3}});
  writer.draw(Vector{{-1.5, 1, 0.5, 3, 100000, 0, 2.5}}, Vector{{0.1, -2}});
  writer.draw(Vector{{-1.5, 0.25, 0.5, 2, 3, 1, 2.5}}, Vector{{1e300, 1e-7}});
  MeasuredFacts costs;
  costs.seconds = {0.5, 0.25};
  costs.gradients = {20000, 40000};
  writer.costs(costs, {1, 0.5});
  writer.finish();

  std::string expected =
      "# stan_version_major = 2\n# stan_version_minor = 36\n# stan_version_patch = 0\n"
      "# model = gaussian2d\n# start_datetime = 2025-01-31 12:00:00 UTC\n"
      "# gadwall\n#   gadwall_version = VERSION\n#   gadwall_sampler = nuts\n"
      "#   gadwall_lanes = 2\n#   gadwall_draws = 2\n#   gadwall_stopped_by = draws\n"
      "#   gadwall_max-depth = 9\n#   gadwall_metric = diag\n"
      "# method = sample (Default)\n#   sample\n#     num_samples = 2\n#     num_warmup = 500\n"
      "#     save_warmup = 0 (Default)\n#     thin = 1 (Default)\n#     adapt\n"
      "#       engaged = 1 (Default)\n#       delta = 0.8\n#     algorithm = hmc\n#       hmc\n"
      "#         engine = nuts\n#           nuts\n#             max_depth = 9\n"
      "#         metric = diag_e\n#         stepsize_jitter = 0 (Default)\n"
      "#     num_chains = 1\n# id = 1\n# data\n#   file =  (Default)\n# random\n#   seed = 7\n"
      "# output\n#   file = PATH\n#   diagnostic_file =  (Default)\n#   sig_figs = 17\n"
      "lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__,x.1,x.2\n"
      "# Adaptation terminated\n# Step size = 0.5\n"
      "# Diagonal elements of inverse mass matrix:\n# 1.25, 3\n"
      "-1.5,1,0.5,3,100000,0,2.5,0.1,-2\n-1.5,0.25,0.5,2,3,1,2.5,1e+300,1e-07\n"
      "# \n#  Elapsed Time: 0.5 seconds (Warm-up)\n#                0.25 seconds (Sampling)\n"
      "#                0.75 seconds (Total)\n# \n"
      "#  Gradients: 20000 in warm-up, 40000 in sampling\n"
      "#  Densities: 0 in warm-up, 0 in sampling\n#  Bad points: 0\n"
      "#  Wall clock of the run: 1 in warm-up, 0.5 in sampling\n# \n";
  std::string text = contents("nuts_1.csv");
  replace(text, path("nuts_1.csv"), "PATH");
  const auto version = text.find("gadwall_version = ") + 18;
  text.replace(version, text.find('\n', version) - version, "VERSION");
  EXPECT_EQ(text, expected);
}

TEST_F(StanCsv, WritesADenseMetricRowByRow) {
  StanCsvHeader header = header_for(some_draws(1, 1, 2));
  header.metric = Metric::dense;
  StanCsvWriter writer(path("d.csv"), header);
  writer.adaptation_dense(0.5, Matrix{{2, 0.5}, {0.25, 1}});
  writer.finish();
  expect_contains(contents("d.csv"), "# Elements of inverse mass matrix:\n# 2, 0.5\n# 0.25, 1\n");
  expect_contains(contents("d.csv"), "metric = dense_e\n");
}

TEST_F(StanCsv, WritesInfinitiesAndNansAsStanDoes) {
  const double inf = std::numeric_limits<double>::infinity();
  StanCsvWriter writer(path("n.csv"), header_for(some_draws(1, 1, 2)));
  writer.adaptation_unit(1);
  writer.draw(Vector{{-inf, std::nan(""), 1, 0, 0, 0, inf}}, Vector{{-std::nan(""), -0.0}});
  writer.finish();
  expect_contains(contents("n.csv"), "\n-inf,nan,1,0,0,0,inf,nan,-0\n");
  const Draws read = read_stan_csv({path("n.csv")}).draws;
  EXPECT_EQ(read.chains[0].statistics(0, 0), -inf);
  EXPECT_TRUE(std::isnan(read.chains[0].draws(0, 0)));
  EXPECT_TRUE(std::signbit(read.chains[0].draws(0, 1)));
  EXPECT_TRUE(std::isnan(read.facts.accept_rate));
}

TEST_F(StanCsv, RoundsToSignificantDigitsWhenAsked) {
  StanCsvHeader header = header_for(some_draws(1, 1, 2));
  header.significant_digits = 4;
  StanCsvWriter writer(path("s.csv"), header);
  writer.adaptation_unit(1);
  writer.draw(Vector::Zero(7), Vector{{3.14159265, 1.0 / 3}});
  writer.finish();
  expect_contains(contents("s.csv"), ",3.142,0.3333\n");
}

TEST_F(StanCsv, HoldsMoreLinesThanTheBuffer) {
  const Draws written = some_draws(1, 3000, 40);  // about 2 MB
  const Draws read = read_stan_csv(write_run("long", written)).draws;
  EXPECT_TRUE(same_bits(read.chains[0].draws, written.chains[0].draws));
}

TEST_F(StanCsv, AnInterruptedRunSaysHowManyDrawsItHas) {
  StanCsvHeader header = header_for(some_draws(1, 1, 2));
  header.facts.draws_asked = 1000;
  StanCsvWriter writer(path("i.csv"), header);
  writer.adaptation_unit(1);
  writer.draw(Vector::Zero(7), Vector{{1, 2}});
  writer.finish();
  expect_contains(contents("i.csv"), "#     num_samples = 1\n");
  const ReadResult read = read_stan_csv({path("i.csv")});
  expect_warnings(read.warnings, {"1 of 1,000 draws"});
  EXPECT_EQ(read.draws.facts.draws_asked, 1000);
}

TEST_F(StanCsv, ARunThatEndedByItsOwnRuleWasNotInterrupted) {
  StanCsvHeader header = header_for(some_draws(1, 1, 2));
  header.facts.draws_asked = 1000;
  header.facts.stopped_by = "ess";
  StanCsvWriter writer(path("e.csv"), header);
  writer.adaptation_unit(1);
  writer.draw(Vector::Zero(7), Vector{{1, 2}});
  writer.costs({}, {});
  writer.finish();
  const ReadResult read = read_stan_csv({path("e.csv")});
  EXPECT_TRUE(read.warnings.empty());
  EXPECT_EQ(read.draws.facts.stopped_by, "ess");
}

TEST_F(StanCsv, WithoutCostsHasNoClosingBlock) {
  StanCsvWriter writer(path("u.csv"), header_for(some_draws(1, 1, 2)));
  writer.adaptation_unit(1);
  writer.draw(Vector::Zero(7), Vector{{1, 2}});
  writer.finish();
  const ReadResult read = read_stan_csv({path("u.csv")});
  EXPECT_EQ(read.draws.draws(), 1);
  expect_warnings(read.warnings, {"no closing block"});
}

TEST_F(StanCsv, RefusesNamesThatWouldBreakTheHeader) {
  for (const std::string name : {"", "a,b", "a\"b", "a\nb", "#a", " a", "lp__", "x.2"}) {
    StanCsvHeader header = header_for(some_draws(1, 1, 2));
    header.names[0] = name;
    EXPECT_THROW(StanCsvWriter(path("x.csv"), header), UsageError) << name;
    EXPECT_FALSE(std::filesystem::exists(path("x.csv")));
  }
}

TEST_F(StanCsv, RefusesSettingsThatWouldBreakTheComments) {
  for (const char* key : {"", "a b", "a=b", "a\nb"}) {
    StanCsvHeader header = header_for(some_draws(1, 1, 2));
    header.facts.settings = {{key, "1"}};
    EXPECT_THROW(StanCsvWriter(path("x.csv"), header), UsageError) << key;
  }
}

TEST_F(StanCsv, AFullDiskIsARunErrorThatNamesTheFile) {
  StanCsvWriter writer("/dev/full", header_for(some_draws(1, 1, 2)));
  writer.adaptation_unit(1);
  writer.draw(Vector::Zero(7), Vector{{1, 2}});
  try {
    writer.finish();
    FAIL() << "no error";
  } catch (const RunError& error) {
    expect_contains(error.what(), "/dev/full");
    expect_contains(error.what(), std::strerror(ENOSPC));
  }
}

TEST_F(StanCsv, AFullDiskIsNoticedWhileDrawing) {
  StanCsvWriter writer("/dev/full", header_for(some_draws(1, 1, 2)));
  writer.adaptation_unit(1);
  const auto draw_on = [&] {
    for (int i = 0; i < 100000; ++i) writer.draw(Vector::Zero(7), Vector{{1.0 / 3, 2.0 / 3}});
  };
  EXPECT_THROW(draw_on(), RunError);
}

}  // namespace
}  // namespace gadwall::files
