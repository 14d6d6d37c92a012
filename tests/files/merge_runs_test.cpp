// Parts of a run in several files, put together, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "files/chain_origins.hpp"
#include "files/netcdf_testing.hpp"
#include "files/run_parts.hpp"
#include "gadwall/gadwall.hpp"
#include "message_of.hpp"

namespace gadwall::files {
namespace {

double normal(ConstVectorRef x, VectorRef grad) {
  grad = -x;
  return -0.5 * x.squaredNorm();
}

class MergeRuns : public ::testing::Test {
 protected:
  struct Part {
    Index chains = 2;
    Index offset = 0;
    std::uint64_t seed = 3;
    Index draws = 60;
    std::string sampler = "gadmala";
    Index dim = 3;
    std::string target = "normal";
    bool save_warmup = false;
    Index thin = 1;
  };

  std::string sampled(const std::string& name, const Part& part) const {
    SampleOptions options;
    options.sampler = part.sampler;
    options.run = {.chains = part.chains, .warmup = 80, .draws = part.draws, .seed = part.seed};
    options.run.chain_offset = part.offset;
    options.run.save_warmup = part.save_warmup;
    options.run.thin = part.thin;
    FileOptions files;
    files.name = directory_.file(name);
    files.target = part.target;
    sample_to_file(make_target(normal, part.dim), options, files);
    return files.name;
  }

  std::string merged_name() const { return directory_.file("all"); }

  std::string merge_refusal(const std::vector<std::string>& runs) const {
    return testing::message_of([&] { merge_runs(runs, merged_name()); });
  }

