// What is written to a NetCDF file is read back, also after a restart and from other tools' files.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <fstream>
#include <limits>

#include "files/netcdf_testing.hpp"
#include "gadwall/error.hpp"
#include "message_of.hpp"

namespace gadwall::files {
namespace {

std::string refusal(const std::string& path) {
  return testing::message_of([&] { read_netcdf(path); });
}

TEST(NetcdfFile, GivesBackDrawsStatisticsNamesAndFacts) {
  const TemporaryDirectory directory;
  const std::vector<std::string> names = {"sigma", "x.1",   "x.2",  "x.3", "m.1.1", "m.2.1",
                                          "m.1.2", "m.2.2", "draw", "a/b", "y.2",   "m.1.3"};
  const std::vector<TestChain> chains = {make_chain(12, 5000, 1), make_chain(12, 5000, 2)};
  NetcdfSchema schema = make_schema(names, 2);
  NetcdfWriter writer(directory.file("run.nc"), schema, false);
  for (Index c = 0; c < 2; ++c) {
    writer.append(Phase::sampling, c, chains[static_cast<std::size_t>(c)].block(0, 5000));
  }
  RunFacts facts = schema.facts;
  facts.draws = 5000;
  facts.seconds = {1.5, 2.5};
  facts.gradients = {500, 5000};
  facts.stopped_by = "draws";
  facts.command = "gadwall sample neal100";
  writer.finish(facts, {});

  const ReadResult result = read_netcdf(directory.file("run.nc"));
  EXPECT_TRUE(result.warnings.empty());
  EXPECT_EQ(result.draws.names, names);
  ASSERT_EQ(result.draws.chains.size(), 2U);
  EXPECT_EQ(result.draws.draws(), 5000);
  EXPECT_TRUE(same_draws(result.draws.chains[0], chains[0], 0, 5000));
  EXPECT_TRUE(same_draws(result.draws.chains[1], chains[1], 0, 5000));
  const RunFacts& read = result.draws.facts;
  EXPECT_EQ(read.target, "neal100");
  EXPECT_EQ(read.sampler, "gadmala");
  EXPECT_EQ(read.seed, 18446744073709551615U);
  EXPECT_EQ(read.warmup, 500);
  EXPECT_EQ(read.draws, 5000);
  EXPECT_EQ(read.seconds.sampling, 2.5);
  EXPECT_EQ(read.gradients.total(), 5500U);
  EXPECT_EQ(read.settings, schema.facts.settings);
  EXPECT_EQ(read.target_settings, schema.facts.target_settings);
  EXPECT_EQ(read.stopped_by, "draws");
  EXPECT_EQ(read.command, facts.command);
  EXPECT_EQ(read.divergences, 2U * 295U);
}

TEST(NetcdfFile, KeepsValuesThatAreNoNumbers) {
  const TemporaryDirectory directory;
  TestChain chain = make_chain(3, 2, 1);
  chain.values = {-0.0,
                  std::numeric_limits<double>::infinity(),
                  std::numeric_limits<double>::quiet_NaN(),
                  5e-324,
                  -1e308,
                  0.1};
  chain.statistics[7] = -std::numeric_limits<double>::infinity();
  NetcdfWriter writer(directory.file("run.nc"), make_schema(vector_names(3), 1), false);
  writer.append(Phase::sampling, 0, chain.block(0, 2));
  writer.finish({}, {});
  EXPECT_TRUE(same_draws(read_netcdf(directory.file("run.nc")).draws.chains[0], chain, 0, 2));
}

TEST(NetcdfFile, GivesBackWhatWasLearnt) {
  const TemporaryDirectory directory;
  const Matrix lower = (Matrix(2, 2) << 2, 0, 0.5, 3).finished();
  Learnt dense{Tuning(Factor::dense(lower), 0.7), {}};
  dense.trace.iteration = {10, 20};
  dense.trace.acceptance = {0.25, 0.5};
  dense.trace.step = {1, 2};
  dense.trace.log_determinant = {3, 4};
  dense.trace.recorded = {{"beta", {5, 6}}, {"objective", {7, 8}}, {"damping", {std::nan(""), 9}}};
  dense.recorded = {{"beta", 6.5}, {"objective", std::nan("")}};
  dense.trace.log_density = {{-1, -2}, {-3, -4}};
  const Learnt diagonal{Tuning(Factor::diagonal(Vector::Constant(2, 4.0)), 0.1), {}};
  const Learnt unit{Tuning(Factor::unit(2), 0.2), {}};
  NetcdfWriter writer(directory.file("run.nc"), make_schema(vector_names(2), 1), false);
  writer.append(Phase::sampling, 0, make_chain(2, 3, 1).block(0, 3));
  const Factor low_rank = Factor::low_rank(Vector{{3, 4}}, Vector{{0.6, 0.8}}, Vector{{5}});
  const Learnt low{Tuning(low_rank, 0.3), {}};
  const Learnt lowest{Tuning(Factor::first(Metric::low_rank, 2, 7)), {}};
  writer.finish({}, {dense, diagonal, unit, low, lowest});
  const std::vector<Learnt> learnt = read_netcdf(directory.file("run.nc")).draws.learnt;
  ASSERT_EQ(learnt.size(), 5U);
  EXPECT_EQ(learnt[0].tuning.step, 0.7);
  EXPECT_EQ(learnt[0].tuning.factor().matrix(), lower);
  EXPECT_EQ(learnt[0].trace.iteration, dense.trace.iteration);
  EXPECT_EQ(learnt[0].trace.recorded.at("beta"), dense.trace.recorded.at("beta"));
  EXPECT_EQ(learnt[0].trace.recorded.at("objective"), dense.trace.recorded.at("objective"));
  EXPECT_TRUE(std::isnan(learnt[0].trace.recorded.at("damping")[0]));
  EXPECT_EQ(learnt[0].trace.recorded.at("damping")[1], 9);
  EXPECT_EQ(learnt[0].number("beta"), 6.5);
  EXPECT_TRUE(std::isnan(learnt[1].number("beta")));
  EXPECT_TRUE(learnt[1].trace.recorded.empty());
  EXPECT_EQ(learnt[0].trace.log_density, dense.trace.log_density);
  EXPECT_EQ(learnt[1].tuning.factor().kind(), Metric::diag);
  EXPECT_EQ(learnt[1].tuning.factor().matrix_diagonal(), Vector::Constant(2, 4.0));
  EXPECT_EQ(learnt[2].tuning.factor().kind(), Metric::unit);
  EXPECT_EQ(learnt[2].tuning.factor().dim(), 2);
  EXPECT_EQ(learnt[3].tuning.factor().kind(), Metric::low_rank);
  EXPECT_EQ(learnt[3].tuning.factor().matrix(), low_rank.matrix());
  EXPECT_EQ(learnt[4].tuning.factor().matrix(), Matrix(7 * Matrix::Identity(2, 2)));
}

TEST(NetcdfFile, IsReadWithoutAFactorThatIsNone) {
  const TemporaryDirectory directory;
  const Vector entries{{1, std::numeric_limits<double>::quiet_NaN()}};
  NetcdfWriter writer(directory.file("run.nc"), make_schema(vector_names(2), 1), false);
  writer.append(Phase::sampling, 0, make_chain(2, 3, 1).block(0, 3));
  RunFacts facts;
  facts.draws = 3;
  writer.finish(facts, {Learnt{Tuning(Factor::diagonal(entries)), {}}});
  const ReadResult read = read_netcdf(directory.file("run.nc"));
  EXPECT_EQ(read.draws.draws(), 3);
  EXPECT_TRUE(read.draws.learnt.empty());
  EXPECT_EQ(read.warnings,
            std::vector<std::string>{directory.file("run.nc") +
                                     ": what was learnt is left out: 'factor' of the factor holds "
                                     "nan, expected finite numbers"});
}

TEST(NetcdfFile, HasTheTuningFromTheEndOfWarmUpOnAndTheCostsFromTheEndOfTheRunOn) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  const TestChain chain = make_chain(2, 10, 1);
  const Tuning tuning(Factor::dense(Matrix{{2, 0}, {1, 3}}), 0.5);
  NetcdfWriter writer(path, make_schema(vector_names(2), 1), false);
  writer.adapted(0, tuning);
  writer.append(Phase::sampling, 0, chain.block(0, 10));
  writer.flush();
  const Draws going = read_netcdf(path).draws;  // as a kill would leave it
  ASSERT_EQ(going.learnt.size(), 1U);
  EXPECT_EQ(going.learnt[0].tuning.factor().covariance(), tuning.factor().covariance());
  EXPECT_TRUE(going.learnt[0].trace.iteration.empty());

