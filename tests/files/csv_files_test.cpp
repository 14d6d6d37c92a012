// The sink of a run: its files appear together, hold what was learnt, or leave no trace.
#include "files/csv_files.hpp"

#include "files/stan_csv_testing.hpp"
#include "gadwall/targets.hpp"

namespace gadwall::files {
namespace {

namespace fs = std::filesystem;

class CsvFilesTest : public StanCsvFixture {
 protected:
  static RunPlan plan(const std::string& sampler = "nuts") {
    const SamplerRow& row = find_sampler(sampler);
    RunOptions run;
    run.chains = 2;
    run.warmup = 30;
    run.draws = 3;
    run.seed = 11;
    return {find_target("gaussian2d").make({}).target, row, row.defaults, run};
  }

  static Tuning tuning(Metric kind) {
    if (kind == Metric::diag) return Tuning(Factor::diagonal(Vector{{2, 3}}), 0.5);
    if (kind == Metric::dense) return Tuning(Factor::dense(Matrix{{2, 0}, {1, 3}}), 0.5);
    return Tuning(Factor::unit(2), 0.5);
  }

  static void draw(CsvFiles& sink, Index chain, double value) {
    ChainBlock block;
    block.chain = chain;
    block.count = 1;
    block.values = Vector::Constant(2, value);
    block.statistics.push_back({.logp = -value, .accept = 1});
    sink.append(block);
  }

  CsvOptions options(bool overwrite = false) const {
    return {.name = path("run"), .target = "gaussian2d", .overwrite = overwrite};
  }

  static RunOutcome outcome() {
    RunOutcome result;
    result.chains.resize(2);
    result.chains[0].gradients = {100, 10};
    result.chains[1].gradients = {200, 20};
    result.facts.seconds = {1, 2};
    return result;
  }