  TemporaryDirectory directory_;
};

void expect_same_chains(const Draws& a, const Draws& b) {
  ASSERT_EQ(a.chains.size(), b.chains.size());
  for (std::size_t c = 0; c < a.chains.size(); ++c) {
    EXPECT_EQ(a.chains[c].draws, b.chains[c].draws);
    EXPECT_EQ(a.chains[c].statistics, b.chains[c].statistics);
  }
}

/// The chains of the parts are those of the whole run, whatever the order in which they are given.
TEST_F(MergeRuns, PartsAreTheWholeRun) {
  const std::string whole = sampled("whole", {.chains = 4, .save_warmup = true});
  const std::string one = sampled("one", {.save_warmup = true});
  const std::string two = sampled("two", {.offset = 2, .save_warmup = true});
  const MergedRun merged = merge_runs({two, one}, merged_name(), false, "two and one as one");
  EXPECT_TRUE(merged.warnings.empty());
  const Draws all = read(merged_name());
  const Draws expected = read(whole);
  expect_same_chains(all, expected);
  EXPECT_EQ(all.facts.chains, 4);
  EXPECT_EQ(all.facts.command, "two and one as one");
  EXPECT_EQ(all.facts.seed, 3U);
  EXPECT_EQ(all.facts.chain_offset, 0);
  EXPECT_TRUE(all.facts.origins.empty());
  EXPECT_EQ(all.facts.gradients.total(), expected.facts.gradients.total());
  EXPECT_DOUBLE_EQ(all.facts.accept_rate, expected.facts.accept_rate);
  ASSERT_EQ(all.learnt.size(), expected.learnt.size());
  EXPECT_EQ(all.learnt[3].tuning.step, expected.learnt[3].tuning.step);
  EXPECT_EQ(read_run({one, two}).draws.facts.chains, 4);
  expect_same_chains(read_run({two, one}).draws, expected);
}

TEST_F(MergeRuns, SeedsOfTheirOwnAreKeptApart) {
  const std::string one = sampled("one", {.seed = 5});
  const std::string two = sampled("two", {.seed = 9, .draws = 40});
  const MergedRun merged = merge_runs({one, two}, merged_name());
  ASSERT_EQ(merged.warnings.size(), 1U);
  EXPECT_NE(merged.warnings[0].find("60 draws per chain, cut to the 40"), std::string::npos);
  const Draws all = read(merged_name());
  EXPECT_EQ(all.draws(), 40);
  const std::vector<ChainRange> expected = {{5, 0, 2}, {9, 0, 2}};
  EXPECT_EQ(all.facts.origins, expected);
  const std::string third = sampled("three", {.offset = 1, .seed = 9});
  const std::string message = testing::message_of([&] {
    merge_runs({merged_name(), third}, directory_.file("more"));
  });
  EXPECT_NE(message.find("both hold chain 2 of seed 9"), std::string::npos) << message;
}

TEST_F(MergeRuns, AChainThatComesTwiceIsRefusedAndJudged) {
  const std::string one = sampled("one", {});
  const std::string two = sampled("two", {.offset = 1});
  const std::string message = merge_refusal({one, two});
  EXPECT_NE(message.find("both hold chain 2 of seed 3"), std::string::npos) << message;
  const Draws both = read_run({one, two}).draws;
  const Verdict verdict = judge(both, summarise(both));
  EXPECT_FALSE(verdict.sound());
  EXPECT_EQ(std::ranges::count(verdict.findings, "the same draws: chains 2 and 3", &Finding::what),
            1);
}

TEST_F(MergeRuns, TheSameDrawsUnderAnotherSeedAreRefused) {
  const std::string one = sampled("one", {});
  Draws copy = read(one);
  const std::string claimed = directory_.file("copy");
  NetcdfSchema schema;
  schema.names = copy.names;
  schema.statistics = copy.statistics;
  schema.facts = copy.facts;
  schema.facts.seed = 77;
  NetcdfWriter writer(claimed + ".nc", schema, false);
  for (Index c = 0; c < 2; ++c) {
    const Chain& chain = copy.chains[static_cast<std::size_t>(c)];
    const Matrix values = chain.draws.transpose();
    const Matrix statistics = chain.statistics.transpose();
    writer.append(Phase::sampling, c, {values.data(), statistics.data(), values.cols()});
  }
  writer.finish(schema.facts, {});
  const std::string message = merge_refusal({one, claimed});
  EXPECT_NE(message.find("have the same draws"), std::string::npos) << message;
}

TEST_F(MergeRuns, DifferencesAreRefusedByName) {
  const std::string one = sampled("one", {});
  auto other = [&, number = 0](const Part& part) mutable {
    return merge_refusal({one, sampled("other" + std::to_string(++number), part)});
  };
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(other({.seed = 4, .target = "other"}), "the target is other, expected normal");
  has(other({.seed = 4, .sampler = "mala"}), "the sampler is mala, expected gadmala");
  has(other({.seed = 4, .dim = 4}), "the number of values of a draw is 4, expected 3");
  has(other({.seed = 4, .thin = 2}), "`thin` is 2, expected 1");
  EXPECT_FALSE(std::filesystem::exists(merged_name() + ".nc"));
}

TEST_F(MergeRuns, NothingIsOverwritten) {
  const std::string one = sampled("one", {});
  const std::string two = sampled("two", {.seed = 4});
  EXPECT_NE(testing::message_of([&] {
              merge_runs({one, two}, one, true);
            }).find("is one of the runs"),
            std::string::npos);
  merge_runs({one, two}, merged_name());
  EXPECT_NE(merge_refusal({one, two}).find("exists"), std::string::npos);
  EXPECT_NO_THROW(merge_runs({one, two}, merged_name(), true));
  EXPECT_FALSE(std::filesystem::exists(merged_name() + ".merging.nc"));
}

TEST(ChainOrigins, ComeBackFromText) {
  const std::vector<ChainRange> ranges = {{18446744073709551615U, 0, 4}, {7, 12, 1}};
  EXPECT_EQ(to_text(ranges), "18446744073709551615:0-3 7:12-12");
  EXPECT_EQ(ranges_from_text(to_text(ranges)), ranges);
  for (const char* wrong : {"7", "7:3", "7:3-", "7:5-3", "7:-1-3", "x:0-1", "7:0-1x"}) {
    EXPECT_TRUE(ranges_from_text(wrong).empty()) << wrong;
  }
}

}  // namespace
}  // namespace gadwall::files
