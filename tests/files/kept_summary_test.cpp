// A summary that is kept beside the draws: made once, never used for other draws.
#include "files/kept_summary.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "files/netcdf_testing.hpp"
#include "files/summary_archive.hpp"
#include "gadwall/gadwall.hpp"

namespace gadwall::files {
namespace {

namespace fs = std::filesystem;

class KeptSummary : public ::testing::Test {
 protected:
  /// 2 chains x draws x 100 values.
  std::string sample(Index draws, std::uint64_t seed = 1) const {
    SampleOptions options;
    options.sampler = "mala";
    options.run.chains = 2;
    options.run.warmup = 50;
    options.run.draws = draws;
    options.run.seed = seed;
    FileOptions files;
    files.name = directory_.file("run");
    files.overwrite = true;
    const auto normal = [](ConstVectorRef x, VectorRef grad) {
      grad = -x;
      return -0.5 * x.squaredNorm();
    };
    return sample_to_file(make_target(normal, 100), options, files).paths.front();
  }

  /// Judges the run; what was computed for it goes to work_.
  JudgedRun judge(const SummaryOptions& summary = {.paper_ess = false}) {
    work_.clear();
    return judge_run(
        {directory_.file("run")},
        {.summary = summary, .begins = [this](const std::string& what) { work_.push_back(what); }});
  }

  bool is_kept() const { return fs::exists(directory_.file("run.summary")); }

  TemporaryDirectory directory_;
  std::vector<std::string> work_;
};

TEST_F(KeptSummary, SaysTheSameWithoutComputing) {
  const std::string path = sample(5100);
  const JudgedRun made = judge();
  EXPECT_EQ(work_.back(), "summarising 1,020,000 values ...");
  ASSERT_TRUE(is_kept());
  const JudgedRun kept = judge();
  EXPECT_TRUE(work_.empty());
  EXPECT_EQ(to_json(kept.summary), to_json(made.summary));
  EXPECT_EQ(to_text(kept.summary, TableStyle{.trace = true}),
            to_text(made.summary, TableStyle{.trace = true}));
  EXPECT_EQ(to_text(kept.verdict, kept.summary), to_text(made.verdict, made.summary));
  const ReadResult read = read_run({path});
  EXPECT_EQ(to_json(judge_draws({path}, read, {.summary = {.paper_ess = false}}).summary),
            to_json(made.summary));
}

TEST_F(KeptSummary, HasWhatTheStagesFound) {
  Summary summary;
  StageFacts pooled{.name = "pooled", .iterations = 30};
  pooled.notes = {{"R-hat", 1.02}, {"warp", std::string("tau is the scale of theta[1..8]")}};
  summary.facts.stages = {StageFacts{.name = "alone"}, pooled};
  Archive saved;
  archive_summary(saved, summary);
  Summary again;
  Archive restored(saved.bytes());
  archive_summary(restored, again);
  ASSERT_EQ(again.facts.stages.size(), 2u);
  EXPECT_EQ(again.facts.stages[1].name, "pooled");
  EXPECT_EQ(again.facts.stages[1].iterations, 30);
  EXPECT_EQ(again.facts.stages[1].notes, pooled.notes);
  EXPECT_NE(to_text(again, TableStyle{}).find("tau is the scale of theta[1..8]\n"),
            std::string::npos);
}

TEST_F(KeptSummary, IsOfTheseDrawsOnly) {
  sample(5100);
  const double mean = judge().summary.parameters[0].values.mean;
  sample(5100, 2);
  EXPECT_NE(judge().summary.parameters[0].values.mean, mean);
  EXPECT_FALSE(work_.empty());
  // The same size and time, other bytes.
  judge();
  EXPECT_TRUE(work_.empty());
  const std::string path = directory_.file("run.nc");
  const auto time = fs::last_write_time(path);
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(static_cast<std::streamoff>(fs::file_size(path) - 1));
  const char last = static_cast<char>(file.get() ^ 1);
  file.seekp(static_cast<std::streamoff>(fs::file_size(path) - 1));
  file.put(last);
  file.close();
  fs::last_write_time(path, time);
  try {
    judge();
  } catch (const std::exception&) {  // the byte may have mattered
  }
  EXPECT_FALSE(work_.empty());
}

TEST_F(KeptSummary, HasWhatIsAskedForOrIsMadeAnew) {
  sample(5100);
  judge();
  EXPECT_TRUE(std::isnan(judge().summary.ess_paper.min));
  EXPECT_FALSE(std::isnan(judge({.paper_ess = true}).summary.ess_paper.min));
  EXPECT_FALSE(work_.empty());
  judge({.paper_ess = true});
  EXPECT_TRUE(work_.empty());
  EXPECT_EQ(judge({.paper_ess = false, .quantiles = {0.1}}).summary.parameters[0].quantiles.size(),
            1U);
  EXPECT_FALSE(work_.empty());
  EXPECT_TRUE(judge().summary.probabilities.empty());
  EXPECT_TRUE(work_.empty());
}

TEST_F(KeptSummary, IsMadeAnewWhereItIsDamaged) {
  sample(5100);
  const std::string wanted = to_json(judge().summary);
  for (const std::size_t size : {0, 10, 1000}) {
    fs::resize_file(directory_.file("run.summary"), size);
    EXPECT_EQ(to_json(judge().summary), wanted);
    EXPECT_FALSE(work_.empty());
  }
}

TEST_F(KeptSummary, NeverTakesThePlaceOfAnotherFile) {
  sample(5100);
  std::ofstream(directory_.file("run.summary")) << "precious";
  judge();
  judge();
  EXPECT_FALSE(work_.empty());
  sample(100);
  std::string text;
  std::ifstream(directory_.file("run.summary")) >> text;
  EXPECT_EQ(text, "precious");
}

TEST_F(KeptSummary, GoesWithTheRunThatIsOverwritten) {
  sample(5100);
  judge();
  ASSERT_TRUE(is_kept());
  sample(100);
  EXPECT_FALSE(is_kept());
}

TEST_F(KeptSummary, IsNotMadeOfASmallRun) {
  sample(100);
  judge();
  EXPECT_TRUE(work_.empty());
  EXPECT_FALSE(is_kept());
}

}  // namespace
}  // namespace gadwall::files
