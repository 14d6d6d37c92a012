// Files that HDF5 crashes over: refused with a message, in a process that goes on.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

#include "files/netcdf_file.hpp"
#include "files/netcdf_stream.hpp"
#include "files/netcdf_testing.hpp"
#include "gadwall/error.hpp"
#include "message_of.hpp"
#include "run/run_testing.hpp"

namespace gadwall::files {
namespace {

const std::string kCrash = ": cannot be read: it is damaged, HDF5 crashed over it";

std::string read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

void make_run(const std::string& path, const std::vector<std::string>& names) {
  const auto dim = static_cast<Index>(names.size());
  NetcdfWriter writer(path, make_schema(names, 1), true);
  const TestChain chain = make_chain(dim, 10, 1);
  writer.append(Phase::sampling, 0, chain.block(0, 10));
  writer.finish({}, {});
}

/// Some draws of one value, and a text of any length, which HDF5 keeps in a heap of the file. In
/// the first of HDF5's formats, which has no checksums.
void make_old_file(const std::string& path, const std::string& text) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t group = H5Gcreate2(file, "posterior", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t shape[] = {1, 4};
  const hid_t draws = H5Screate_simple(2, shape, nullptr);
  const hid_t dataset =
      H5Dcreate2(group, "x", H5T_NATIVE_DOUBLE, draws, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const double values[] = {1, 2, 3, 4};
  EXPECT_GE(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  const hid_t scalar = H5Screate(H5S_SCALAR);
  const hid_t attribute = H5Acreate2(file, "target", type, scalar, H5P_DEFAULT, H5P_DEFAULT);
  const char* const written = text.c_str();
  EXPECT_GE(H5Awrite(attribute, type, static_cast<const void*>(&written)), 0);
  for (const hid_t id : {attribute, scalar, type, dataset, draws, group, file}) H5Idec_ref(id);
}

/// Where the file refers to a text: its length (4 bytes), the place of its heap (8), its number in
/// the heap (4).
std::size_t reference_to(const std::string& bytes, const std::string& text) {
  const std::size_t in_heap = bytes.find(text);
  const std::size_t heap = bytes.rfind("GCOL", in_heap);
  std::string wanted(12, '\0');
  const auto length = static_cast<std::uint32_t>(text.size());
  const auto place = static_cast<std::uint64_t>(heap);
  std::memcpy(wanted.data(), &length, sizeof length);
  std::memcpy(wanted.data() + sizeof length, &place, sizeof place);
  return bytes.find(wanted);
}

/// The text has a number that its heap does not know.
void break_reference(const std::string& path, const std::string& text) {
  std::string bytes = read_bytes(path);
  std::size_t at = reference_to(bytes, text);
  if (at == std::string::npos) at = reference_to(bytes, text + '\0');  // its end counts
  ASSERT_NE(at, std::string::npos);
  const std::uint32_t number = 1U << 28;
  std::memcpy(bytes.data() + at + 12, &number, sizeof number);
  write_bytes(path, bytes);
}

std::string refusal(const std::string& path) {
  return testing::message_of<UsageError>([&] { read_netcdf(path); });
}

TEST(CraftedNetcdf, WithATextThatIsNotInItsHeapIsRefused) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  make_old_file(path, "a target of any length");
  EXPECT_EQ(read_netcdf(path).draws.facts.target, "a target of any length");
  break_reference(path, "a target of any length");
  EXPECT_TRUE(refusal(path).starts_with(path + kCrash)) << refusal(path);
  EXPECT_THROW(NetcdfStream{path}, UsageError);
}

TEST(CraftedNetcdf, WithANameThatIsNotInItsHeapIsRefused) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  std::vector<std::string> names;
  for (int i = 0; i < 300; ++i) names.push_back("column " + std::to_string(1000 + i));
  make_run(path, names);
  EXPECT_EQ(read_netcdf(path).draws.names, names);
  NetcdfWriter::reopen(path, 0, 10).flush();
  break_reference(path, "column 1000");
  const std::string bytes = read_bytes(path);
  EXPECT_TRUE(refusal(path).starts_with(path + kCrash)) << refusal(path);
  EXPECT_THROW(NetcdfStream{path}, UsageError);
  EXPECT_THROW(NetcdfWriter::reopen(path, 0, 10), UsageError);
  EXPECT_TRUE(read_bytes(path) == bytes);
}

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string result(size, '\0');
  compress(reinterpret_cast<Bytef*>(result.data()), &size,
           reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  result.resize(size);
  return result;
}

/// HDF5 1.10 does not ask how much came out of a deflated chunk.
TEST(CraftedNetcdf, WithAChunkThatIsShorterThanItsShapeIsRefused) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  const hsize_t shape[] = {1, 10'000'000};
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t group = H5Gcreate2(file, "posterior", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(properties, 2, shape);
  H5Pset_deflate(properties, 1);
  const hid_t space = H5Screate_simple(2, shape, nullptr);
  const hid_t dataset =
      H5Dcreate2(group, "x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  std::mt19937 random(1);
  std::string content(100'000, '\0');
  for (char& byte : content) byte = static_cast<char>(random());
  const std::string chunk = deflated(content);
  const hsize_t origin[] = {0, 0};
  EXPECT_GE(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, origin, chunk.size(), chunk.data()), 0);
  for (const hid_t id : {dataset, space, properties, group, file}) H5Idec_ref(id);
  EXPECT_TRUE(refusal(path).starts_with(path + kCrash)) << refusal(path);
}

/// A statistic with several numbers per draw where one is expected.
TEST(CraftedNetcdf, WithAStatisticThatIsAnArrayIsReadWithoutIt) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  make_run(path, {"a", "b"});
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, "sample_stats/lp", H5P_DEFAULT);
  const hsize_t shape[] = {1, 10, 5000};
  const hid_t space = H5Screate_simple(3, shape, nullptr);
  const hid_t dataset = H5Dcreate2(file, "sample_stats/lp", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT,
                                   H5P_DEFAULT, H5P_DEFAULT);
  const std::vector<double> values(50'000, 7);
  H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  for (const hid_t id : {dataset, space, file}) H5Idec_ref(id);
  const Draws draws = read_netcdf(path).draws;
  EXPECT_EQ(draws.draws(), 10);
  EXPECT_EQ(find_statistic(draws.statistics, "log_density"), -1);
  EXPECT_GE(find_statistic(draws.statistics, "accept"), 0);
}

/// Warm-up with more values than the draws have room for.
TEST(CraftedNetcdf, WithOtherValuesInWarmupIsNotStreamed) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  NetcdfSchema schema = make_schema({"a", "b"}, 1);
  schema.save_warmup = true;
  {
    NetcdfWriter writer(path, schema, true);
    const TestChain chain = make_chain(2, 10, 1);
    writer.append(Phase::warmup, 0, chain.block(0, 5));
    writer.append(Phase::sampling, 0, chain.block(5, 5));
    writer.finish({}, {});
  }
  EXPECT_EQ(NetcdfStream(path).rows(Phase::warmup), 5);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hsize_t shape[] = {1, 5, 4000};
  const hid_t space = H5Screate_simple(3, shape, nullptr);
  const hid_t dataset = H5Dcreate2(file, "warmup_posterior/more", H5T_NATIVE_DOUBLE, space,
                                   H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const std::vector<double> values(20'000, 7);
  H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  for (const hid_t id : {dataset, space, file}) H5Idec_ref(id);
  EXPECT_EQ(testing::message_of<UsageError>([&] { NetcdfStream{path}; }),
            path + ": warm-up has other values than the draws");
}

}  // namespace
}  // namespace gadwall::files
