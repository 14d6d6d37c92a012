// Checkpoints as files: whole, damaged, of another layout, made to harm.
#include "files/checkpoint.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "files/atomic_file.hpp"
#include "files/netcdf_testing.hpp"
#include "files/run_files.hpp"
#include "gadwall/archive.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

const std::string kState("state\0with a zero", 17);

class CheckpointFile : public ::testing::Test {
 protected:
  void save(Index draws) const {
    Checkpoint checkpoint;
    checkpoint.arguments = {"sample", "neal100"};
    checkpoint.build = "this";
    checkpoint.directory = "..";
    checkpoint.rows = {0, draws};
    write_checkpoint(run, checkpoint, [](const auto& take) {
      take(kState.substr(0, 3));
      take(kState.substr(3));
    });
  }
  std::string bytes() const { return read_whole_file(checkpoint_path(run)); }
  void set_bytes(const std::string& text) const {
    std::ofstream(checkpoint_path(run), std::ios::binary) << text;
  }
  /// With a right checksum around it.
  void set_parts(const std::string& header, const std::string& state) const {
    const std::string body = fmt::format("{:08x}\n", header.size()) + header + state;
    const auto sum = ::crc32_z(0, reinterpret_cast<const Bytef*>(body.data()), body.size());
    set_bytes("gadwall checkpoint 4\n" + body + fmt::format("{:08x}\n", sum));
  }
  std::string message() const {
    try {
      read_checkpoint(run);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "none";
  }

  TemporaryDirectory directory;
  std::string run = directory.file("run");
};

TEST_F(CheckpointFile, ComesBackAsItWas) {
  save(7);
  const CheckpointFound found = read_checkpoint(run);
  EXPECT_EQ(found.warning, "");
  EXPECT_EQ(found.checkpoint.state, kState);
  EXPECT_EQ(found.checkpoint.rows.draws, 7);
  EXPECT_EQ(found.checkpoint.directory, "..");
  EXPECT_EQ(found.checkpoint.arguments, (std::vector<std::string>{"sample", "neal100"}));
  const auto header = checkpoint_header(run);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->rows.draws, 7);
  EXPECT_EQ(header->state, "");
}

TEST_F(CheckpointFile, OfAnotherBuildIsTakenUpAndToldOf) {
  save(7);
  const StoppedRun stopped = take_up(run);
  ASSERT_EQ(stopped.warnings.size(), 1u);
  EXPECT_TRUE(stopped.warnings[0].starts_with("the run was begun by another build (this): "));
}

TEST_F(CheckpointFile, DamagedInAnyByteGivesWayToTheOneBefore) {
  save(7);
  save(8);
  const std::string good = bytes();
  const std::string old = read_whole_file(checkpoint_path(run) + ".old");
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] ^= 0x10;
    set_bytes(bad);
    std::ofstream(checkpoint_path(run) + ".old", std::ios::binary) << old;
    if (at == std::string("gadwall checkpoint ").size()) continue;  // another layout's number
    EXPECT_EQ(read_checkpoint(run).checkpoint.rows.draws, 7) << at;
  }
  for (std::size_t length = 0; length < good.size(); ++length) {
    set_bytes(good.substr(0, length));
    std::ofstream(checkpoint_path(run) + ".old", std::ios::binary) << old;
    EXPECT_EQ(read_checkpoint(run).checkpoint.rows.draws, 7) << length;
  }
}

TEST_F(CheckpointFile, OfAnotherLayoutIsNotDamaged) {
  save(7);
  save(8);
  set_bytes("gadwall checkpoint 5\nwhatever");
  EXPECT_EQ(message(), checkpoint_path(run) +
                           ": was written by a newer gadwall (layout 5), expected layout 4");
  set_bytes("gadwall checkpoint 2\nwhatever");
  EXPECT_EQ(message(), checkpoint_path(run) +
                           ": was written by an older gadwall (layout 2), expected layout 4");
}

TEST_F(CheckpointFile, WithARightChecksumAndAWrongContentIsDamaged) {
  const std::string deep(1'000'000, '\x81');  // arrays of one, one in the other
  using Json = nlohmann::json;
  const auto cbor = [](const Json& json) {
    std::string text;
    Json::to_cbor(json, text);
    return text;
  };
  for (const std::string& header :
       {deep, std::string(), cbor({{"arguments", 5}}), cbor(Json::array()),
        cbor({{"arguments", Json::array()},
              {"fingerprints", Json::object()},
              {"build", ""},
              {"stopped by", ""},
              {"warm-up rows", -1},
              {"draws", 1e30}})}) {
    set_parts(header, "state");
    EXPECT_EQ(message(), checkpoint_path(run) + ": damaged, and there is no good one before it");
  }
}

TEST(ArchiveOfAnything, IsAnErrorAndNoCrash) {
  for (const std::string& bytes : {std::string(1'000'000, '\x81'), std::string(1'000'000, '\xBF'),
                                   std::string("\xBF"), std::string("\xFF"), std::string()}) {
    EXPECT_THROW(Archive archive(bytes), RunError);
  }
}

}  // namespace
}  // namespace gadwall::files
