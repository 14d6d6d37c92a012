// Reading whole files, plain and gzip, and the ways that fails.
#include "files/text_file.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "files/atomic_file.hpp"
#include "gadwall/error.hpp"
#include "message_of.hpp"

namespace gadwall::files {
namespace {

class TextFile : public testing::Test {
 protected:
  TextFile() {
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) / (std::string("gadwall_") + test->name());
    std::filesystem::create_directories(folder_);
  }
  ~TextFile() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

  std::string gzip(const std::string& text) const {
    const std::string name = path("made.gz");
    gzFile file = gzopen(name.c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    std::ifstream in(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::filesystem::path folder_;
};

std::string refusal(const std::string& path) {
  return testing::message_of([&] { read_text_file(path); });
}

std::string many_lines() {
  std::string text;
  for (int i = 0; i < 50000; ++i) text += std::to_string(i % 1000 * i) + "\n";
  return text;
}

TEST_F(TextFile, ThatCannotBeReadToItsEndIsNoShortFile) {
  EXPECT_THROW(read_whole_file(path("")),
               RunError);  // a directory: it opens, and nothing can be read
}

TEST_F(TextFile, ReadsPlainTextByteForByte) {
  const std::string text = "a,b\r\n1,\t2\n" + std::string(3, '\0') + many_lines();
  EXPECT_EQ(read_text_file(write("plain.csv", text)), text);
}

TEST_F(TextFile, ReadsGzipWhateverItsName) {
  const std::string text = many_lines();
  EXPECT_EQ(read_text_file(write("data.csv", gzip(text))), text);
}

TEST_F(TextFile, ReadsConcatenatedGzipMembers) {
  EXPECT_EQ(read_text_file(write("two.gz", gzip("one\n") + gzip("two\n"))), "one\ntwo\n");
}

TEST_F(TextFile, AnEmptyFileIsEmptyText) {
  EXPECT_EQ(read_text_file(write("empty", "")), "");
}

TEST_F(TextFile, AMissingFileIsNamed) {
  EXPECT_EQ(refusal(path("none.csv")),
            "cannot open '" + path("none.csv") + "': No such file or directory");
}

TEST_F(TextFile, ADirectoryIsRefused) {
  EXPECT_EQ(refusal(folder_.string()),
            "'" + folder_.string() + "' is a directory, expected a file");
}

TEST_F(TextFile, AFileThatCannotBeReadIsRefused) {
  const std::string unreadable = "/proc/self/mem";  // opens, but address 0 cannot be read
  EXPECT_EQ(refusal(unreadable).rfind("cannot read '/proc/self/mem': ", 0), 0U);
}

TEST_F(TextFile, GzipCutAnywhereIsRefused) {
  const std::string whole = gzip("a,b\n1,2\n3,4\n");
  for (std::size_t size = 2; size < whole.size(); ++size) {
    const std::string cut = write("cut.gz", whole.substr(0, size));
    EXPECT_EQ(refusal(cut), "cannot read '" + cut + "': the gzip data is cut short") << size;
  }
}

TEST_F(TextFile, DamagedGzipIsRefused) {
  std::string bytes = gzip(many_lines());
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
  const std::string damaged = write("damaged.gz", bytes);
  EXPECT_EQ(refusal(damaged).rfind("cannot read '" + damaged + "': damaged gzip data (", 0), 0U)
      << refusal(damaged);
}

}  // namespace
}  // namespace gadwall::files
