// The open parts of a NetCDF file: statistics of a kernel's own, stages and what was found in them.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <limits>

#include "files/netcdf_testing.hpp"
#include "files/stan_csv.hpp"
#include "gadwall/error.hpp"
#include "message_of.hpp"
#include "run/travelling_kernel.hpp"

namespace gadwall::files {
namespace {

using Kind = Statistic::Kind;

NetcdfSchema with_own_statistics() {
  NetcdfSchema schema = make_schema(vector_names(2), 1);
  schema.statistics.push_back({"trajectory", Kind::real, "int_time__"});
  schema.statistics.push_back({"halvings", Kind::count, "halvings__", "n_halvings"});
  return schema;
}

std::vector<std::string> names_of(const std::vector<Statistic>& statistics) {
  std::vector<std::string> names;
  for (const Statistic& statistic : statistics) names.push_back(statistic.name);
  return names;
}

TEST(NetcdfStatistics, OfAKernelAreReadByNameAndKind) {
  const TemporaryDirectory directory;
  const TestChain chain = make_chain(2, 40, 1, 9);
  const NetcdfSchema schema = with_own_statistics();
  NetcdfWriter writer(directory.file("run.nc"), schema, false);
  writer.append(Phase::sampling, 0, chain.block(0, 40));
  writer.finish(schema.facts, {});
  const Draws draws = read_netcdf(directory.file("run.nc")).draws;
  EXPECT_TRUE(same_draws(draws.chains[0], chain, 0, 40));
  EXPECT_EQ(draws.statistics, schema.statistics);
  EXPECT_EQ(draws.statistic(0, "trajectory")[3], 103);
  EXPECT_EQ(draws.statistic(0, "halvings")[3], 104);
}

TEST(NetcdfStatistics, OfAKernelGoOnAfterARestart) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  const TestChain chain = make_chain(2, 5000, 1, 9);
  const NetcdfSchema schema = with_own_statistics();
  {
    NetcdfWriter writer(path, schema, false);
    writer.append(Phase::sampling, 0, chain.block(0, 4200));
  }
  for (const Index rows : {4100, 4096}) {
    NetcdfWriter writer = NetcdfWriter::reopen(path, 0, rows, {schema.statistics});
    writer.append(Phase::sampling, 0, chain.block(rows, 5000 - rows));
    writer.flush();
    EXPECT_TRUE(same_draws(read_netcdf(path).draws.chains[0], chain, 0, 5000));
  }
}

TEST(NetcdfStatistics, MustBeThoseOfTheFileWhereARunGoesOn) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  {
    NetcdfWriter writer(path, make_schema(vector_names(2), 1), false);
    writer.append(Phase::sampling, 0, make_chain(2, 10, 1).block(0, 10));
  }
  const std::string message = testing::message_of<UsageError>(
      [&] { NetcdfWriter::reopen(path, 0, 10, {with_own_statistics().statistics}); });
  EXPECT_EQ(message, path +
                         ": sample_stats holds lp, acceptance_rate, step_size, tree_depth, "
                         "n_steps, diverging, energy, expected lp, acceptance_rate, step_size, "
                         "tree_depth, n_steps, diverging, energy, trajectory, n_halvings: the run "
                         "cannot go on");
  EXPECT_EQ(read_netcdf(path).draws.draws(), 10);
}

TEST(NetcdfFacts, KnowStansEngineAlsoWhereTheFileDoesNotSayIt) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  NetcdfSchema schema = make_schema(vector_names(2), 1);
  schema.facts.sampler = "nuts";
  schema.facts.stan_engine = "other";
  {
    NetcdfWriter writer(path, schema, false);
    writer.append(Phase::sampling, 0, make_chain(2, 10, 1).block(0, 10));
  }
  EXPECT_EQ(read_netcdf(path).draws.facts.stan_engine, "other");
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Adelete(file, "stan_engine");  // as earlier versions left it
  H5Fclose(file);
  EXPECT_EQ(read_netcdf(path).draws.facts.stan_engine, "nuts");
}

StageFacts noted_stage() {
  StageFacts stage{.name = "trying", .begin = 100, .iterations = 250, .gradients = 7000};
  stage.gradients_before = 300;
  stage.notes = {{"candidate", "dense"},
                 {"efficiency", 0.25},
                 {"candidate", "größe / \"zitat\", 大きさ"},
                 {"efficiency", -std::numeric_limits<double>::infinity()},
                 {"empty", ""},
                 {"lost lanes", 2.0}};
  return stage;
}

