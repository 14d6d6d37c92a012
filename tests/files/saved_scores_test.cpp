// Scores kept with the draws: in the file, after a restart, in CSV, and nowhere they are not.
#include <gtest/gtest.h>

#include "files/csv_export.hpp"
#include "files/netcdf_testing.hpp"
#include "gadwall/gadwall.hpp"

namespace gadwall::files {
namespace {

std::shared_ptr<const Target> scaled_normal() {
  return make_target(
      [](ConstVectorRef x, VectorRef grad) {
        grad = -4 * x;
        return -2 * x.squaredNorm();
      },
      3);
}

SampleOptions some_options() {
  SampleOptions options{.sampler = "gadmala"};
  options.run.chains = 2;
  options.run.warmup = 50;
  options.run.draws = 100;
  options.run.save_scores = true;
  return options;
}

void expect_scores(const Draws& draws) {
  const std::vector<Index> columns = score_columns(draws.statistics);
  ASSERT_EQ(columns.size(), 3U);
  for (const Chain& chain : draws.chains) {
    EXPECT_EQ(Matrix(chain.statistics(Eigen::all, columns)), Matrix(-4 * chain.draws));
  }
}

TEST(SavedScores, AreTheGradientsAtTheDraws) {
  expect_scores(sample(scaled_normal(), some_options()).draws);
}

TEST(SavedScores, ChangeNoDraw) {
  SampleOptions options = some_options();
  const Matrix with = sample(scaled_normal(), options).draws.chains[1].draws;
  options.run.save_scores = false;
  EXPECT_EQ(sample(scaled_normal(), options).draws.chains[1].draws, with);
}

TEST(SavedScores, AreInTheFileAndGoOnAfterARestart) {
  const TemporaryDirectory directory;
  FileOptions files;
  files.name = directory.file("run");
  SampleOptions options = some_options();
  sample_to_file(scaled_normal(), options, files);
  expect_scores(read(files.name));
  options.run.draws = 150;
  resume(scaled_normal(), options, files);
  const Draws longer = read(files.name);
  EXPECT_EQ(longer.draws(), 150);
  expect_scores(longer);
  EXPECT_TRUE(summarise(longer, {.scores = true}).parameters[2].controlled);
}

TEST(SavedScores, AreRefusedWhereDrawsNeedNoGradient) {
  SampleOptions options = some_options();
  options.sampler = "gadrwm";
  try {
    sample(scaled_normal(), options);
    FAIL() << "taken";
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string(error.what()),
              "`save-scores` is not for gadrwm: its draws are made without gradients");
  }
}

}  // namespace
}  // namespace gadwall::files