  Strings names() const {
    Strings result;
    for (const auto& entry : fs::directory_iterator(fs::path(path("x")).parent_path())) {
      result.push_back(entry.path().filename().string());
    }
    std::sort(result.begin(), result.end());
    return result;
  }
};

TEST_F(CsvFilesTest, WritesARunThatReadsBack) {
  CsvFiles sink(plan(), options());
  for (Index c = 0; c < 2; ++c) {
    sink.begin_sampling(c, tuning(Metric::diag));
    for (int i = 1; i <= 3; ++i) draw(sink, c, i + 10.0 * static_cast<double>(c));
  }
  sink.finish(outcome());
  EXPECT_EQ(sink.paths(), (Strings{path("run_1.csv"), path("run_2.csv")}));

  const ReadResult read = read_stan_csv(sink.paths());
  EXPECT_TRUE(read.warnings.empty());
  const RunFacts& facts = read.draws.facts;
  EXPECT_EQ(facts.target, "gaussian2d");
  EXPECT_EQ(facts.sampler, "nuts");
  EXPECT_EQ(facts.chains, 2);
  EXPECT_EQ(facts.warmup, 30);
  EXPECT_EQ(facts.draws, 3);
  EXPECT_EQ(facts.seed, 11U);
  EXPECT_EQ(facts.gradients.warmup, 300U);
  EXPECT_EQ(facts.gradients.sampling, 30U);
  EXPECT_EQ(facts.seconds.total(), 3);
  EXPECT_EQ(facts.settings.at("max-depth"), "10");
  EXPECT_EQ(read.draws.chains[1].draws(2, 0), 13);
  EXPECT_EQ(read.draws.chains[1].statistics(2, 0), -13);
}

TEST_F(CsvFilesTest, NamesTheOptionsAsStanDoes) {
  CsvFiles sink(plan(), options());
  for (Index c = 0; c < 2; ++c) {
    sink.begin_sampling(c, tuning(Metric::unit));
    draw(sink, c, 1);
  }
  sink.finish(outcome());
  const std::string text = contents("run_1.csv");
  for (const char* line :
       {"delta = 0.8\n", "gamma = 0.05\n", "kappa = 0.75\n", "t0 = 10\n", "init_buffer = 75\n",
        "term_buffer = 50\n", "window = 25\n", "max_depth = 10\n", "stepsize = 0\n"}) {
    expect_contains(text, line);
  }
}

TEST_F(CsvFilesTest, WritesEveryKindOfMetric) {
  const std::pair<Metric, const char*> kinds[] = {
      {Metric::unit, "# No free parameters for unit metric\n"},
      {Metric::diag, "# Diagonal elements of inverse mass matrix:\n# 4, 9\n"},
      {Metric::dense, "# Elements of inverse mass matrix:\n# 4, 2\n# 2, 10\n"}};
  for (const auto& [kind, lines] : kinds) {
    CsvFiles sink(plan(), options(true));
    for (Index c = 0; c < 2; ++c) {
      sink.begin_sampling(c, tuning(kind));
      draw(sink, c, 1);
    }
    sink.finish(outcome());
    expect_contains(contents("run_2.csv"), lines);
  }
}

/// What the files of a sampler with a low-rank metric say of it.
TEST_F(CsvFilesTest, WritesALowRankMetricInAFormOfStans) {
  SamplerRow row = find_sampler("nuts");
  row.metrics = {Metric::low_rank};
  row.defaults.metric = Metric::low_rank;
  const auto text = [&](Index n) {
    RunOptions run;
    run.chains = 1;
    const auto target = make_target([](ConstVectorRef, VectorRef) { return 0.0; }, n);
    CsvFiles sink({target, row, row.defaults, run}, options(true));
    const Factor factor = Factor::low_rank(Vector::Constant(n, 2), Vector::Unit(n, 1), Vector{{3}});
    sink.begin_sampling(0, Tuning(factor, 0.5));
    ChainBlock block;
    block.count = 1;
    block.values = Vector::Zero(n);
    block.statistics.emplace_back();
    sink.append(block);
    RunOutcome result;
    result.chains.resize(1);
    sink.finish(result);
    return contents("run_1.csv");
  };
  const std::string small = text(2);
  expect_contains(small, "metric = dense_e\n");
  expect_contains(small, "gadwall_metric = lowrank\n");
  expect_contains(small, "# Elements of inverse mass matrix:\n# 4, 0\n# 0, 12\n");
  EXPECT_EQ(small.find("inverse_mass"), std::string::npos);
  expect_contains(text(500), "metric = dense_e\n");
  const std::string large = text(501);
  expect_contains(large, "metric = diag_e\n");
  expect_contains(large, "gadwall_inverse_mass = the diagonal of a matrix of low rank\n");
  expect_contains(large, "# Diagonal elements of inverse mass matrix:\n# 4, 12, 4, 4, ");
}

TEST_F(CsvFilesTest, RefusesFilesThatExistAndTakesNone) {
  write_text("run_2.csv", "old");
  expect_usage_error([&] { CsvFiles(plan(), options()); }, "run_2.csv");
  EXPECT_EQ(names(), Strings{"run_2.csv"});
  EXPECT_EQ(contents("run_2.csv"), "old");
}

TEST_F(CsvFilesTest, ReservesItsNames) {
  const CsvFiles sink(plan(), options());
  EXPECT_EQ(names(), (Strings{"run_1.csv", "run_2.csv"}));
  EXPECT_TRUE(sink.paths().empty());
  expect_usage_error([&] { CsvFiles(plan(), options()); }, "exists");
}

TEST_F(CsvFilesTest, LeavesNothingWhereAChainHasNoDraw) {
  for (const bool finished : {true, false}) {
    {
      CsvFiles sink(plan(), options());
      sink.begin_sampling(0, tuning(Metric::unit));
      draw(sink, 0, 1);
      sink.begin_sampling(1, tuning(Metric::unit));
      if (finished) sink.finish(outcome());
      EXPECT_TRUE(sink.paths().empty());
    }
    EXPECT_EQ(names(), Strings{});
  }
}

TEST_F(CsvFilesTest, KeepsOldFilesUntilEveryChainHasADraw) {
  write_text("run_1.csv", "old 1");
  write_text("run_2.csv", "old 2");
  CsvFiles sink(plan(), options(true));
  sink.begin_sampling(0, tuning(Metric::unit));
  draw(sink, 0, 1);
  EXPECT_EQ(contents("run_1.csv"), "old 1");
  sink.begin_sampling(1, tuning(Metric::unit));
  EXPECT_EQ(contents("run_2.csv"), "old 2");
  draw(sink, 1, 1);
  EXPECT_EQ(read_stan_csv(sink.paths()).draws.facts.draws, 1);
  draw(sink, 0, 2);
  draw(sink, 1, 2);
  sink.finish(outcome());
  EXPECT_EQ(names(), (Strings{"run_1.csv", "run_2.csv"}));
  EXPECT_EQ(read_stan_csv(sink.paths()).draws.facts.draws, 2);
}

TEST_F(CsvFilesTest, PutsOldFilesBackInPeaceWhereAChainHasNoDraw) {
  write_text("run_1.csv", "old");  // run_2.csv is new
  {
    CsvFiles sink(plan(), options(true));
    sink.begin_sampling(0, tuning(Metric::unit));
    draw(sink, 0, 1);
  }
  EXPECT_EQ(names(), Strings{"run_1.csv"});
  EXPECT_EQ(contents("run_1.csv"), "old");
}

TEST_F(CsvFilesTest, KeepsTheDrawsOfARunThatFailsLater) {
  {
    CsvFiles sink(plan(), options());
    for (Index c = 0; c < 2; ++c) {
      sink.begin_sampling(c, tuning(Metric::unit));
      draw(sink, c, 1);
    }
  }
  const ReadResult read = read_stan_csv({path("run_1.csv"), path("run_2.csv")});
  EXPECT_EQ(read.draws.facts.draws, 1);
  EXPECT_EQ(read.warnings.size(), 2U);
}

}  // namespace
}  // namespace gadwall::files