TEST(NetcdfStages, AreReadWithWhatWasFound) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  NetcdfSchema schema = make_schema(vector_names(2), 1);
  NetcdfWriter writer(path, schema, false);
  writer.append(Phase::sampling, 0, make_chain(2, 10, 1).block(0, 10));
  writer.flush();
  EXPECT_TRUE(read_netcdf(path).draws.facts.stages.empty());
  schema.facts.stages = {StageFacts{.name = "alone", .iterations = 100, .gradients = 300},
                         noted_stage(), StageFacts{.name = "draws", .begin = 350}};
  writer.finish(schema.facts, {});
  const std::vector<StageFacts> read = read_netcdf(path).draws.facts.stages;
  ASSERT_EQ(read.size(), 3U);
  EXPECT_EQ(read[0].name, "alone");
  EXPECT_EQ(read[0].iterations, 100);
  EXPECT_TRUE(read[0].notes.empty());
  EXPECT_EQ(read[1].name, "trying");
  EXPECT_EQ(read[1].begin, 100);
  EXPECT_EQ(read[1].iterations, 250);
  EXPECT_EQ(read[1].gradients, 7000U);
  EXPECT_EQ(read[1].gradients_before, 300U);
  EXPECT_EQ(read[1].notes, noted_stage().notes);
  EXPECT_EQ(read[2].begin, 350);
}

TEST(NetcdfStages, TakeVeryManyNotes) {
  const TemporaryDirectory directory;
  NetcdfSchema schema = make_schema(vector_names(2), 1);
  NetcdfWriter writer(directory.file("run.nc"), schema, false);
  writer.append(Phase::sampling, 0, make_chain(2, 10, 1).block(0, 10));
  StageFacts& stage = schema.facts.stages.emplace_back();
  stage.name = "long";
  for (int i = 0; i < 5000; ++i) stage.notes.push_back({"words", std::string(20, 'w')});
  writer.finish(schema.facts, {});
  const Draws draws = read_netcdf(directory.file("run.nc")).draws;
  EXPECT_EQ(draws.facts.stages.at(0).notes, stage.notes);
}

TEST(NetcdfStages, ThatAreDamagedAreAnErrorThatNamesTheFile) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  NetcdfSchema schema = make_schema(vector_names(2), 1);
  {
    NetcdfWriter writer(path, schema, false);
    writer.append(Phase::sampling, 0, make_chain(2, 10, 1).block(0, 10));
    schema.facts.stages = {noted_stage()};
    writer.finish(schema.facts, {});
  }
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t dataset = H5Dopen2(file, "gadwall/stages/note_stage", H5P_DEFAULT);
  const std::vector<double> beyond(6, 1);  // there is one stage, 0
  H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, beyond.data());
  H5Dclose(dataset);
  H5Fclose(file);
  EXPECT_EQ(testing::message_of<UsageError>([&] { read_netcdf(path); }),
            path + ": cannot be read: the columns of the stages differ in length");
}

TEST(SampledToAFile, TheRecordIsThatOfTheRunInMemory) {
  const TemporaryDirectory directory;
  SampleOptions options;
  options.run = testing::short_run(2, 30, 20);
  options.run.save_warmup = true;
  FileOptions files;
  files.name = directory.file("run");
  files.csv = true;
  const auto target = testing::autoregression(2);
  const SamplerRow row = testing::travelling_sampler();
  const FileResult result = sample_to_file(target, row, options, files);
  options.run.save_warmup = false;
  const Draws memory = sample(target, row, options).draws;
  const Draws netcdf = read(result.paths.front());
  EXPECT_EQ(netcdf.facts.stages[0].notes, memory.facts.stages[0].notes);
  EXPECT_EQ(netcdf.facts.stages[1].iterations, 20);
  EXPECT_EQ(netcdf.learnt[1].trace.recorded, memory.learnt[1].trace.recorded);
  EXPECT_EQ(netcdf.learnt[1].number("lessons"), 30);
  EXPECT_EQ(netcdf.statistics, memory.statistics);
  const Draws csv = read_stan_csv({result.paths[1], result.paths[2]}).draws;
  EXPECT_EQ(names_of(csv.statistics),
            (std::vector<std::string>{"log_density", "accept", "step", "tree_depth", "leapfrogs",
                                      "divergent", "energy", "distance", "lane"}));
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_EQ(netcdf.chains[c].statistics, memory.chains[c].statistics);
    EXPECT_EQ(csv.chains[c].statistics, memory.chains[c].statistics);
    EXPECT_EQ(csv.chains[c].draws, memory.chains[c].draws);
  }
}

}  // namespace
}  // namespace gadwall::files
