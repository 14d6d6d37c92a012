// Whether a file can be written at a place, told before the work.
#include "files/file_place.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "message_of.hpp"

namespace gadwall::files {
namespace {

namespace fs = std::filesystem;

std::string refusal(const std::string& path, bool overwrite = false) {
  return testing::message_of([&] { check_place(path, overwrite); });
}

class FilePlace : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(directory_); }
  void TearDown() override { fs::remove_all(directory_); }

  fs::path directory_ =
      fs::path(::testing::TempDir()) /
      ::testing::UnitTest::GetInstance()->current_test_info()->name();  // tests run side by side
};

TEST_F(FilePlace, IsFreeWhereNothingIs) {
  EXPECT_EQ(refusal(directory_ / "new"), "");
  EXPECT_FALSE(is_taken(directory_ / "new"));
}

TEST_F(FilePlace, IsTakenByAFileUnlessItMayGo) {
  const std::string file = directory_ / "old";
  std::ofstream(file) << "text";
  EXPECT_EQ(refusal(file), file + ": the file exists; `force` overwrites it");
  EXPECT_EQ(refusal(file, true), "");
}

TEST_F(FilePlace, IsTakenByALinkToNowhere) {
  const std::string link = directory_ / "link";
  fs::create_symlink("nowhere", link);
  EXPECT_TRUE(is_taken(link));
  EXPECT_NE(refusal(link), "");
}

TEST_F(FilePlace, NeedsADirectoryAndIsNone) {
  const std::string directory = directory_;
  EXPECT_EQ(refusal(directory + "/a/b"),
            directory + "/a/b: there is no directory '" + directory + "/a'");
  EXPECT_EQ(refusal(directory, true), directory + ": is a directory, expected a file");
}

}  // namespace
}  // namespace gadwall::files
