// A NetCDF file survives the death of its writer at every step, and a disk that refuses.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "files/file_place.hpp"
#include "files/netcdf_disk.hpp"
#include "files/netcdf_journal.hpp"
#include "files/netcdf_testing.hpp"
#include "gadwall/error.hpp"
#include "message_of.hpp"

namespace gadwall::files {
namespace {

constexpr Index kDim = 40;
constexpr Index kChains = 2;
constexpr Index kRows = 3000;

/// What the fault does at a step, and which step it is.
int steps_done = 0;
int faulty_step = 0;

int die() {
  if (++steps_done == faulty_step) ::kill(::getpid(), SIGKILL);
  return 0;
}

int refuse() {
  return ++steps_done >= faulty_step ? ENOSPC : 0;
}

std::string shortened_path;

/// As `echo ... > run.nc` does.
int shorten() {
  if (++steps_done == faulty_step) {
    std::ofstream(shortened_path, std::ios::trunc) << "by a line of the shell";
  }
  return 0;
}

std::string foreign_path;
bool was_journal_seen = false;

/// No fault: looks for a journal beside the file.
int watch_for_journal() {
  was_journal_seen = was_journal_seen || is_taken(JournaledFile::journal_path(foreign_path));
  return 0;
}

/// Removes the fault with the test that set it.
class Fault {
 public:
  Fault(int (*fault)(), int step) {
    steps_done = 0;
    faulty_step = step;
    disk_fault = fault;
  }
  ~Fault() { disk_fault = nullptr; }
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;
};

std::vector<TestChain> make_chains(Index rows = kRows) {
  return {make_chain(kDim, rows, 1), make_chain(kDim, rows, 2)};
}

void append(NetcdfWriter& writer, const std::vector<TestChain>& chains, Index first, Index count) {
  for (Index c = 0; c < kChains; ++c) {
    writer.append(Phase::sampling, c, chains[static_cast<std::size_t>(c)].block(first, count));
  }
}

/// Appends and flushes rows, round by round; after each flush the number of rows goes to the pipe.
void write_rounds(const std::string& path, const std::vector<TestChain>& chains, Index rows,
                  int report) {
  NetcdfWriter writer(path, make_schema(vector_names(kDim), kChains), true);
  writer.adapted(0, Tuning(Factor::diagonal(Vector::Ones(kDim))));
  for (Index done = 0; done + rows <= chains.front().rows();) {
    append(writer, chains, done, rows);
    writer.flush();
    done += rows;
    if (::write(report, &done, sizeof done) != sizeof done) ::_exit(3);
  }
  writer.finish({}, {Learnt{Tuning(Factor::diagonal(Vector::Ones(kDim))), {}}});
}

struct Outcome {
  bool killed = false;
  Index flushed = 0;  // rows at the last flush that came back
};

/// Runs the work in a process of its own.
template <class Work, class Meanwhile>
Outcome in_child(Work work, Meanwhile meanwhile) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    work(ends[1]);
    ::_exit(0);
  }
  ::close(ends[1]);
  meanwhile(child);
  Outcome outcome;
  for (Index rows = 0; ::read(ends[0], &rows, sizeof rows) == sizeof rows;) outcome.flushed = rows;
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  outcome.killed = WIFSIGNALED(status);
  return outcome;
}

/// The file holds the rows of the last flush, or of the one that was going on.
void expect_sound(const std::string& path, const std::vector<TestChain>& chains,
                  const Outcome& outcome, Index rows_a_flush) {
  if (outcome.flushed == 0 && !std::filesystem::exists(path)) return;
  Index held = 0;
  try {
    const ReadResult result = read_netcdf(path);
    held = result.draws.draws();
    for (std::size_t c = 0; c < chains.size(); ++c) {
      EXPECT_TRUE(same_draws(result.draws.chains[c], chains[c], 0, held));
    }
  } catch (const UsageError& error) {
    ASSERT_EQ(error.what(), path + ": no draws");
  }
  EXPECT_GE(held, outcome.flushed);
  EXPECT_LE(held, outcome.flushed + rows_a_flush);
}

