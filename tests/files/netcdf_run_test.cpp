// When the file of a run appears.
#include "files/netcdf_run.hpp"

#include <gtest/gtest.h>

#include "files/netcdf_disk.hpp"
#include "files/netcdf_testing.hpp"

namespace gadwall::files {
namespace {

constexpr Index kDim = 3, kRows = 100;

int writes = 0;

int count_writes() {
  ++writes;
  return 0;
}

ChainBlock some_rows() {
  const TestChain chain = make_chain(kDim, kRows, 1);
  ChainBlock block;
  block.count = kRows;
  block.values = Eigen::Map<const Matrix>(chain.values.data(), kDim, kRows);
  block.statistics = Eigen::Map<const Matrix>(chain.statistics.data(), chain.width, kRows);
  return block;
}

TEST(NetcdfRun, WritesAShortRunInOneGo) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  NetcdfRun run(path, make_schema(vector_names(kDim), 1), false);
  run.append(some_rows());
  run.append(some_rows());
  EXPECT_FALSE(std::filesystem::exists(path));
  writes = 0;
  disk_fault = count_writes;
  run.flush();
  disk_fault = nullptr;
  // The file, its bytes, their way to the disk; its name, the end of its first one, their way
  // there.
  EXPECT_LE(writes, 6);
  EXPECT_EQ(read_netcdf(path).draws.draws(), 2 * kRows);
}

TEST(NetcdfRun, KeepsWhatItHadWhereTheRunFails) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  {
    NetcdfRun run(path, make_schema(vector_names(kDim), 1), false);
    run.append(some_rows());
  }
  EXPECT_EQ(read_netcdf(path).draws.draws(), kRows);
}

TEST(NetcdfRun, MakesNoFileWithoutARow) {
  const TemporaryDirectory directory;
  {
    NetcdfRun run(directory.file("run.nc"), make_schema(vector_names(kDim), 1), false);
    run.flush();
    run.finish({});
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory.file("")));
}

}  // namespace
}  // namespace gadwall::files
