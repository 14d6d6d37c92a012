// Files that are damaged or made to harm: refused with a message, never with a crash, and never
// written to by those who only read.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>

#include "files/netcdf_disk.hpp"
#include "files/netcdf_journal.hpp"
#include "files/netcdf_testing.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

constexpr Index kChains = 2;
constexpr Index kDim = 3;

std::string read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

void append(NetcdfWriter& writer, Index first, Index count) {
  for (Index c = 0; c < kChains; ++c) {
    const TestChain chain = make_chain(kDim, first + count, static_cast<unsigned>(c));
    writer.append(Phase::sampling, c, chain.block(first, count));
  }
}

void make_run(const std::string& path, Index rows = 20) {
  NetcdfWriter writer(path, make_schema({"a", "b", "c"}, kChains), true);
  writer.adapted(0, Tuning(Factor::diagonal(Vector::Ones(kDim))));
  append(writer, 0, rows);
  writer.finish({}, {Learnt{Tuning(Factor::diagonal(Vector::Ones(kDim))), {}}});
}

/// How a process of its own ends that does the work and then leaves as programs do: HDF5 closes
/// what is open only then.
int status_of(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      work();
    } catch (const UsageError&) {
    } catch (const RunError&) {
    } catch (...) {
      ::_exit(3);  // an error that nobody explains
    }
    std::exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(NetcdfDamage, OfAnyByteIsAnErrorOrHarmlessWhenTheRunGoesOn) {
  const TemporaryDirectory directory;
  make_run(directory.file("good.nc"));
  const std::string good = read_bytes(directory.file("good.nc"));
  const std::string path = directory.file("run.nc");
  std::mt19937 random(1);
  int crashes = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::string bad = good;
    for (int flips = 1 + trial % 3; flips > 0; --flips) {
      bad[random() % bad.size()] ^= static_cast<char>(1U << random() % 8);
    }
    write_bytes(path, bad);
    const int status = status_of([&] {
      NetcdfWriter writer = NetcdfWriter::reopen(path, 0, 15);
      append(writer, 15, 5);
      writer.adapted(0, Tuning(Factor::diagonal(Vector::Ones(kDim))));
      writer.finish({}, {Learnt{Tuning(Factor::diagonal(Vector::Ones(kDim))), {}}});
    });
    if (status != 0) {
      ++crashes;
      write_bytes(::testing::TempDir() + "/crash_" + std::to_string(trial) + ".nc", bad);
    }
    write_bytes(path, bad);
    EXPECT_EQ(status_of([&] { read_netcdf(path); }), 0) << trial;
    EXPECT_EQ(read_bytes(path), bad);
  }
  EXPECT_EQ(crashes, 0);
}

/// The heap of texts whose free rest claims no length: HDF5 would never come to its end.
TEST(NetcdfDamage, OfAHeapOfTextsIsAnError) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  std::vector<std::string> names;
  for (int i = 0; i < 300; ++i) names.push_back("column " + std::to_string(i));
  {
    NetcdfWriter writer(path, make_schema(names, 1), true);
    const TestChain chain = make_chain(300, 2, 1);
    writer.append(Phase::sampling, 0, chain.block(0, 2));
    writer.finish({}, {});
  }
  std::string bytes = read_bytes(path);
  const std::size_t heap = bytes.find("GCOL");
  ASSERT_NE(heap, std::string::npos);
  constexpr std::size_t kHeader = 16;
  bytes.replace(heap + kHeader, 2, 2, '\0');      // the first object is free,
  bytes.replace(heap + kHeader + 8, 8, 8, '\0');  // and of no length
  write_bytes(path, bytes);
  const int status = status_of([&] {
    ::alarm(20);
    read_netcdf(path);
    ::_exit(4);  // it must not be read
  });
  EXPECT_EQ(status, 0);
}

int steps = 0;
int last_step = 0;
int die_at_last_step() {
  if (++steps == last_step) ::kill(::getpid(), SIGKILL);
  return 0;
}

/// A run killed while its journal was applied: half of the pages are in the file.
void leave_journal(const std::string& path) {
  for (last_step = 1; last_step < 200; ++last_step) {
    std::filesystem::remove(path);
    std::filesystem::remove(JournaledFile::journal_path(path));
    const int status = status_of([&] {
      NetcdfWriter writer(path, make_schema({"a", "b", "c"}, kChains), true);
      append(writer, 0, 10);
      writer.flush();
      append(writer, 10, 10);
      steps = 0;
      disk_fault = die_at_last_step;
      writer.flush();
    });
    if (WIFSIGNALED(status) && std::filesystem::exists(JournaledFile::journal_path(path))) {
      const std::string bytes = read_bytes(path);
      if (read_netcdf(path).draws.draws() == 20 && bytes == read_bytes(path)) return;
    }
  }
  FAIL() << "no step left a journal";
}

