// IDX files: what is read, and what is refused with file, offset, value seen and wanted.
#include "files/idx_file.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <fstream>

#include "gadwall/error.hpp"
#include "message_of.hpp"

namespace gadwall::files {
namespace {

using namespace std::string_literals;

const std::string kTwoImages =
    "\0\0\x08\x03\0\0\0\x02\0\0\0\x01\0\0\0\x03"s + "\x01\x02\x03\x04\x05\xff"s;

std::string refusal(const std::string& content, std::size_t axes) {
  return testing::message_of([&] { parse_idx(content, "images", axes); });
}

TEST(IdxFile, GivesShapeAndBytes) {
  const IdxBytes images = parse_idx(kTwoImages, "images", 3);
  EXPECT_EQ(images.shape, (std::vector<std::size_t>{2, 1, 3}));
  EXPECT_EQ(images[0], 1);
  EXPECT_EQ(images[5], 255);
}

TEST(IdxFile, IsReadPlainAndCompressed) {
  const std::string plain = ::testing::TempDir() + "/idx-plain";
  const std::string packed = ::testing::TempDir() + "/idx-packed.gz";
  std::ofstream(plain, std::ios::binary) << kTwoImages;
  gzFile file = gzopen(packed.c_str(), "wb");
  gzwrite(file, kTwoImages.data(), static_cast<unsigned>(kTwoImages.size()));
  gzclose(file);
  for (const std::string& path : {plain, packed}) {
    EXPECT_EQ(read_idx(path, 3).bytes, "\x01\x02\x03\x04\x05\xff") << path;
  }
}

TEST(IdxFile, OfAnotherKindIsRefusedWithWhatIsThere) {
  EXPECT_EQ(refusal(kTwoImages, 1),
            "images: offset 0 holds 0x00000803, expected 0x00000801 (IDX: unsigned bytes, 1 axis)");
  EXPECT_EQ(refusal("x1,x2\n1,2\n", 3),
            "images: offset 0 holds 0x78312c78, expected 0x00000803 (IDX: unsigned bytes, 3 axes)");
}

TEST(IdxFile, CutShortIsRefusedWithTheOffset) {
  EXPECT_EQ(refusal("\0\0"s, 3),
            "images: the file ends at offset 2, expected 4 bytes with the magic number");
  EXPECT_EQ(refusal(kTwoImages.substr(0, 10), 3),
            "images: the file ends at offset 10, expected 16 bytes with the lengths of the axes");
  EXPECT_EQ(refusal(kTwoImages.substr(0, 21), 3),
            "images: the file ends at offset 21, expected 22 bytes with the values");
}

TEST(IdxFile, WithMoreThanItSaysIsRefused) {
  EXPECT_EQ(refusal(kTwoImages + "x", 3),
            "images: the values end at offset 22, but the file goes on to 23");
}

TEST(IdxFile, WithLengthsThatOverflowIsRefused) {
  std::string content = kTwoImages;
  content[4] = content[8] = content[12] = '\xff';
  EXPECT_EQ(refusal(content, 3),
            "images: offset 4 holds the length 4278190082, more values than the 22 bytes of the "
            "file");
}

TEST(IdxFile, RefusesAxesWithoutLength) {
  const std::string header("\0\0\x08\x03\0\0\0\0\0\0\xEA\x60\0\0\xEA\x60", 16);
  try {
    parse_idx(header, "images", 3);
    FAIL() << "taken";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "images: offset 4 holds the length 0, expected at least 1");
  }
}

}  // namespace
}  // namespace gadwall::files
