// CmdStan's files made from a NetCDF file: what stands in them, and that they appear whole or not.
#include "files/csv_export.hpp"

#include "files/netcdf_file.hpp"
#include "files/netcdf_testing.hpp"
#include "files/stan_csv_file.hpp"
#include "files/stan_csv_testing.hpp"
#include "gadwall/catalog.hpp"

namespace gadwall::files {
namespace {

namespace fs = std::filesystem;

constexpr Index kDim = 2;
constexpr Index kRows = 30;

class CsvExportTest : public StanCsvFixture {
 protected:
  static Tuning tuning(Metric kind) {
    if (kind == Metric::diag) return Tuning(Factor::diagonal(Vector{{2, 3}}), 0.5);
    if (kind == Metric::dense) return Tuning(Factor::dense(Matrix{{2, 0}, {1, 3}}), 0.5);
    return Tuning(Factor::unit(2), 0.5);
  }

  static NetcdfSchema schema() {
    NetcdfSchema schema = make_schema(vector_names(kDim), 2);
    schema.facts.sampler = "nuts";
    schema.facts.stan_engine = "nuts";
    schema.facts.settings = used_settings(find_sampler("nuts"), defaults("nuts"));
    schema.facts.draws = schema.facts.draws_asked = kRows;
    return schema;
  }

  static std::vector<TestChain> chains() {
    return {make_chain(kDim, kRows, 1), make_chain(kDim, kRows, 2)};
  }

  /// The first rows of the run, then its end unless it is killed before that.
  void write_netcdf(const NetcdfSchema& schema, Index rows, Metric kind, bool finished) const {
    NetcdfWriter writer(path("run.nc"), schema, true);
    for (Index b = 0; b < 2; ++b) writer.adapted(b, tuning(kind));
    for (Index c = 0; c < 2; ++c) {
      const TestChain chain = chains()[static_cast<std::size_t>(c)];
      if (schema.save_warmup) writer.append(Phase::warmup, c, chain.block(0, 10));
      writer.append(Phase::sampling, c, chain.block(0, rows));
    }
    writer.flush();
    if (!finished) return;
    RunFacts facts = schema.facts;
    facts.draws = rows;
    facts.seconds = {1, 2};
    std::vector<MeasuredFacts> costs(2);
    costs[0].gradients = {100, 10};
    costs[1].gradients = {200, 20};
    costs[0].seconds = {0.25, 0.5};
    costs[1].seconds = {0.75, 1.5};
    writer.finish(facts, {{tuning(kind), {}}, {tuning(kind), {}}}, costs);
  }
  void write_netcdf(Metric kind = Metric::diag) const { write_netcdf(schema(), kRows, kind, true); }

