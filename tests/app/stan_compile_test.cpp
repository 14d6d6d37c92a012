// Stan programs that are compiled: once, with the Stan that is there, and cleanly.
#include <chrono>

#include "app/stan_installations.hpp"

namespace gadwall::app {
namespace {

TEST_F(StanCompile, ComesBeforeSamplingWhereTheProgramIsNew) {
  write("model.stan", program_);
  write("priors.stan", "// wide\n");
  const Outcome first = run("sample model.stan" + short_run_);
  ASSERT_EQ(first.code, 0) << first.err;
  expect_contains(first.err, "Compiling model.stan with BridgeStan in ");
  ASSERT_EQ(run("sample " + fake("good") + short_run_).code, 0);
  EXPECT_EQ(draws("model-mala_1.csv"), draws("fake_good-mala_1.csv"));
  expect_contains(first.err, "Done in ");
  EXPECT_EQ(run("sample model.stan" + short_run_).err, "");
  write("priors.stan", "// narrow\n");
  expect_contains(run("sample model.stan" + short_run_).err, "Compiling model.stan");
  expect_refusal(run("resume model-mala --draws +1"), {"priors.stan", "has changed"});
}

TEST_F(StanCompile, WritesTheLibraryAndSaysWhoMadeIt) {
  write("model.stan", program_);
  write("priors.stan", "");
  expect_contains(run("compile model.stan").out, "model.so (by BridgeStan in ");
  expect_contains(run("compile model.stan -o again.so").out, "it was compiled before");
  expect_refusal(run("compile model.stan"), {"model.so", "--force"});
  EXPECT_EQ(run("sample again.so" + short_run_).code, 0);
}

TEST_F(StanCompile, ShowsWhereTheProgramIsWrong) {
  write("wrong.stan", "model {\n  real x; oops;\n}\n");
  const Outcome outcome = run("sample wrong.stan");
  EXPECT_EQ(outcome.code, 2);
  expect_contains(outcome.err, "Semantic error in");
  expect_contains(outcome.err, "gadwall: wrong.stan:2:9: ");
}

TEST_F(StanCompile, TakesTheStanAndTheFlagsThatSampleIsTold) {
  write("model.stan", program_);
  write("priors.stan", "");
  std::filesystem::rename(path("bridgestan"), path("other"));
  const Outcome outcome = run("sample model.stan --stan other --flags=-O1" + short_run_);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read("flags"), "-ftls-model=initial-exec -O1 -fPIC\n");
  EXPECT_EQ(run("resume model-mala --draws +1 --quiet").code, 0);
  expect_refusal(run("sample " + fake("good") + " --flags=-O1" + short_run_),
                 {"--flags", "fake_good.so"});
  expect_refusal(run("sample neal100 --stan other"), {"--stan", "neal100"});
}

/// Ended, or not yet taken note of by its parent.
bool has_ended(const std::string& process) {
  std::ifstream status("/proc/" + process + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("State:")) return line.find('Z') != std::string::npos;
  }
  return true;
}

TEST_F(StanCompile, LeavesNothingBehindWhenItIsInterrupted) {
  const std::string number = "compiler";
  write("bridgestan/bin/stanc",
        "#!/bin/sh\necho $$ > " + path(number).string() + "\nexec sleep 60\n");
  write("model.stan", "model { }");
  for (const char* command : {"compile model.stan", "sample model.stan"}) {
    for (const auto& [signal_number, code] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
      write(number, "");
      const auto process = start(words(command));
      ASSERT_TRUE(process->wait_until([&] { return read(number).ends_with('\n'); }));
      process->send(signal_number);
      const Outcome outcome = process->finish();
      EXPECT_EQ(outcome.code, code);
      expect_contains(outcome.err, "\ngadwall: interrupted\n");
      EXPECT_TRUE(has_ended(words(read(number)).front()));
      EXPECT_TRUE(std::filesystem::is_empty(path("cache/gadwall")));
    }
  }
}

TEST_F(StanCompile, RemovesWhatKilledProcessesLeftBehind) {
  write("model.stan", "model { }");
  const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(25);
  for (const char* name : {"cache/gadwall/work-killed", "cache/gadwall/other"}) {
    std::filesystem::create_directories(path(name));
    std::filesystem::last_write_time(path(name), old);
  }
  std::filesystem::create_directories(path("cache/gadwall/work-busy"));
  ASSERT_EQ(run("compile model.stan").code, 0);
  EXPECT_FALSE(std::filesystem::exists(path("cache/gadwall/work-killed")));
  EXPECT_TRUE(std::filesystem::exists(path("cache/gadwall/work-busy")));
  EXPECT_TRUE(std::filesystem::exists(path("cache/gadwall/other")));
}

TEST_F(StanCompile, SaysWhichDirectoryCannotKeepTheResult) {
  write("model.stan", "model { }");
  write("file", "");
  {
    const Environment cache("XDG_CACHE_HOME", path("file"));
    expect_refusal(run("compile model.stan"),
                   {"gadwall: " + path("file/gadwall").string() + ": ", "set XDG_CACHE_HOME to"});
  }
  const Environment no_cache("XDG_CACHE_HOME", "");
  const Environment no_home("HOME", "");
  expect_refusal(run("compile model.stan"), {"HOME is not set", "set XDG_CACHE_HOME to"});
}

TEST_F(StanSample, SaysHowToGetStanWhereThereIsNone) {
  write("model.stan", "parameters { real x; } model { x ~ normal(0, 1); }");
  const Environment no_programs("PATH", path("nowhere"));
  const Environment no_home("HOME", path("nowhere"));
  const Environment no_bridgestan("BRIDGESTAN", "");
  const Environment no_cmdstan("CMDSTAN", "");
  const Outcome outcome = run("sample model.stan");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("apt install r-cran-rstan"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace gadwall::app
