// Files that are being made: no link is followed, nobody's file is overwritten, left-overs go.
#include "files/unfinished_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "files/atomic_file.hpp"
#include "files/netcdf_testing.hpp"

namespace gadwall::files {
namespace {

std::size_t count_files(const std::string& directory) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(directory),
                                                std::filesystem::directory_iterator()));
}

TEST(UnfinishedFile, HasANameThatCannotBeGuessedAndIsItsOwn) {
  const TemporaryDirectory directory;
  const UnfinishedFile one(directory.file("run.nc"));
  const UnfinishedFile other(directory.file("run.nc"));
  ASSERT_TRUE(one.exists() && other.exists());
  EXPECT_NE(one.path(), other.path());
  EXPECT_TRUE(one.path().starts_with(directory.file("run.nc.")) && one.path().ends_with(".new"));
  EXPECT_FALSE(UnfinishedFile(directory.file("missing/run.nc")).exists());
}

TEST(UnfinishedFile, LeavesWhatALinkOfItsOldNamePointsTo) {
  const TemporaryDirectory directory;
  std::ofstream(directory.file("precious")) << "mine";
  std::filesystem::create_symlink(directory.file("precious"), directory.file("page.html.new"));
  replace_file(directory.file("page.html"), "a page");
  EXPECT_EQ(read_whole_file(directory.file("precious")), "mine");
  EXPECT_EQ(read_whole_file(directory.file("page.html")), "a page");
}

TEST(UnfinishedFile, IsRemovedOnlyWhenItsMakerIsGone) {
  const TemporaryDirectory directory;
  const UnfinishedFile in_work(directory.file("run.nc"));
  { const UnfinishedFile left(directory.file("run.nc")); }
  std::ofstream(directory.file("run.nc.4711.new")) << "of an earlier version";
  for (const char* other :
       {"run.nc", "run.nc.new", "run.nc.xyz.new", "other.nc.4711.new", "run.nc.4711.old"}) {
    std::ofstream(directory.file(other)) << "not ours";
  }
  std::filesystem::create_symlink("run.nc", directory.file("run.nc.4712.new"));
  ASSERT_EQ(count_files(directory.file("")), 9U);
  remove_left_over({directory.file("run.nc"), directory.file("run.checkpoint")});
  EXPECT_EQ(count_files(directory.file("")), 7U);
  EXPECT_TRUE(std::filesystem::exists(in_work.path()));
  EXPECT_FALSE(std::filesystem::exists(directory.file("run.nc.4711.new")));
}

TEST(AtomicFile, WritesLargeAndSmallPiecesInOrderAndLeavesNothingElse) {
  const TemporaryDirectory directory;
  const std::string large(3 << 20, 'x');
  {
    AtomicFile file(directory.file("text"));
    file.write("begin ");
    file.write(large);
    file.write(" end");
    file.commit();
  }
  { AtomicFile(directory.file("text")).write("never committed"); }
  EXPECT_EQ(read_whole_file(directory.file("text")), "begin " + large + " end");
  EXPECT_EQ(count_files(directory.file("")), 1U);
}

}  // namespace
}  // namespace gadwall::files
