// Files with thousands of names, and with names of any length.
#include <gtest/gtest.h>

#include <filesystem>

#include "files/netcdf_testing.hpp"

namespace gadwall::files {
namespace {

std::vector<std::string> column_names(Index count) {
  std::vector<std::string> names;
  for (Index j = 0; j < count; ++j) names.push_back("column " + std::to_string(j));
  return names;
}

std::uintmax_t size_of_wide_file(const std::string& path, Index count) {
  NetcdfWriter writer(path, make_schema(column_names(count), 2), true);
  const TestChain chain = make_chain(count, 2, 1);
  for (Index c = 0; c < 2; ++c) writer.append(Phase::sampling, c, chain.block(0, 2));
  writer.finish({}, {});
  const Draws draws = read_netcdf(path).draws;
  EXPECT_EQ(draws.names, column_names(count));
  EXPECT_TRUE(same_draws(draws.chains[1], chain, 0, 2));
  return std::filesystem::file_size(path);
}

TEST(WideNetcdfFile, OfManyNamesGrowsWithTheirNumber) {
  const TemporaryDirectory directory;
  const auto small = size_of_wide_file(directory.file("run.nc"), 2000);
  const auto large = size_of_wide_file(directory.file("run.nc"), 20000);
  EXPECT_LT(large, 11 * small);
  EXPECT_LT(large, 4'000'000U);
}

TEST(WideNetcdfFile, OfManyNamesGoesOn) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  const TestChain chain = make_chain(400, 30, 1);
  {
    NetcdfWriter writer(path, make_schema(column_names(400), 1), true);
    writer.append(Phase::sampling, 0, chain.block(0, 20));
    writer.flush();
  }
  NetcdfWriter writer = NetcdfWriter::reopen(path, 0, 15);
  writer.append(Phase::sampling, 0, chain.block(15, 15));
  writer.finish({}, {});
  const Draws draws = read_netcdf(path).draws;
  EXPECT_EQ(draws.names, column_names(400));
  EXPECT_TRUE(same_draws(draws.chains[0], chain, 0, 30));
}

TEST(WideNetcdfFile, KeepsNamesOfAnyLength) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  const std::vector<std::string> names = {std::string(256, 'a'), std::string(100'000, 'b'), "c"};
  NetcdfWriter writer(path, make_schema(names, 1), true);
  const TestChain chain = make_chain(3, 2, 1);
  writer.append(Phase::sampling, 0, chain.block(0, 2));
  writer.finish({}, {});
  EXPECT_EQ(read_netcdf(path).draws.names, names);
}

}  // namespace
}  // namespace gadwall::files
