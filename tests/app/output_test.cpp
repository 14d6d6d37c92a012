// Where gadwall sample puts the draws, and that it never destroys what was there.
#include "app/program.hpp"

namespace gadwall::app {
namespace {

constexpr const char* kShort =
    "sample --format csv --checkpoint 0 gaussian2d --quiet --chains 2 --warmup 20 --draws 20 ";

class SampleOutput : public ProgramTest {};

TEST_F(SampleOutput, IsNamedAfterTargetAndSamplerAndTheLastLineSaysSo) {
  const Outcome outcome = run(
      "sample --format csv --checkpoint 0 banana --sampler hmc --chains 2 --warmup 20 --draws 20");
  EXPECT_EQ(files(), (Words{"banana-hmc.nc", "banana-hmc_1.csv", "banana-hmc_2.csv"}));
  EXPECT_EQ(last_line(outcome.out),
            "draws: banana-hmc.nc, banana-hmc_1.csv to banana-hmc_2.csv "
            "(gadwall summary banana-hmc)");
  const Outcome json =
      run("sample --format csv --checkpoint 0 gaussian2d --chains 1 --warmup 20 --draws 20 --json");
  EXPECT_EQ(json.err,
            "draws: gaussian2d-auto.nc, gaussian2d-auto_1.csv "
            "(gadwall summary gaussian2d-auto)\n");
}

TEST_F(SampleOutput, WithADefaultNameTakesAFreeOne) {
  run(kShort);
  const std::string first = read("gaussian2d-auto_1.csv");
  const Outcome second = run(kShort);
  expect_contains(second.out, "(gadwall summary gaussian2d-auto-2)");
  EXPECT_EQ(read("gaussian2d-auto_1.csv"), first);
  write("gaussian2d-auto-3_2.csv", "mine");  // a name is free only for all of its files
  expect_contains(run(kShort).out, "(gadwall summary gaussian2d-auto-4)");
  EXPECT_EQ(read("gaussian2d-auto-3_2.csv"), "mine");
}

TEST_F(SampleOutput, WithADefaultNameReplacesTheOldRunWhenForced) {
  run(std::string(kShort) + "--seed 1");
  const std::string first = draws("gaussian2d-auto_1.csv");
  run(std::string(kShort) + "--seed 2 --force");
  EXPECT_EQ(files().size(), 3U);
  EXPECT_NE(draws("gaussian2d-auto_1.csv"), first);
}

TEST_F(SampleOutput, IsNeverOverwrittenUnlessForced) {
  write("run_2.csv", "precious");
  expect_refusal(run(std::string(kShort) + "--out run"), {"run_2.csv", "exists", "--force"});
  EXPECT_EQ(read("run_2.csv"), "precious");
  EXPECT_EQ(files(), Words{"run_2.csv"});
  EXPECT_EQ(run(std::string(kShort) + "--out run --force").code, 0);
  EXPECT_EQ(files(), (Words{"run.nc", "run_1.csv", "run_2.csv"}));
  expect_contains(read("run_2.csv"), "#   file = run_2.csv\n");
}

TEST_F(SampleOutput, NeverStandsBesideFilesOfAnotherRun) {
  write("run_3.csv", "precious");
  for (const std::string force : {"", " --force"}) {
    expect_refusal(run(std::string(kShort) + "--out run" + force),
                   {"run_3.csv", "earlier run", "another name"});
    expect_refusal(run("sample gaussian2d --chains 4 --out run --format csv"), {"run_3.csv"});
  }
  std::filesystem::rename(path("run_3.csv"), path("run_1.csv"));
  expect_refusal(run("sample gaussian2d --out run --force"), {"run_1.csv", "earlier run"});
  EXPECT_EQ(files(), Words{"run_1.csv"});
}

TEST_F(SampleOutput, IsKeptWhenTheNewRunFailsAtTheStart) {
  ASSERT_EQ(run(std::string(kShort) + "--out run").code, 0);
  const std::string before = read("run_1.csv");
  // Without warm-up the first chain would draw before the second looks for its start.
  for (const std::string warmup : {"--warmup 20", "--warmup 0"}) {
    const Outcome outcome = run(
        "sample --format csv --checkpoint 0 gaussian2d --chains 2 --draws 20 --threads 1 --out run "
        "--force --start normal:1e200 " +
        warmup);
    expect_refusal(outcome, {"chain 1", "no finite log density", "1e+200"}, 1);
    EXPECT_EQ(read("run_1.csv"), before);
    EXPECT_EQ(files(), (Words{"run.nc", "run_1.csv", "run_2.csv"}));
  }
}

TEST_F(SampleOutput, LeavesNothingWhenTheRunFailsAtTheStart) {
  EXPECT_EQ(run(std::string(kShort) + "--start normal:1e200").code, 1);
  EXPECT_EQ(files(), Words{});
}

TEST_F(SampleOutput, GoesIntoADirectoryUnderItsDefaultName) {
  std::filesystem::create_directory(path("runs"));
  for (const std::string out : {"runs", "runs/"}) {
    EXPECT_EQ(run(std::string(kShort) + "--out " + out).code, 0);
  }
  EXPECT_TRUE(std::filesystem::exists(path("runs/gaussian2d-auto_1.csv")));
  EXPECT_TRUE(std::filesystem::exists(path("runs/gaussian2d-auto-2_2.csv")));
  EXPECT_EQ(files(), Words{"runs"});
  expect_refusal(run(std::string(kShort) + "--out none/"), {"there is no directory", "none"});
  expect_refusal(run(std::string(kShort) + "--out none/a"), {"there is no directory", "none"});
}

TEST_F(SampleOutput, TakesANameWithItsEndingAsCmdStanDoes) {
  const Outcome outcome = run(std::string(kShort) + "--out run.csv");
  EXPECT_EQ(files(), (Words{"run.nc", "run_1.csv", "run_2.csv"}));
  expect_contains(outcome.out, "(gadwall summary run)");
}

TEST_F(SampleOutput, MayHaveAnyNameAFileCanHave) {
  std::filesystem::create_directory(path("my runs"));
  Words arguments = words(kShort);
  arguments.insert(arguments.end(), {"--out", "my runs/größe's"});
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, 0);
  expect_contains(outcome.out, "(gadwall summary 'my runs/größe'\\''s')");
  EXPECT_EQ(run(Words{"summary", "my runs/größe's"}).code, 0);
  arguments.back() = "";
  expect_refusal(run(arguments), {"--out", "''", "name"});
  arguments.back() = "a\nb";
  expect_refusal(run(arguments), {"line break"});
}

TEST_F(SampleOutput, GoesThroughSymbolicLinks) {
  std::filesystem::create_directory(path("disk"));
  write("disk/old.csv", "old");
  std::filesystem::create_symlink("disk/old.csv", path("run_1.csv"));
  expect_refusal(run(std::string(kShort) + "--out run"), {"run_1.csv", "exists"});
  EXPECT_EQ(run(std::string(kShort) + "--out run --force").code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(path("run_1.csv")));
  expect_contains(read("disk/old.csv"), "# id = 1\n");
  EXPECT_EQ(files(), (Words{"disk", "run.nc", "run_1.csv", "run_2.csv"}));
}

TEST_F(SampleOutput, IsRefusedAtOnceWhereItCannotBeAFile) {
  std::filesystem::create_directory(path("run_2.csv"));
  for (const std::string force : {"", " --force"}) {
    EXPECT_EQ(
        run("sample --format csv --checkpoint 0 neal100 --chains 2 --warmup 1000000000 --out run" +
            force)
            .code,
        2);
  }
  EXPECT_EQ(files(), Words{"run_2.csv"});
}

TEST_F(SampleOutput, ThatIsNoRegularFileIsRefusedAtOnce) {
  std::filesystem::create_symlink("/dev/full", path("run_1.csv"));
  expect_refusal(run(std::string(kShort) + "--out run --force"), {"run_1.csv", "no regular file"});
}

TEST_F(SampleOutput, LivesInTheNetcdfFileUntilTheRunEnds) {
  const auto process =
      start(words("sample --format csv gaussian2d --quiet --chains 2 --warmup 20 "
                  "--draws 1000000000 --checkpoint 0.001 --out run"));
  ASSERT_TRUE(process->wait_until([&] { return std::filesystem::exists(path("run.nc")); }));
  EXPECT_FALSE(std::filesystem::exists(path("run_1.csv")));
  process->send(SIGINT);
  EXPECT_EQ(process->finish().code, 130);
  EXPECT_TRUE(std::filesystem::exists(path("run_1.csv")));
}

TEST_F(SampleOutput, InBothFormatsIsTheSameAsInCsv) {
  EXPECT_EQ(run(std::string(kShort) + "--out run").code, 0);
  EXPECT_EQ(run("sample --format both --checkpoint 0 gaussian2d --quiet --chains 2 --warmup 20 "
                "--draws 20 --out other")
                .code,
            0);
  EXPECT_EQ(draws("run_2.csv"), draws("other_2.csv"));
}

TEST_F(SampleOutput, OfRunsThatStartTogetherNeverMixes) {
  const std::string line =
      "sample --format csv --checkpoint 0 gaussian2d --quiet --chains 2 --warmup 20 --draws 20";
  std::vector<std::unique_ptr<Process>> processes;
  for (int i = 0; i < 4; ++i) processes.push_back(start(words(line)));
  for (const auto& process : processes) EXPECT_EQ(process->finish().code, 0);
  EXPECT_EQ(files().size(), 12U);
  processes.clear();
  for (int i = 0; i < 4; ++i) processes.push_back(start(words(line + " --out same")));
  int done = 0;
  for (const auto& process : processes) done += process->finish().code == 0 ? 1 : 0;
  EXPECT_EQ(done, 1);
  EXPECT_EQ(run("summary same").code, 0);
}

TEST_F(SampleOutput, IsSafeWhenStandardOutputIsNot) {
  const Words arguments = words(
      "sample --format csv --checkpoint 0 gaussian2d --chains 2 --warmup 20 --draws 20 --out run");
  expect_refusal(run(arguments, {.output_path = "/dev/full"}), {"standard output", "No space left"},
                 1);
  const std::string good = draws("run_1.csv");
  Words again = arguments;
  again.back() = "closed";
  const StartOptions closed{.without_out = true};
  expect_refusal(run(again, closed), {"standard output", "Bad file"}, 1);
  EXPECT_EQ(draws("closed_1.csv"), good);
  for (const char* line : {"summary closed", "diagnose closed", "list", "--version", "--help"}) {
    expect_refusal(run(words(line), closed), {"standard output", "Bad file"}, 1);
  }
  EXPECT_EQ(read("closed_1.csv").find("gaussian2d by"), std::string::npos);
}

}  // namespace
}  // namespace gadwall::app
