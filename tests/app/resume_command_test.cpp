// Runs that are killed, damaged, full or changed, and go on.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <random>

#include "app/program.hpp"
#include "gadwall/gadwall.hpp"

namespace gadwall::app {
namespace {

class Resume : public ProgramTest {
 protected:
  bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }

  /// What changes when the checkpoint is replaced.
  long checkpoint_number(const std::string& name) const {
    struct stat status {};
    const bool there = stat((path(name).string() + ".checkpoint").c_str(), &status) == 0;
    return there
               ? static_cast<long>(status.st_mtim.tv_sec * 1'000'000'000L + status.st_mtim.tv_nsec)
               : 0;
  }

  /// Kills the command some checkpoints after its start, and goes on with the run, again and again,
  /// until it ends by itself. Returns the number of kills.
  int run_with_kills(const std::string& command, const std::string& name, std::mt19937& random) {
    int kills = 0;
    std::string next = command;
    for (int attempt = 0; attempt < 3; ++attempt) {
      int awaited = 2 + static_cast<int>(random() % 3);
      const auto process = start(words(next));
      long last = checkpoint_number(name);
      process->wait_until([&] {
        const long now = checkpoint_number(name);
        awaited -= now != last ? 1 : 0;
        last = now;
        return awaited == 0;
      });
      process->send(SIGKILL);
      const Outcome outcome = process->finish();
      if (outcome.signal != SIGKILL) return kills;
      ++kills;
      next = "resume " + name + " --quiet";
    }
    const Outcome outcome = run(next);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return kills;
  }
};

TEST_F(Resume, GivesTheDrawsOfARunThatWasNeverKilled) {
  std::mt19937 random(1);
  int kills = 0;
  std::vector<std::string> all;
  for (const SamplerRow& row : samplers()) all.push_back(row.name);
  for (const char* further : {"nuts --metric auto", "hmc --metric lowrank",
                              "nuts --metric dense --metric-from scores --lanes 2",
                              "gadmala --drift exact", "gadmala --metric lowrank --rank 3 --pool",
                              "gadmala --drift exact --metric lowrank --lanes 2"}) {
    all.emplace_back(further);
  }
  for (const std::string& sampler : all) {
    for (const char* threads : {"1", "2"}) {
      const std::string name = fmt::format("{}-{}", &sampler - all.data(), threads);
      // Several gradients per iteration.
      const bool slow =
          find_sampler(sampler.substr(0, sampler.find(' '))).has_option("max-energy-error");
      const std::string command = fmt::format(
          "sample neal100 --format both --chains 2 --warmup {} --draws 100 --thin {} "
          "--quiet --save x[1:3] --checkpoint 0.001 --sampler {} --threads {}",
          slow ? 500 : 5000, slow ? 10 : 400, sampler, threads);
      ASSERT_EQ(run(command + " --out whole-" + name).code, 0);
      kills += run_with_kills(command + " --out " + name, name, random);
      for (const char* chain : {"_1.csv", "_2.csv"}) {
        EXPECT_EQ(draws(name + chain), draws("whole-" + name + chain)) << sampler;
      }
      const auto from_netcdf = [&](const std::string& run_name) {
        auto json = nlohmann::json::parse(run("summary --json " + run_name + ".nc").out);
        json.erase("seconds");
        json.erase("ess_worst_per_second");
        return json;
      };
      EXPECT_EQ(from_netcdf(name), from_netcdf("whole-" + name));
    }
  }
  EXPECT_GE(kills, 20);
}

TEST_F(Resume, GoesOnBetweenTheEndOfWarmUpAndTheFirstDraw) {
  const std::string command =
      "sample gaussian2d --format both --save-warmup --chains 2 --warmup 40 --thin 1000000 "
      "--draws 1 --quiet ";
  ASSERT_EQ(run(command + "--out whole").code, 0);
  const auto process = start(words(command + "--checkpoint 0.001 --out run"));
  int awaited = 4;  // the first checkpoint is before warm-up, which is over long before the fourth
  long last = 0;
  ASSERT_TRUE(process->wait_until([&] {
    const long now = checkpoint_number("run");
    awaited -= now != last ? 1 : 0;
    last = now;
    return awaited == 0;
  }));
  EXPECT_FALSE(exists("run.nc"));  // no draw
  process->send(SIGKILL);
  ASSERT_EQ(process->finish().signal, SIGKILL);
  const Outcome resumed = run("resume run --quiet");
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(draws("run_1.csv"), draws("whole_1.csv"));
  EXPECT_EQ(draws("run_2.csv"), draws("whole_2.csv"));
}

TEST_F(Resume, UsesTheCheckpointBeforeADamagedOne) {
  const std::string command = "sample gaussian2d --chains 2 --warmup 500 --draws 3000 --quiet ";
  ASSERT_EQ(run(command + "--format csv --out whole").code, 0);
  ASSERT_EQ(run(command + "--format csv --out torn --checkpoint 0.001").code, 0);
  const std::string bytes = read("torn.checkpoint");
  write("torn.checkpoint", bytes.substr(0, bytes.size() / 2));
  const Outcome outcome = run("resume torn --quiet");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  expect_contains(outcome.err, "torn.checkpoint is damaged; going on from the one before it");
  EXPECT_EQ(draws("torn_2.csv"), draws("whole_2.csv"));
}

TEST_F(Resume, RefusesWhatItCannotGoOnWith) {
  expect_refusal(run("resume nothing"), {"nothing.checkpoint", "no such file"});
  ASSERT_EQ(run("sample gaussian2d --warmup 50 --draws 50 --quiet --out run").code, 0);
  const std::string bytes = read("run.checkpoint");
  for (const char* name : {"run.checkpoint", "run.checkpoint.old"}) write(name, "garbage");
  expect_refusal(run("resume run"), {"run.checkpoint", "damaged"}, 1);
  write("run.checkpoint", bytes);
  std::filesystem::remove(path("run.nc"));
  expect_refusal(run("resume run --draws +10"), {"run.nc"});
}

TEST_F(Resume, RefusesADataFileThatHasChanged) {
  write("table.csv", "a,y\n1,0\n2,1\n3,0\n4,1\n");
  ASSERT_EQ(run("sample logistic --data table.csv --warmup 50 --draws 50 --quiet --out run").code,
            0);
  write("table.csv", "a,y\n1,0\n2,1\n3,0\n5,1\n");
  expect_refusal(run("resume run --draws +10"), {"table.csv", "has changed since the run began"});
  std::filesystem::remove(path("table.csv"));
  expect_refusal(run("resume run --draws +10"), {"table.csv", "is not there"});
}

TEST_F(Resume, RefusesASecondProcessOnTheSameRun) {
  const auto process =
      start(words("sample gaussian2d --sampler mala --warmup 1000000000 --quiet --out run"));
  ASSERT_TRUE(process->wait_until([&] { return exists("run.checkpoint"); }));
  expect_refusal(run("resume run"), {"run", "another process is at work on this run"});
  expect_refusal(run("sample gaussian2d --force --out run"),
                 {"run", "another process is at work on this run"});
}

TEST_F(Resume, AddsDrawsToAFinishedRun) {
  const std::string command =
      "sample gp51 --sampler gadmala --warmup 200 --chains 2 --quiet --format both ";
  ASSERT_EQ(run(command + "--draws 90 --out long").code, 0);
  ASSERT_EQ(run(command + "--draws 40 --out short").code, 0);
  const Outcome complete = run("resume short");
  EXPECT_EQ(complete.code, 0);
  EXPECT_EQ(complete.err, "The run was complete: 40 draws per chain. --draws +N adds N to each.\n");
  expect_contains(complete.out, "2 chains x (200 warm-up + 40 draws)");
  const Outcome more = run("resume short.nc --draws +50 --quiet");
  EXPECT_EQ(more.code, 0) << more.err;
  EXPECT_EQ(draws("short_1.csv"), draws("long_1.csv"));
  EXPECT_EQ(run("summary short").code, 0);
  expect_contains(read("short_1.csv"), "num_samples = 90\n");
  EXPECT_EQ(nlohmann::json::parse(run("summary short.nc --json").out)["draws"], 90);
  expect_refusal(run("resume short --draws 90"), {"--draws is 90", "more than the 90"});
  const Outcome again = run("resume short --quiet");  // beyond what its first command asked for
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(nlohmann::json::parse(run("summary short.nc --json").out)["draws"], 90);
  const Outcome until = run("resume short --until ess=20 --draws +100 --quiet");
  EXPECT_EQ(until.code, 0) << until.err;
}

TEST_F(Resume, RemembersHowFarARunWasExtended) {
  const std::string command = "sample gp51 --warmup 100 --chains 2 --quiet --format both ";
  ASSERT_EQ(run(command + "--draws=300 --thin 500 --checkpoint 0.001 --out whole").code, 0);
  ASSERT_EQ(run(command + "--draws=20 --thin 500 --checkpoint 0.001 --out run").code, 0);
  const long last = checkpoint_number("run");
  const auto process = start(words("resume run --draws 300 --quiet"));
  ASSERT_TRUE(process->wait_until([&] { return checkpoint_number("run") != last; }));
  process->send(SIGKILL);
  ASSERT_EQ(process->finish().signal, SIGKILL);
  const Outcome resumed = run("resume run --quiet");  // says nothing of 300
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(draws("run_1.csv"), draws("whole_1.csv"));
  expect_contains(read("run_1.csv"), "gadwall_draws = 300\n");
}

TEST_F(Resume, GoesOnWithAWarmUpThatWasInterrupted) {
  const std::string command =
      "sample gaussian2d --sampler gadmala --format csv --save-warmup --chains 2 --thin 100000 "
      "--warmup 3000000 "
      "--draws 1 --quiet ";
  ASSERT_EQ(run(command + "--out whole").code, 0);
  const auto process = start(words(command + "--checkpoint 0.001 --out run"));
  ASSERT_TRUE(process->wait_until([&] { return exists("run.nc"); }));
  process->send(SIGTERM);
  EXPECT_EQ(process->finish().code, 143);
  const Outcome resumed = run("resume run --quiet");
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(draws("run_2.csv"), draws("whole_2.csv"));
  const std::string text = read("run_2.csv");
  EXPECT_EQ(text.find("Elapsed Time"), text.rfind("Elapsed Time"));
}

TEST_F(Resume, GoesOnAfterTimeRanOut) {
  // Without warm-up, and with draws that take microseconds: on a busy machine, too, some are there
  // in time.
  const std::string command =
      "sample gaussian2d --sampler mala --chains 2 --warmup 0 --thin 1000 --format csv ";
  const Outcome timed = run(command + "--draws 1000000000 --max-time 1s --out run");
  EXPECT_EQ(timed.code, 0) << timed.err;
  expect_contains(timed.out, "--max-time is over");
  const std::string before = draws("run_1.csv");
  const Outcome more = run("resume run --max-time 1s --quiet");
  EXPECT_EQ(more.code, 0) << more.err;
  EXPECT_TRUE(draws("run_1.csv").starts_with(before));
  EXPECT_GT(draws("run_1.csv").size(), before.size());
}

TEST_F(Resume, WritesTheCsvFilesAgainAtItsEndButNotOverOthers) {
  const std::string command = "sample gaussian2d --chains 2 --warmup 100 --format csv --quiet ";
  ASSERT_EQ(run(command + "--draws 20 --out run").code, 0);
  ASSERT_EQ(run(command + "--draws 30 --out whole").code, 0);
  const std::string before = draws("run_1.csv");
  const Outcome more = run("resume run --draws +10 --quiet");
  EXPECT_EQ(more.code, 0) << more.err;
  EXPECT_EQ(draws("run_1.csv"), draws("whole_1.csv"));
  EXPECT_NE(draws("run_1.csv"), before);
  write("run_2.csv", "precious");
  const Outcome refused = run("resume run --draws +10 --quiet");
  expect_refusal(refused, {"run_2.csv", "exists", "the draws are in run.nc"}, 1);
  EXPECT_EQ(read("run_2.csv"), "precious");
  EXPECT_EQ(nlohmann::json::parse(run("summary run --json").out)["draws"], 40);
}

TEST_F(Resume, RefusesARunThatAnotherProgramBegan) {
  SampleOptions options;
  options.run.warmup = options.run.draws = 20;
  files::sample_to_file(
      [](auto x, auto grad) {
        grad = -x;
        return -0.5 * x.squaredNorm();
      },
      2, options, {.name = path("run")});
  expect_refusal(run("resume run --draws +10"), {"run.checkpoint", "not begun by gadwall sample"});
}

/// A full disk, as the program sees it: files cannot grow beyond a limit.
TEST_F(Resume, LosesNothingWhenTheDiskIsFull) {
  const std::string command = "sample gp51 --chains 2 --warmup 100 --draws 3000 --thin 20 --quiet ";
  for (const char* format : {"csv", "nc"}) {
    const std::string name = format;
    ASSERT_EQ(run(command + "--format " + format + " --out whole-" + name).code, 0);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{1'500'000, before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    const Outcome full = run(command + "--checkpoint 0.001 --format " + format + " --out " + name);
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_EQ(full.code, 1) << full.err;
    expect_contains(full.err, name);
    expect_contains(full.err, "File too large");
    EXPECT_EQ(run("summary " + name).code, 0);
    const Outcome resumed = run("resume " + name + " --quiet");
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    auto a = nlohmann::json::parse(run("summary --json " + name).out);
    auto b = nlohmann::json::parse(run("summary --json whole-" + name).out);
    EXPECT_EQ(a["parameters"], b["parameters"]);
  }
}

}  // namespace
}  // namespace gadwall::app