  Strings export_run(const CsvOptions& options = {}) const {
    return export_csv(path("run"), options);
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

TEST_F(CsvExportTest, HoldsEveryBitOfTheRun) {
  write_netcdf();
  const Strings files = export_run();
  EXPECT_EQ(files, (Strings{path("run_1.csv"), path("run_2.csv")}));
  const ReadResult read = read_stan_csv(files);
  EXPECT_TRUE(read.warnings.empty());
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_TRUE(same_draws(read.draws.chains[c], chains()[c], 0, kRows));
  }
  const RunFacts& facts = read.draws.facts;
  EXPECT_EQ(facts.target, "neal100");
  EXPECT_EQ(facts.sampler, "nuts");
  EXPECT_EQ(facts.warmup, 500);
  EXPECT_EQ(facts.draws, kRows);
  EXPECT_EQ(facts.draws_asked, kRows);
  EXPECT_EQ(facts.gradients.warmup, 300U);
  EXPECT_EQ(facts.gradients.sampling, 30U);
  EXPECT_EQ(facts.seconds.total(), 3);
  EXPECT_EQ(facts.settings.at("max-depth"), "10");
}

TEST_F(CsvExportTest, GivesEachChainItsOwnCosts) {
  write_netcdf();
  export_run();
  const std::string first = contents("run_1.csv");
  expect_contains(first, "Elapsed Time: 0.25 seconds (Warm-up)\n#                0.5 seconds");
  expect_contains(first, "Gradients: 100 in warm-up, 10 in sampling\n");
  const std::string second = contents("run_2.csv");
  expect_contains(second, "Elapsed Time: 0.75 seconds (Warm-up)\n#                1.5 seconds");
  expect_contains(second, "Gradients: 200 in warm-up, 20 in sampling\n");
}

TEST_F(CsvExportTest, SharesTheCostsOutWhereTheFileHasOnlySums) {
  {
    NetcdfWriter writer(path("run.nc"), schema(), true);
    for (Index c = 0; c < 2; ++c) {
      writer.append(Phase::sampling, c, chains()[static_cast<std::size_t>(c)].block(0, kRows));
    }
    RunFacts facts = schema().facts;
    facts.gradients = {301, 30};
    facts.seconds = {3, 5};
    writer.finish(facts, {});
  }
  export_run();
  expect_contains(contents("run_1.csv"), "Gradients: 151 in warm-up, 15 in sampling\n");
  expect_contains(contents("run_2.csv"), "Gradients: 150 in warm-up, 15 in sampling\n");
  expect_contains(contents("run_2.csv"), "Elapsed Time: 1.5 seconds (Warm-up)\n");
  expect_contains(contents("run_2.csv"), "Wall clock of the run: 3 in warm-up, 5 in sampling\n");
  // Nothing says what was learnt but the draws' own step.
  expect_contains(contents("run_1.csv"), "# Step size = 0.25\n# No free parameters");
}

TEST_F(CsvExportTest, NamesTheOptionsAsStanDoes) {
  write_netcdf();
  export_run();
  const std::string text = contents("run_1.csv");
  for (const char* line :
       {"delta = 0.8\n", "gamma = 0.05\n", "kappa = 0.75\n", "t0 = 10\n", "init_buffer = 75\n",
        "term_buffer = 50\n", "window = 25\n", "max_depth = 10\n", "stepsize = 0\n"}) {
    expect_contains(text, line);
  }
}

TEST_F(CsvExportTest, WritesEveryKindOfMetric) {
  const std::pair<Metric, const char*> kinds[] = {
      {Metric::unit, "# No free parameters for unit metric\n"},
      {Metric::diag, "# Diagonal elements of inverse mass matrix:\n# 4, 9\n"},
      {Metric::dense, "# Elements of inverse mass matrix:\n# 4, 2\n# 2, 10\n"}};
  for (const auto& [kind, lines] : kinds) {
    write_netcdf(kind);
    export_run({.overwrite = true});
    expect_contains(contents("run_2.csv"), lines);
  }
}

TEST_F(CsvExportTest, PutsSavedWarmUpAboveTheDraws) {
  NetcdfSchema saved = schema();
  saved.save_warmup = true;
  saved.facts.warmup = 10;
  write_netcdf(saved, kRows, Metric::diag, true);
  export_run();
  expect_contains(contents("run_1.csv"), "save_warmup = 1\n");
  const StanCsvFile file = read_stan_csv_file(path("run_1.csv"));
  EXPECT_EQ(file.warmup_rows, 10);
  EXPECT_EQ(file.rows(), 10 + kRows);
}

TEST_F(CsvExportTest, OfAKilledRunHasTheDrawsAndTheTuningButNoCosts) {
  write_netcdf(schema(), 12, Metric::dense, false);
  const ReadResult read = read_stan_csv(export_run());
  EXPECT_EQ(read.draws.draws(), 12);
  ASSERT_EQ(read.warnings.size(), 2U);
  expect_contains(read.warnings.front(), "12 of 30 draws; the run was interrupted");
  const std::string text = contents("run_1.csv");
  expect_contains(text, "num_samples = 12\n");
  expect_contains(text, "# Elements of inverse mass matrix:\n# 4, 2\n# 2, 10\n");
  EXPECT_EQ(text.find("Elapsed Time"), std::string::npos);
}

TEST_F(CsvExportTest, ReplacesTheFilesOfItsOwnRunAndNoOthers) {
  write_netcdf(schema(), 12, Metric::diag, false);
  export_run();
  const std::string own = contents("run_1.csv");
  export_run({.significant_digits = 3});
  EXPECT_NE(contents("run_1.csv"), own);
  write_text("run_2.csv", "precious");
  const std::string before = contents("run_1.csv");
  expect_usage_error([&] { export_run(); }, "run_2.csv: the file exists");
  EXPECT_EQ(contents("run_2.csv"), "precious");
  EXPECT_EQ(contents("run_1.csv"), before);
  EXPECT_EQ(names(), (Strings{"run.nc", "run_1.csv", "run_2.csv"}));
  export_run({.overwrite = true});
  expect_contains(contents("run_2.csv"), "# id = 2\n");
}

TEST_F(CsvExportTest, LeavesNothingWhereItFails) {
  NetcdfSchema bad = schema();
  bad.names = {"a,b", "c"};
  write_netcdf(bad, kRows, Metric::unit, true);
  expect_usage_error([&] { export_run(); }, "holds a comma");
  EXPECT_EQ(names(), Strings{"run.nc"});
  write_netcdf();
  expect_usage_error([&] { export_run({.name = path("a\nb")}); }, "line break");
  expect_usage_error([&] { export_run({.name = path("none/run")}); }, "no directory");
  fs::create_directory(path("dir_2.csv"));
  expect_usage_error([&] { export_run({.name = path("dir"), .overwrite = true}); }, "dir_2.csv");
  EXPECT_EQ(names(), (Strings{"dir_2.csv", "run.nc"}));
}

TEST_F(CsvExportTest, GoesThroughSymbolicLinks) {
  write_netcdf();
  fs::create_directory(path("disk"));
  write_text("disk/old.csv", "old");
  fs::create_symlink("disk/old.csv", path("run_1.csv"));
  expect_usage_error([&] { export_run(); }, "run_1.csv: the file exists");
  export_run({.overwrite = true});
  EXPECT_TRUE(fs::is_symlink(path("run_1.csv")));
  expect_contains(contents("disk/old.csv"), "# id = 1\n");
}

TEST_F(CsvExportTest, RefusesWhatIsNoRunOrHasNoDraws) {
  expect_usage_error([&] { export_csv(path("gone")); }, "gone.nc");
  expect_usage_error([&] { export_csv(path("gone.nc")); }, "gone.nc: cannot be opened");
  write_netcdf(schema(), 0, Metric::unit, false);
  expect_usage_error([&] { export_run(); }, "run.nc: no draws");
}

}  // namespace
}  // namespace gadwall::files
