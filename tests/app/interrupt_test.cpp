// Signals while gadwall sample runs.
#include "app/program.hpp"
#include "sanitizers.hpp"
#include "text/number_text.hpp"

namespace gadwall::app {
namespace {

class Interrupt : public ProgramTest {
 protected:
  bool is_written(const std::string& name) const {
    std::error_code none_yet;
    const auto size = std::filesystem::file_size(path(name), none_yet);
    return !none_yet && size > 0;
  }

  /// Two chains that are both drawing.
  std::unique_ptr<Process> start_sampling() const {
    auto process =
        start(words("sample --format csv --checkpoint 0 gaussian2d --chains 2 --warmup 30 --draws "
                    "1000000000 --out run"));
    EXPECT_TRUE(process->wait_until([&] { return is_written("run.nc"); }));
    return process;
  }

  /// In an iteration that takes far longer than the test.
  std::unique_ptr<Process> start_long_iteration() const {
    auto process = start(words(
        "sample --format csv --checkpoint 0 funnel --dim 10000 --sampler hmc --leapfrog 1000000 "
        "--chains 1 --draws 5 --out run"));
    // Nothing before the first iteration computes for so long.
    EXPECT_TRUE(process->wait_until([&] { return process->processor_seconds() > 0.3; }));
    return process;
  }
};

TEST_F(Interrupt, WhileSamplingLeavesValidFilesAndSaysHowManyDraws) {
  const auto process = start_sampling();
  process->send(SIGINT);
  const Outcome outcome = process->finish();
  EXPECT_EQ(outcome.code, 130);
  expect_contains(outcome.err, "gadwall: interrupted after ");
  expect_contains(outcome.err, " of 1,000,000,000 draws per chain\n");
  EXPECT_EQ(last_line(outcome.out), "draws: run.nc, run_1.csv to run_2.csv (gadwall summary run)");

  const Outcome summary = run("summary run_1.csv run_2.csv --json");
  EXPECT_EQ(summary.code, 0);
  expect_contains(summary.err, "of 1,000,000,000 draws; the run was interrupted");
  const auto json = nlohmann::json::parse(summary.out);
  const auto kept = json["draws"].get<std::uint64_t>();
  expect_contains(outcome.err, "after " + grouped(kept) + " of ");
  expect_contains(read("run_1.csv"), "seconds (Total)");
  expect_contains(run("diagnose run").out, "the run was stopped: ");
  expect_contains(run("diagnose run_1.csv run_2.csv").out, "the run was stopped: ");
}

TEST_F(Interrupt, InWarmUpLeavesNoFiles) {
  const auto process =
      start(words("sample --format csv --checkpoint 0 gaussian2d --sampler mala --chains 2 "
                  "--warmup 1000000000 --draws 10 --out run"));
  ASSERT_TRUE(process->wait_until([&] { return std::filesystem::exists(path("run.lock")); }));
  process->send(SIGINT);
  const Outcome outcome = process->finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(
      outcome.err,
      "gadwall: interrupted after 0 of 10 draws per chain, in warm-up: there are no draws yet\n");
  EXPECT_EQ(files(), Words{});
}

TEST_F(Interrupt, InWarmUpKeepsTheFilesThatWereToBeOverwritten) {
  ASSERT_EQ(run("sample --format csv --checkpoint 0 gaussian2d --quiet --chains 2 --warmup 9 "
                "--draws 9 --out run")
                .code,
            0);
  const std::string before = read("run_1.csv");
  const auto process =
      start(words("sample --format csv --checkpoint 0 gaussian2d --sampler mala --chains 2 "
                  "--warmup 1000000000 --draws 10 --out run --force"));
  ASSERT_TRUE(process->wait_until([&] { return std::filesystem::exists(path("run.lock")); }));
  process->send(SIGINT);
  EXPECT_EQ(process->finish().code, 130);
  EXPECT_EQ(files(), (Words{"run.nc", "run_1.csv", "run_2.csv"}));
  EXPECT_EQ(read("run_1.csv"), before);
}

TEST_F(Interrupt, ByTerminationOrHangUpIsTheSameWithAnotherCode) {
  for (const auto& [number, code] :
       {std::pair{SIGTERM, 143}, std::pair{SIGHUP, 129}, std::pair{SIGXCPU, 152}}) {
    const auto process = start_sampling();
    process->send(number);
    EXPECT_EQ(process->finish().code, code);
    EXPECT_EQ(run("summary run").code, 0);
    for (const std::string& file : files()) std::filesystem::remove(path(file));
  }
}

TEST_F(Interrupt, TheSecondTimeEndsTheProgramAtOnce) {
#ifdef GADWALL_SANITIZES_THREADS
  GTEST_SKIP() << "the thread sanitizer delivers no signal while the program computes";
#endif
  for (const auto& [first, second] : {std::pair{SIGINT, SIGINT}, std::pair{SIGINT, SIGTERM}}) {
    const auto process = start_long_iteration();
    ASSERT_TRUE(process->catches(first));
    process->send(first);
    ASSERT_TRUE(process->wait_until([&, signal = first] { return !process->catches(signal); }));
    process->send(second);
    EXPECT_EQ(process->finish().signal, second);
    for (const std::string& file : files()) std::filesystem::remove(path(file));
  }
}

TEST_F(Interrupt, OfALimitOfProcessorTimeComesAgainEverySecondAndEndsNothing) {
  const auto process = start_sampling();
  process->send(SIGXCPU);
  ASSERT_TRUE(process->wait_until([&] { return !process->catches(SIGXCPU); }));
  process->send(SIGXCPU);
  EXPECT_EQ(process->finish().code, 152);
}

TEST_F(Interrupt, KeepsACheckpointFromWhichTheRunGoesOn) {
  const std::string command =
      "sample gaussian2d --sampler hmc --leapfrog 30 --chains 2 --warmup 100 --draws 100000 ";
  ASSERT_EQ(run(command + "--quiet --out whole").code, 0);
  const auto process = start(words(command + "--checkpoint 0.001 --out run"));
  ASSERT_TRUE(process->wait_until([&] { return is_written("run.nc"); }));
  process->send(SIGINT);
  const Outcome outcome = process->finish();
  EXPECT_EQ(outcome.code, 130);
  expect_contains(outcome.err, "gadwall resume run goes on from here\n");
  expect_contains(outcome.out, "worst ESS");
  ASSERT_EQ(run("resume run --quiet").code, 0);
  const auto parameters = [&](const std::string& name) {
    return nlohmann::json::parse(run("summary --json " + name).out)["parameters"];
  };
  EXPECT_EQ(parameters("run"), parameters("whole"));
}

TEST_F(Interrupt, AKilledRunCanBeRead) {
  const auto process = start_sampling();
  ASSERT_TRUE(process->wait_until([&] { return run("summary run").code == 0; }));
  process->send(SIGKILL);
  EXPECT_EQ(process->finish().signal, SIGKILL);
  const Outcome summary = run("summary run");
  EXPECT_EQ(summary.code, 0);
  expect_contains(summary.err, "gadwall: warning: run.nc");
  expect_contains(run("diagnose run").out, "the run was stopped: ");
}

}  // namespace
}  // namespace gadwall::app