  Learnt learnt{tuning, {}};
  learnt.trace.iteration = {5};
  learnt.trace.step = {0.5};
  learnt.recorded = {{"beta", 2}};
  writer.finish(make_schema(vector_names(2), 1).facts, {learnt});
  const Draws ended = read_netcdf(path).draws;
  ASSERT_EQ(ended.learnt.size(), 1U);
  EXPECT_EQ(ended.learnt[0].trace.iteration, std::vector<Index>{5});
  EXPECT_EQ(ended.learnt[0].number("beta"), 2);
}

TEST(NetcdfFile, HoldsAtAFlushTheRowsThatAllChainsHave) {
  const TemporaryDirectory directory;
  const TestChain first = make_chain(4, 900, 1);
  const TestChain second = make_chain(4, 900, 2);
  NetcdfWriter writer(directory.file("run.nc"), make_schema(vector_names(4), 2), false);
  writer.append(Phase::sampling, 0, first.block(0, 900));
  writer.append(Phase::sampling, 1, second.block(0, 7));
  writer.flush();
  EXPECT_EQ(writer.rows(Phase::sampling), 7);
  ReadResult result = read_netcdf(directory.file("run.nc"));
  EXPECT_EQ(result.draws.draws(), 7);
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_EQ(result.warnings[0],
            directory.file("run.nc") + ": 7 of 1,000 draws; the run was interrupted");
  EXPECT_EQ(result.draws.facts.sampler, "gadmala");
  writer.append(Phase::sampling, 1, second.block(7, 893));
  writer.flush();
  result = read_netcdf(directory.file("run.nc"));
  EXPECT_TRUE(same_draws(result.draws.chains[0], first, 0, 900));
  EXPECT_TRUE(same_draws(result.draws.chains[1], second, 0, 900));
}

TEST(NetcdfFile, IsTheSameWhenReopenedAnywhere) {
  const TemporaryDirectory directory;
  const TestChain chain = make_chain(30, 3000, 5);
  NetcdfSchema schema = make_schema(vector_names(30), 1);
  schema.save_warmup = true;
  {
    NetcdfWriter writer(directory.file("run.nc"), schema, false);
    writer.append(Phase::warmup, 0, chain.block(0, 700));
    writer.append(Phase::sampling, 0, chain.block(0, 2500));
    writer.finish(schema.facts, {Learnt{Tuning(Factor::unit(30)), {}}});
  }
  for (const Index rows : {2500, 2049, 2048, 1024, 1000, 1, 0}) {
    {
      NetcdfWriter writer = NetcdfWriter::reopen(directory.file("run.nc"), 700, rows);
      EXPECT_EQ(writer.rows(Phase::sampling), rows);
      writer.append(Phase::sampling, 0, chain.block(rows, 3000 - rows));
      writer.flush();
      EXPECT_FALSE(read_netcdf(directory.file("run.nc")).warnings.empty());
      writer.finish(schema.facts, {Learnt{Tuning(Factor::unit(30)), {}}});
    }
    const ReadResult result = read_netcdf(directory.file("run.nc"));
    ASSERT_EQ(result.draws.draws(), 3000) << rows;
    EXPECT_TRUE(same_draws(result.draws.chains[0], chain, 0, 3000)) << rows;
    EXPECT_EQ(result.draws.learnt.size(), 1U);
  }
}

TEST(NetcdfFile, RefusesToReopenWithTooFewRows) {
  const TemporaryDirectory directory;
  {
    NetcdfWriter writer(directory.file("run.nc"), make_schema(vector_names(2), 1), false);
    writer.append(Phase::sampling, 0, make_chain(2, 10, 1).block(0, 10));
    writer.flush();
  }
  EXPECT_THROW(NetcdfWriter::reopen(directory.file("run.nc"), 0, 11), UsageError);
  EXPECT_EQ(read_netcdf(directory.file("run.nc")).draws.draws(), 10);
}

TEST(NetcdfFile, IsNotOverwrittenUnasked) {
  const TemporaryDirectory directory;
  std::ofstream(directory.file("run.nc")) << "precious";
  const NetcdfSchema schema = make_schema(vector_names(2), 1);
  EXPECT_THROW(NetcdfWriter(directory.file("run.nc"), schema, false), UsageError);
  std::string word;
  std::ifstream(directory.file("run.nc")) >> word;
  EXPECT_EQ(word, "precious");
  NetcdfWriter writer(directory.file("run.nc"), schema, true);
  writer.append(Phase::sampling, 0, make_chain(2, 10, 1).block(0, 10));
  writer.flush();
  EXPECT_EQ(read_netcdf(directory.file("run.nc")).draws.draws(), 10);
  EXPECT_THROW(NetcdfWriter(directory.file("no/run.nc"), schema, true), UsageError);
  EXPECT_THROW(NetcdfWriter("/dev/null", schema, true), UsageError);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(NetcdfFile, IsWrittenThroughASymbolicLink) {
  const TemporaryDirectory directory;
  std::ofstream(directory.file("real.nc")) << "old";
  std::filesystem::create_symlink(directory.file("real.nc"), directory.file("link.nc"));
  NetcdfWriter writer(directory.file("link.nc"), make_schema(vector_names(2), 1), true);
  writer.append(Phase::sampling, 0, make_chain(2, 10, 1).block(0, 10));
  writer.flush();
  EXPECT_TRUE(std::filesystem::is_symlink(directory.file("link.nc")));
  EXPECT_EQ(read_netcdf(directory.file("real.nc")).draws.draws(), 10);
}

TEST(NetcdfFile, NamesTheFileAndTheTroubleWhereItCannotBeRead) {
  const TemporaryDirectory directory;
  EXPECT_EQ(refusal(directory.file("none.nc")),
            directory.file("none.nc") + ": cannot be opened: No such file or directory");
  std::ofstream(directory.file("text.nc")) << "lp__,accept_stat__\n1,2\n";
  EXPECT_EQ(refusal(directory.file("text.nc")),
            directory.file("text.nc") +
                ": is no NetCDF-4 file; expected draws in the InferenceData layout");
  {
    NetcdfWriter writer(directory.file("run.nc"), make_schema(vector_names(2), 1), false);
    writer.flush();
    EXPECT_EQ(refusal(directory.file("run.nc")), directory.file("run.nc") + ": no draws");
    writer.append(Phase::sampling, 0, make_chain(2, 900, 1).block(0, 900));
  }
  std::filesystem::resize_file(directory.file("run.nc"), 9000);
  EXPECT_NE(refusal(directory.file("run.nc")).find("cut short"), std::string::npos);
  H5Fclose(H5Fcreate(directory.file("empty.nc").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  EXPECT_EQ(
      refusal(directory.file("empty.nc")),
      directory.file("empty.nc") + ": has no group posterior; expected the InferenceData layout");
}

/// Single precision, no statistics but one, no attribute of ours, no order of creation.
TEST(NetcdfFile, ReadsWhatOtherToolsWrite) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("other.nc");
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const auto put = [&](hid_t group, const char* name, std::vector<hsize_t> shape) {
    hsize_t size = 1;
    for (const hsize_t extent : shape) size *= extent;
    std::vector<float> values(size);
    for (std::size_t i = 0; i < size; ++i) values[i] = static_cast<float>(i) / 4;
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t dataset =
        H5Dcreate2(group, name, H5T_NATIVE_FLOAT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(dataset);
    H5Sclose(space);
  };
  const hid_t posterior = H5Gcreate2(file, "posterior", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  put(posterior, "mu", {2, 3});
  put(posterior, "theta", {2, 3, 2});
  H5Gclose(posterior);
  const hid_t statistics = H5Gcreate2(file, "sample_stats", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  put(statistics, "max_energy_error", {2, 3});
  put(statistics, "lp", {2, 3});
  put(statistics, "vector", {2, 3, 2});
  H5Gclose(statistics);
  H5Fclose(file);
  const ReadResult result = read_netcdf(path);
  EXPECT_TRUE(result.warnings.empty());
  EXPECT_EQ(result.draws.names, (std::vector<std::string>{"mu", "theta.1", "theta.2"}));
  ASSERT_EQ(result.draws.chains.size(), 2U);
  const Matrix expected = (Matrix(3, 3) << 0.75, 1.5, 1.75, 1, 2, 2.25, 1.25, 2.5, 2.75).finished();
  EXPECT_EQ(result.draws.chains[1].draws, expected);
  EXPECT_EQ(result.draws.statistic(1, "log_density")[2], 1.25);
  EXPECT_EQ(result.draws.statistic(1, "max_energy_error")[2], 1.25);  // the writer's own
  EXPECT_EQ(result.draws.statistic(1, "energy").size(), 0);
}

TEST(NetcdfFile, DoesNotGrowWithTheNumberOfFlushes) {
  const TemporaryDirectory directory;
  const TestChain chain = make_chain(50, 2000, 3);
  const auto size_with = [&](const std::string& name, Index rows_a_flush) {
    NetcdfWriter writer(directory.file(name), make_schema(vector_names(50), 1), false);
    for (Index first = 0; first < 2000; first += rows_a_flush) {
      writer.append(Phase::sampling, 0, chain.block(first, rows_a_flush));
      writer.flush();
    }
    writer.finish({}, {});
    return std::filesystem::file_size(directory.file(name));
  };
  const auto once = size_with("once.nc", 2000);
  const auto often = size_with("often.nc", 4);
  EXPECT_LT(static_cast<double>(often), 1.5 * static_cast<double>(once));
  EXPECT_TRUE(same_draws(read_netcdf(directory.file("often.nc")).draws.chains[0], chain, 0, 2000));
}

}  // namespace
}  // namespace gadwall::files
