// Files that are crafted, vanish, are left over or belong to somebody else.
#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdlib>

#include "app/program.hpp"
#include "sanitizers.hpp"

namespace gadwall::app {
namespace {

class HostileFiles : public ProgramTest {
 protected:
  bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }

  /// A run of the line is killed when there is such a file, and not the one of before.
  void kill_when(const std::string& line, const std::string& file) const {
    const std::string before = read(file);
    const bool was_there = exists(file);
    const auto process = start(words(line));
    ASSERT_TRUE(
        process->wait_until([&] { return exists(file) && (!was_there || read(file) != before); }));
    process->send(SIGKILL);
    ASSERT_EQ(process->finish().signal, SIGKILL);
  }

  const std::string endless = "--sampler mala --warmup 1000000000 --draws 10 ";
};

TEST_F(HostileFiles, OfTuningAreRefused) {
  std::string rows = "[1]";
  for (int i = 1; i < 200'000; ++i) rows += ",[1]";
  const std::vector<std::pair<std::string, std::string>> tunings = {
      {R"({"metric":"unit","dim":-1,"step":1,"beta":null})", "dim is -1"},
      {R"({"metric":"unit","dim":1e19,"step":1,"beta":null})", "dim is 1e+19"},
      {R"({"metric":"unit","dim":10000000000000000000,"step":1,"beta":null})", "dim is 1000"},
      {R"({"metric":"diag","dim":2.5,"step":1,"beta":null,"L":[1,1]})", "dim is 2.5"},
      {R"({"metric":"dense","dim":2,"step":1,"beta":null,"L":[)" + rows + "]}", "lower triangle"},
      {R"({"metric":"unit","dim":2,"step":1,"beta":-3})", "beta is -3"},
      {R"({"metric":"unit","dim":2,"step":1,"beta":1e308})", "beta is 1e+308"},
      {std::string(500'000, '['), "--save-tuning"},
  };
  for (const auto& [text, part] : tunings) {
    write("tuning.json", text);
    expect_refusal(run("sample gaussian2d --tuning tuning.json --out run"), {"tuning.json", part});
  }
}

TEST_F(HostileFiles, OfStartsAreRefused) {
  write("start.json", "{\"x\": " + std::string(87'000, '['));
  expect_refusal(run("sample gaussian2d --init start.json --out run"), {"start.json", "nested"});
}

TEST_F(HostileFiles, GiveNoOrdersToTheTerminal) {
  const std::string line =
      "sample --checkpoint 0 gaussian2d --chains 4 --quiet --warmup 50 --draws 50 ";
  ASSERT_EQ(run(line + "--format csv --out run").code, 0);
  std::filesystem::remove(path("run.nc"));
  for (int c = 1; c <= 4; ++c) {
    const std::string name = "run_" + std::to_string(c) + ".csv";
    std::string text = read(name);
    for (const std::string part : {"gaussian2d", "x.1", "x.2"}) {
      for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 15)) {
        text.replace(at, part.size(), "a\x1b[2Jb\u009b2J\u202e" + part.substr(part.size() - 1));
      }
    }
    write(name, text);
  }
  for (const char* command :
       {"summary run", "summary run --csv", "summary run --json", "diagnose run"}) {
    const Outcome outcome = run(command);
    EXPECT_NE(outcome.out, "") << outcome.err;
    for (const char* order : {"\x1b", "\u009b", "\u202e"}) {
      EXPECT_EQ((outcome.out + outcome.err).find(order), std::string::npos) << outcome.out;
    }
  }
  const Outcome refused = run(Words{"summary", "no\x1b[31mfile.nc"});
  EXPECT_EQ(refused.err.find('\x1b'), std::string::npos) << refused.err;
}

TEST_F(HostileFiles, GiveNoOrdersToTheTerminalByTheirNamesEither) {
  const std::string name = "o\x1b]0:x\a\u009b31m\u202e";
  const std::string line = "sample gaussian2d --chains 2 --warmup 9 --draws 9 --checkpoint 0 ";
  for (const std::string& command :
       {line + "--out " + name, "summary " + name, "report " + name, "export " + name,
        "export --snapshot --force --out s" + name + " " + name,
        line + "--quiet --chain-offset 2 --out p" + name,
        "merge --out m" + name + " " + name + " p" + name}) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (const char* order : {"\x1b", "\a", "\u009b", "\u202e"}) {
      EXPECT_EQ((outcome.out + outcome.err).find(order), std::string::npos) << command;
    }
  }
  expect_contains(run("summary " + name).out,
                  R"(gadwall diagnose $'o\x1b]0:x\x07\xc2\x9b31m\xe2\x80\xae' says why)");
}

TEST_F(HostileFiles, ThatVanishEndTheRun) {
  const auto process =
      start(words("sample gaussian2d --chains 2 --warmup 10 --draws 1000000000 "
                  "--checkpoint 0.2 --out run"));
  ASSERT_TRUE(process->wait_until([&] { return exists("run.nc"); }));
  for (int i = 0; i < 2; ++i) {  // until a checkpoint knows of draws
    const std::string before = read("run.checkpoint");
    ASSERT_TRUE(process->wait_until([&] { return read("run.checkpoint") != before; }));
  }
  std::filesystem::remove(path("run.nc"));
  const Outcome outcome = process->finish();
  EXPECT_EQ(outcome.code, 1);
  expect_contains(outcome.err, "run.nc: was removed or replaced while the run wrote to it");
  expect_refusal(run("summary run"), {"there is no run.nc any more"});
}

TEST_F(HostileFiles, ThatOthersMakeShorterEndTheRun) {
  const auto process =
      start(words("sample gaussian2d --chains 2 --sampler mala --warmup 10 --draws 1000000000 "
                  "--checkpoint 0.2 --out run"));
  ASSERT_TRUE(process->wait_until(
      [&] { return exists("run.nc") && std::filesystem::file_size(path("run.nc")) > 1'000'000; }));
  write("run.nc", "by a line of the shell");
  const Outcome outcome = process->finish();
  EXPECT_EQ(outcome.code, 1);
  expect_contains(outcome.err, "run.nc: was made shorter while the run wrote to it");
}

TEST_F(HostileFiles, ThatAreNamedPipesAreNotWaitedFor) {
  for (const char* name : {"draws.nc", "run.checkpoint"}) {
    ASSERT_EQ(::mkfifo(path(name).c_str(), 0600), 0);
  }
  expect_refusal(run("summary draws"), {"draws.nc", "is no regular file"});
  expect_refusal(run("diagnose draws.nc"), {"draws.nc", "is no regular file"});
  const Outcome outcome = run("resume run");
  EXPECT_NE(outcome.code, 0);
  expect_contains(outcome.err, "run.checkpoint");
}

TEST_F(HostileFiles, OfAnEarlierRunAreNotTakenForTheOneThatReplacesIt) {
  const std::string line = "sample gaussian2d --quiet --chains 2 --out run ";
  ASSERT_EQ(run(line + "--warmup 50 --draws 50").code, 0);
  EXPECT_EQ(run("summary run").err, "");
  kill_when(line + endless + "--force", "run.checkpoint");
  const std::string few = "sample gaussian2d --quiet --chains 2 --warmup 9 --draws 9 ";
  ASSERT_EQ(run(few + "--chain-offset 2 --out part").code, 0);
  for (const std::string& command :
       {std::string("summary run"), std::string("export run --out exported"),
        std::string("export run --snapshot"), few + "--out next --init run",
        few + "--out next --force --tuning run", std::string("merge run part --out all")}) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.code, 0) << command;
    expect_contains(outcome.err, "run.nc: holds the draws of an earlier run");
  }
  for (const char* file :
       {"run.checkpoint", "run.checkpoint.old", "run.lock", "run_1.csv", "run_2.csv"}) {
    std::filesystem::remove(path(file));
  }
  kill_when(line + endless + "--force --checkpoint 0", "run.lock");
  expect_contains(run("summary run").err, "run.nc: holds the draws of an earlier run");
  ASSERT_EQ(run(line + "--warmup 50 --draws 50 --force").code, 0);
  EXPECT_EQ(run("summary run").err, "");
}

TEST_F(HostileFiles, OfARunKilledBeforeItsFirstCheckpointAreNotInTheWay) {
  const std::string line = "sample gaussian2d --quiet --format csv --checkpoint 0 --out run ";
  kill_when(line + endless, "run.lock");
  EXPECT_EQ(run(line + "--warmup 50 --draws 50").code, 0);
}

TEST_F(HostileFiles, ThatKilledRunsLeftAreClearedAway) {
  const std::string line = "sample gaussian2d --quiet --chains 2 --warmup 50 --draws 50 --out run ";
  const Words left = {"run.nc.123.new", "run_1.csv.4567.new", "run.checkpoint.0123456789abcdef.new",
                      "run.nc.journal.99.new"};
  const std::string other = "run2.nc.123.new";
  const auto leave = [&] {
    for (const std::string& name : left) write(name, "half");
    write(other, "half");
  };
  leave();
  ASSERT_EQ(run(line).code, 0);
  EXPECT_EQ(files(), (Words{"run.checkpoint", "run.checkpoint.old", "run.nc", other}));
  leave();
  ASSERT_EQ(run("resume run --quiet").code, 0);
  EXPECT_EQ(files(), (Words{"run.checkpoint", "run.checkpoint.old", "run.nc", other}));
}

TEST_F(HostileFiles, LinksOfUnfinishedNamesAreNotFollowed) {
  write("precious", "mine");
  for (const char* name :
       {"run.checkpoint.new", "run.nc.journal.new", "run.html.new", "t.json.new"}) {
    std::filesystem::create_symlink("precious", path(name));
  }
  ASSERT_EQ(run("sample gaussian2d --quiet --warmup 50 --draws 50 --out run --checkpoint 0.001 "
                "--save-tuning t.json")
                .code,
            0);
  ASSERT_EQ(run("report run --out run.html").code, 0);
  EXPECT_EQ(read("precious"), "mine");
  std::filesystem::create_symlink("elsewhere", path("next.lock"));
  expect_refusal(run("sample gaussian2d --quiet --warmup 50 --draws 50 --out next"),
                 {"next.lock", "symbolic link"});
  EXPECT_FALSE(exists("elsewhere"));
}

TEST_F(HostileFiles, OfAnotherRunUnderTheNameOfOneAreNotGoneOnWith) {
  const std::string line = "sample funnel --sampler mala --quiet --warmup 50 --draws 300 ";
  for (const auto& [other, part] :
       {std::pair<std::string, std::string>{"--dim 500 --chains 2", "2 chains of 500 values"},
        {"--dim 3 --chains 5", "5 chains of 3 values"}}) {
    ASSERT_EQ(run(line + "--dim 3 --chains 2 --out run --force").code, 0);
    ASSERT_EQ(run(line + other + " --out other --force").code, 0);
    std::filesystem::rename(path("other.nc"), path("run.nc"));
    expect_refusal(run("resume run --draws +300"), {"run.nc", part, "not of this run"});
  }
}

TEST_F(HostileFiles, AreFoundFromTheDirectoryInWhichTheRunBegan) {
  std::filesystem::create_directories(path("work/out"));
  std::string table = "a,y\n";
  for (int i = 0; i < 20; ++i) table += std::to_string(i * 7 % 10) + (i % 3 == 0 ? ",1\n" : ",0\n");
  write("work/table.csv", table);
  const std::string line =
      "sample logistic --data table.csv --quiet --warmup 50 --draws 50 --checkpoint 0.001 --out ";
  const StartOptions there{.directory = path("work")};
  ASSERT_EQ(Process(words(line + "out/run"), there).finish().code, 0);
  std::filesystem::rename(path("work"), path("moved"));
  const Outcome outcome = run("resume moved/out/run --draws +10 --quiet");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  expect_contains(run("summary moved/out/run").out, "60 draws");
}

TEST_F(HostileFiles, OfATuningOrAStartAreWatchedUnderEveryName) {
  const std::string line = "sample gaussian2d --quiet --chains 2 --draws 50 ";
  ASSERT_EQ(run(line + "--warmup 50 --out first").code, 0);
  ASSERT_EQ(run(line + "--warmup 50 --seed 9 --out second").code, 0);
  ASSERT_EQ(run(line + "--tuning first --out tuned").code, 0);
  ASSERT_EQ(run(line + "--warmup 50 --init first --out begun").code, 0);
  std::filesystem::copy_file(path("second.nc"), path("first.nc"),
                             std::filesystem::copy_options::overwrite_existing);
  for (const std::string next : {"tuned", "begun"}) {
    expect_refusal(run("resume " + next + " --draws +10"), {"first.nc", "has changed"});
  }
}

TEST_F(HostileFiles, OfTuningAreOverwrittenOnlyByTheirRun) {
  const std::string line = "sample gaussian2d --quiet --chains 2 --warmup 50 --draws 50 ";
  for (const char* force :
       {"", " --force"}) {  // what the run overwrote once is not its own for ever
    ASSERT_EQ(run(line + "--out run --save-tuning t.json" + force).code, 0);
    ASSERT_EQ(run("resume run --draws +10 --quiet").code, 0);
    write("t.json", "notes of mine");
    expect_refusal(run("resume run --draws +10"), {"t.json", "the file exists"});
    EXPECT_EQ(read("t.json"), "notes of mine");
  }
  ASSERT_EQ(run("resume run --draws +10 --quiet --force").code, 0);
  expect_contains(read("t.json"), "metric");
}

TEST_F(HostileFiles, OfATuningOfAnotherTargetAreNamed) {
  ASSERT_EQ(
      run("sample banana --dim 2 --quiet --warmup 50 --draws 50 --out run --save-tuning t.json")
          .code,
      0);
  for (const char* tuning : {"t.json", "run"}) {
    const Outcome outcome = run(
        std::string("sample gaussian2d --quiet --draws 50 --force --out next --tuning ") + tuning);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    expect_contains(outcome.err, "was learnt from the target banana, and is used for gaussian2d");
  }
}

TEST_F(HostileFiles, OfARunInWorkHaveASnapshot) {
  const auto process =
      start(words("sample gaussian2d --chains 2 --warmup 10 --draws 1000000000 "
                  "--checkpoint 0.001 --quiet --out run"));
  ASSERT_TRUE(process->wait_until([&] { return exists("run.nc"); }));
  for (int i = 0; i < 5; ++i) {
    const Outcome outcome = run("export run --snapshot --force");
    EXPECT_EQ(outcome.out, "draws: run-snapshot.nc\n") << outcome.err;
    const Outcome summary = run("summary run-snapshot --rows 1");
    EXPECT_TRUE(summary.code == 0 || summary.err.find("no draws") != std::string::npos)
        << summary.err;
  }
  const auto has_draws = [&] { return run("summary run --rows 1 --json").code == 0; };
  ASSERT_TRUE(process->wait_until(has_draws));
  EXPECT_EQ(run("export run --snapshot --force").code, 0);
  EXPECT_EQ(run("summary run-snapshot --rows 1").code, 0);
  expect_contains(run("summary run --rows 1").err, "of 1,000,000,000 draws; the run goes on");
  process->send(SIGINT);
  process->finish();
  expect_refusal(run("export run --snapshot"), {"run-snapshot.nc", "the file exists"});
  expect_refusal(run("export run --snapshot --force --out run"), {"run.nc", "is the run itself"});
  expect_refusal(run("export none --snapshot"), {"none.nc"});
}

/// The exit code of a shell's command in the directory of the test.
int shell(const std::filesystem::path& directory, const std::string& command) {
  const int status = std::system(("cd '" + directory.string() + "' && " + command).c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(HostileFiles, NorMessagesThatNobodyReadsEndARun) {
  const std::string command = fmt::format(
      "(sleep 0.3; exec {} sample gaussian2d --chains 2 --warmup 50 --draws 50 --out "
      "run) 2>&1 | true",
      kProgram);
  EXPECT_EQ(shell(path(""), command), 0);
  EXPECT_EQ(run("summary run").err, "");
  EXPECT_EQ(shell(path(""), std::string(kProgram) + " summary run | head -1 > /dev/null"), 0);
}

TEST_F(HostileFiles, NorALackOfMemoryWithoutAWayOut) {
#ifdef GADWALL_SANITIZED_MALLOC
  GTEST_SKIP() << "a sanitizer asks for more addresses than the limit allows";
#endif
  const std::string limited = "ulimit -v 4000000; " + std::string(kProgram);
  EXPECT_EQ(shell(path(""),
                  limited + " sample funnel --dim 100000 --sampler gadmala --out run 2> message"),
            1);
  const std::string message = read("message");
  expect_contains(message, "not enough memory for 100,000 parameters and 4 chains");
  expect_contains(message, "--metric diag");
}

/// What is printed of 20,000 parameters takes 9 MB.
TEST_F(HostileFiles, NorTheJsonOfManyParametersTakesMoreMemoryThanItHas) {
#ifdef GADWALL_SANITIZED_MALLOC
  GTEST_SKIP() << "a sanitizer asks for more addresses than the limit allows";
#endif
  std::string table = "# model = m\nlp__";
  for (int i = 0; i < 20'000; ++i) table += ",n" + std::to_string(i) + "x";
  for (int k = 0; k < 10; ++k) {
    table += "\n0";
    for (int i = 0; i < 20'000; ++i) table += k % 3 == i % 2 ? ",1" : ",-1.5";
  }
  write("many_1.csv", table + "\n");
  const std::string limited = "ulimit -v 600000; " + std::string(kProgram);
  EXPECT_EQ(shell(path(""), limited + " summary many_1.csv --json > table.json"), 0);
  EXPECT_GT(read("table.json").size(), 5'000'000U);
}

/// A run of a moment needs none.
TEST_F(HostileFiles, NorALackOfThreads) {
#ifdef GADWALL_SANITIZED_MALLOC
  GTEST_SKIP() << "a sanitizer asks for more addresses than the limit allows";
#endif
  const std::string limited = "ulimit -v 4000000; ulimit -s 8000000; " + std::string(kProgram);
  const std::string endless_run = " sample gaussian2d " + endless + "--threads 2 --quiet --out run";
  EXPECT_EQ(shell(path(""), limited + endless_run + " 2> message"), 1);
  expect_contains(read("message"), "gadwall: no thread can be started: Resource temporarily ");
}

}  // namespace
}  // namespace gadwall::app