TEST(NetcdfReaders, ReadTheJournalOfAKilledRunAndWriteNothing) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  leave_journal(path);
  const std::string journal = JournaledFile::journal_path(path);
  const std::string file_before = read_bytes(path);
  const std::string journal_before = read_bytes(journal);
  EXPECT_EQ(read_netcdf(path).draws.draws(), 20);
  EXPECT_EQ(read_bytes(path), file_before);
  EXPECT_EQ(read_bytes(journal), journal_before);
  NetcdfWriter::reopen(path, 0, 20).flush();  // who writes applies it
  EXPECT_FALSE(std::filesystem::exists(journal));
  EXPECT_EQ(read_netcdf(path).draws.draws(), 20);
}

TEST(NetcdfReaders, WaitForNoPipeAndFollowNoLink) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  make_run(path);
  const std::string journal = JournaledFile::journal_path(path);
  ASSERT_EQ(::mkfifo(journal.c_str(), 0600), 0);
  EXPECT_THROW(read_netcdf(path), UsageError);
  EXPECT_THROW(NetcdfWriter::reopen(path, 0, 10), UsageError);
  std::filesystem::remove(journal);
  write_bytes(directory.file("elsewhere"), "not ours");
  std::filesystem::create_symlink(directory.file("elsewhere"), journal);
  EXPECT_THROW(read_netcdf(path), UsageError);
  EXPECT_EQ(read_bytes(directory.file("elsewhere")), "not ours");
  std::filesystem::remove(journal);
  ASSERT_EQ(::mkfifo(directory.file("pipe.nc").c_str(), 0600), 0);
  EXPECT_THROW(read_netcdf(directory.file("pipe.nc")), UsageError);
}

TEST(NetcdfReaders, IgnoreAJournalThatReachesBeyondTheFile) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  leave_journal(path);
  const std::string journal = JournaledFile::journal_path(path);
  std::string bytes = read_bytes(journal);
  bytes[14] = '\x01';  // of the size: now 2^48 and more
  write_bytes(journal, bytes);
  EXPECT_EQ(status_of([&] { read_netcdf(path); }), 0);
  EXPECT_LT(std::filesystem::file_size(path), 1U << 20);
}

TEST(NetcdfWriters, NoticeThatTheirFileIsGone) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  NetcdfWriter writer(path, make_schema({"a", "b", "c"}, kChains), true);
  append(writer, 0, 10);
  writer.flush();
  std::filesystem::rename(path, directory.file("moved.nc"));
  append(writer, 10, 10);
  EXPECT_THROW(writer.flush(), RunError);
  make_run(path);  // another file of the name
  EXPECT_THROW(writer.flush(), RunError);
}

/// A file with one variable of a shape that HDF5 allows and nobody can hold.
void make_claim(const std::string& path, std::vector<hsize_t> shape) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t group = H5Gcreate2(file, "posterior", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const std::vector<hsize_t> chunk(shape.size(), 1);
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t dataset =
      H5Dcreate2(group, "x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  for (const hid_t id : {dataset, space, properties, group, file}) H5Idec_ref(id);
}

TEST(NetcdfReaders, RefuseShapesThatCannotBeInTheFile) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  constexpr hsize_t large = hsize_t{1} << 32;
  for (const std::vector<hsize_t>& shape : {std::vector<hsize_t>{large, large},
                                            {2, 10, large, large},
                                            {2, large},
                                            {large, 10, 3},
                                            {2, 0, large, large},
                                            {2, 10, 0},
                                            {large, large, 0}}) {
    make_claim(path, shape);
    EXPECT_THROW(read_netcdf(path), UsageError) << shape.size() << ' ' << shape[0];
  }
}

TEST(NetcdfReaders, ReadNoOtherFile) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  const std::string other = directory.file("other.nc");
  make_run(other);
  hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external(other.c_str(), "/posterior", file, "posterior", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  EXPECT_THROW(read_netcdf(path), UsageError);

  write_bytes(directory.file("raw"), std::string(2 * 10 * sizeof(double), 'x'));
  file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t group = H5Gcreate2(file, "posterior", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(properties, directory.file("raw").c_str(), 0, H5F_UNLIMITED);
  const std::vector<hsize_t> shape = {2, 10};
  const hid_t space = H5Screate_simple(2, shape.data(), nullptr);
  const hid_t dataset =
      H5Dcreate2(group, "x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  EXPECT_GE(dataset, 0);
  for (const hid_t id : {dataset, space, properties, group, file}) H5Idec_ref(id);
  EXPECT_THROW(read_netcdf(path), UsageError);
}

}  // namespace
}  // namespace gadwall::files