/// What is written behind the end of a file that others have shortened makes it as long as it was.
TEST(NetcdfCrash, OfAFileThatOthersShortenAtAnyCallIsNoticed) {
  const auto chains = make_chains();
  constexpr Index kRound = 1000;
  for (int step = 1;; ++step) {
    const TemporaryDirectory directory;
    shortened_path = directory.file("run.nc");
    NetcdfWriter writer(shortened_path, make_schema(vector_names(kDim), kChains), true);
    append(writer, chains, 0, kRound);
    writer.flush();
    const Fault fault(shorten, step);
    const auto go_on = [&] {
      append(writer, chains, kRound, kRound);
      writer.flush();
    };
    if (const std::string message = testing::message_of<RunError>(go_on); steps_done >= step) {
      EXPECT_NE(message.find("was made shorter"), std::string::npos) << step << ": " << message;
    } else {
      EXPECT_EQ(message, "");
      EXPECT_GT(step, 8);
      break;
    }
  }
}

TEST(NetcdfCrash, AtEveryStepOfTheDiskLeavesTheLastFlush) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  constexpr Index rows = 700;  // a chunk has 1024
  constexpr Index total = 4 * rows;
  const std::vector<TestChain> chains = make_chains(total);
  int deaths = 0;
  for (int step = 1;; ++step) {
    std::filesystem::remove(path);
    const Outcome outcome = in_child(
        [&](int report) {
          const Fault fault(die, step);
          write_rounds(path, chains, rows, report);
        },
        [](pid_t) {});
    SCOPED_TRACE(step);
    expect_sound(path, chains, outcome, rows);
    if (HasFailure() || !outcome.killed) break;
    ++deaths;
    if (outcome.flushed == 0) continue;
    NetcdfWriter writer = NetcdfWriter::reopen(path, 0, outcome.flushed);
    append(writer, chains, outcome.flushed, total - outcome.flushed);
    writer.finish({}, {});
    expect_sound(path, chains, {false, total}, 0);
  }
  EXPECT_GT(deaths, 40);
}

/// The name is taken in mid-run: a journal there would be taken for one of that file.
TEST(NetcdfCrash, OfAFileWhoseNameOthersTookHarmsNotTheirs) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  const std::vector<TestChain> chains = make_chains();
  constexpr Index kRound = 500;
  NetcdfWriter writer(path, make_schema(vector_names(kDim), kChains), false);
  std::ofstream(path) << "of somebody else";
  foreign_path = path;
  was_journal_seen = false;
  const Fault fault(watch_for_journal, 0);
  for (Index done = 0; done < 3 * kRound; done += kRound) {
    append(writer, chains, done, kRound);
    EXPECT_EQ(testing::message_of<UsageError>([&] { writer.flush(); }),
              path + ": cannot be created: File exists");
  }
  EXPECT_FALSE(was_journal_seen);
  std::string text;
  std::getline(std::ifstream(path), text);
  EXPECT_EQ(text, "of somebody else");
  std::filesystem::remove(path);
  append(writer, chains, 3 * kRound, kRound);
  writer.flush();
  expect_sound(path, chains, {false, 4 * kRound}, 0);
  append(writer, chains, 4 * kRound, kRound);
  writer.flush();
  expect_sound(path, chains, {false, 5 * kRound}, 0);
  EXPECT_TRUE(was_journal_seen);
}

TEST(NetcdfCrash, AtAnyMomentLeavesTheLastFlush) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  const std::vector<TestChain> chains = make_chains();
  constexpr Index rows = 3;
  std::mt19937 generator(20);
  std::uniform_int_distribution<int> microseconds(0, 60000);
  for (int trial = 0; trial < 50; ++trial) {
    std::filesystem::remove(path);
    const Outcome outcome =
        in_child([&](int report) { write_rounds(path, chains, rows, report); },
                 [&](pid_t child) {
                   std::this_thread::sleep_for(std::chrono::microseconds(microseconds(generator)));
                   ::kill(child, SIGKILL);
                 });
    SCOPED_TRACE(trial);
    expect_sound(path, chains, outcome, rows);
  }
}

TEST(NetcdfCrash, IsReadWholeWhileItIsWritten) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  const std::vector<TestChain> chains = make_chains();
  int reads = 0;
  in_child([&](int report) { write_rounds(path, chains, 30, report); },
           [&](pid_t child) {
             while (::waitpid(child, nullptr, WNOHANG) == 0) {
               if (!std::filesystem::exists(path)) continue;
               expect_sound(path, chains, {false, 0}, kRows);
               ++reads;
             }
           });
  EXPECT_GT(reads, 0);
}

TEST(NetcdfCrash, OfTheDiskIsAnErrorThatNamesTheFileAndCanBeRetried) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  const std::vector<TestChain> chains = make_chains();
  for (int step = 1; step < 1000; step += 1 + step / 8) {
    SCOPED_TRACE(step);
    NetcdfWriter writer(path, make_schema(vector_names(kDim), kChains), true);
    append(writer, chains, 0, 1000);
    writer.flush();
    bool refused = false;
    Index taken = 1000;
    {
      const Fault fault(refuse, step);
      try {
        append(writer, chains, 1000, 1500);
        taken = 2500;
        writer.flush();
      } catch (const RunError& error) {
        refused = true;
        EXPECT_EQ(error.what(), path + ": cannot be written: No space left on device");
      }
    }
    const Index held = read_netcdf(path).draws.draws();
    EXPECT_TRUE(held == 1000 || held == 2500) << held;
    EXPECT_TRUE(refused || held == 2500);
    ASSERT_EQ(taken, 2500);  // what is appended waits for the flush
    writer.flush();
    expect_sound(path, chains, {false, 2500}, 0);
    if (!refused) return;
  }
  FAIL() << "the disk always refused";
}

/// A real limit: writes beyond 400 kB fail with EFBIG.
TEST(NetcdfCrash, OfTheDiskStopsAppendsUntilAFlushSucceeds) {
  const TemporaryDirectory directory;
  const std::vector<TestChain> chains = make_chains();
  NetcdfWriter writer(directory.file("run.nc"), make_schema(vector_names(kDim), kChains), false);
  {
    const Fault fault(refuse, 1);
    append(writer, chains, 0, 1500);  // fills a chunk, which the disk refuses
    EXPECT_THROW(append(writer, chains, 1500, 100), RunError);
    EXPECT_THROW(writer.flush(), RunError);
  }
  writer.flush();
  append(writer, chains, 1500, 1500);
  writer.flush();
  expect_sound(directory.file("run.nc"), chains, {false, kRows}, 0);
}

TEST(NetcdfCrash, OfAFullDiskLeavesTheLastFlush) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  const std::vector<TestChain> chains = make_chains();
  const Outcome outcome = in_child(
      [&](int report) {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{400000, 400000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        try {
          write_rounds(path, chains, 250, report);
        } catch (const RunError& error) {
          std::ofstream(directory.file("error")) << error.what();
        }
      },
      [](pid_t) {});
  std::string message;
  std::ifstream stream(directory.file("error"));
  std::getline(stream, message);
  EXPECT_EQ(message, path + ": cannot be written: File too large");
  EXPECT_GT(outcome.flushed, 0);
  EXPECT_LT(outcome.flushed, kRows);
  expect_sound(path, chains, outcome, 0);
}

TEST(NetcdfCrash, ThatLeftAJournalOfARemovedFileDoesNotHarmTheNext) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  const std::vector<TestChain> chains = make_chains();
  std::ofstream(JournaledFile::journal_path(path)) << "left over";
  NetcdfWriter writer(path, make_schema(vector_names(kDim), kChains), false);
  EXPECT_FALSE(std::filesystem::exists(JournaledFile::journal_path(path)));
  append(writer, chains, 0, 10);
  writer.flush();
  std::ofstream(JournaledFile::journal_path(path)) << "gadjnl01 cut short";
  expect_sound(path, chains, {false, 10}, 0);
}

}  // namespace
}  // namespace gadwall::files
