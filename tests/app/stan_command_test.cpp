// Compiled Stan programs on the command line; the library is one written by hand.
#include "app/program.hpp"

#include <cstdlib>
#include <optional>

namespace gadwall::app {
namespace {

/// The environment of the programs that are started while it lives.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Environment() {
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

class StanSample : public ProgramTest {
 protected:
  static std::string fake(const std::string& kind) {
    return std::string(GADWALL_FAKE_MODELS) + "/fake_" + kind + ".so";
  }
  const std::string short_run_ =
      " --sampler mala --warmup 100 --draws 20 --chains 2 --format csv --quiet ";
};

TEST_F(StanSample, TakesTheLibraryAsTargetOrAsOption) {
  ASSERT_EQ(run("sample " + fake("good") + short_run_).code, 0);
  ASSERT_EQ(run("sample stan --model " + fake("good") + short_run_ + "--out other").code, 0);
  EXPECT_EQ(draws("fake_good-mala_1.csv"), draws("other_1.csv"));
  EXPECT_NE(draws("other_1.csv").find(",mu,tau,twice.1,twice.2,noise\n"), std::string::npos);
}

TEST_F(StanSample, RefusesAProgramGivenTwice) {
  const Outcome outcome = run("sample " + fake("good") + " --model " + fake("good"));
  EXPECT_EQ(outcome.code, 2);
}

TEST_F(StanSample, FindsItsScalesFirstUnlessAScaleIsGiven) {
  const auto scout = [this](const std::string& options) {
    const Outcome outcome = run("sample " + fake("good") +
                                " --warmup 100 --draws 20 --json --force --out run " + options);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out)["settings"].value("scout", "none");
  };
  EXPECT_EQ(scout(""), "1000");
  EXPECT_EQ(scout("--scout 20"), "20");
  EXPECT_EQ(scout("--initial-scale 0.5"), "0");
  EXPECT_EQ(scout("--sampler nuts"), "none");
  const Outcome both = run("sample gaussian2d --scout 20 --initial-scale 0.5");
  EXPECT_EQ(both.code, 2);
  EXPECT_NE(both.err.find("--scout and --initial-scale exclude"), std::string::npos) << both.err;
}

TEST_F(StanSample, StartsWhereAFileSays) {
  write("start.json", R"({"mu": 0.25, "tau": 2})");
  const std::string still =
      " --sampler rwm --step 1e-9 --warmup 0 --draws 1 --chains 1 --format csv "
      "--quiet --save mu,tau --sig-figs 4 ";
  ASSERT_EQ(run("sample " + fake("good") + still + "--init start.json --out file").code, 0);
  EXPECT_NE(draws("file_1.csv").find(",0.25,2\n"), std::string::npos) << draws("file_1.csv");
  const Outcome missing = run("sample " + fake("good") + still + "--init absent.json");
  EXPECT_EQ(missing.code, 2);
  write("half.json", R"({"mu": 0.25})");
  const Outcome half = run("sample " + fake("good") + still + "--init half.json");
  EXPECT_EQ(half.code, 2);
  EXPECT_NE(half.err.find("there is no value of parameter 'tau'"), std::string::npos) << half.err;
}

TEST_F(StanSample, MakesTheSameGeneratedValuesWithAnyNumberOfThreads) {
  ASSERT_EQ(run("sample " + fake("good") + short_run_ + "--threads 1 --out one").code, 0);
  ASSERT_EQ(run("sample " + fake("serial") + short_run_ + "--threads 2 --out two").code, 0);
  EXPECT_EQ(draws("one_2.csv"), draws("two_2.csv"));
}

TEST_F(StanSample, GoesOnWithTheDrawsOfARunThatWasNeverStopped) {
  const std::string command = "sample " + fake("good") +
                              " --sampler gadmala --warmup 100 --chains 2 --format both --quiet ";
  ASSERT_EQ(run(command + "--draws 90 --out whole").code, 0);
  ASSERT_EQ(run(command + "--draws 40 --out short").code, 0);
  const Outcome more = run("resume short --draws +50 --quiet");
  EXPECT_EQ(more.code, 0) << more.err;
  EXPECT_EQ(draws("short_1.csv"), draws("whole_1.csv"));  // the random values `noise` too
  EXPECT_EQ(draws("short_2.csv"), draws("whole_2.csv"));
}

TEST_F(StanSample, DoesNotGoOnWithAnotherModelOrOtherData) {
  const auto copy = std::filesystem::copy_options::overwrite_existing;
  std::filesystem::copy_file(fake("good"), path("model.so"), copy);
  write("data.json", "{}");
  ASSERT_EQ(run("sample model.so --data data.json --out run" + short_run_).code, 0);
  write("data.json", "{ }");
  expect_refusal(run("resume run --draws +1"), {"data.json", "has changed since the run began"});
  write("data.json", "{}");
  std::filesystem::copy_file(fake("serial"), path("model.so"), copy);
  expect_refusal(run("resume run --draws +1"), {"model.so", "has changed since the run began"});
}

TEST_F(StanSample, KeepsTheValuesThatAreAskedFor) {
  ASSERT_EQ(run("sample " + fake("good") + short_run_ + "--save tau,twice[2] --out some").code, 0);
  expect_contains(draws("some_1.csv"), ",tau,twice.2\n");
  expect_refusal(run("sample " + fake("good") + short_run_ + "--save theta"), {"theta"});
}

TEST_F(StanSample, HasStansNamesInEveryFormat) {
  ASSERT_EQ(
      run("sample " + fake("good") +
          " --sampler mala --warmup 100 --draws 20 --chains 2 --format both --quiet --out run")
          .code,
      0);
  const auto names = [](const Outcome& outcome) {
    Words result;
    const auto summary = nlohmann::json::parse(outcome.out);
    for (const auto& parameter : summary["parameters"]) result.push_back(parameter["name"]);
    return result;
  };
  const Words wanted = {"mu", "tau", "twice.1", "twice.2", "noise"};
  EXPECT_EQ(names(run("summary run.nc --json")), wanted);
  EXPECT_EQ(names(run("summary run_1.csv run_2.csv --json")), wanted);
  EXPECT_EQ(run("report run.nc -o page.html").code, 0);
}

TEST_F(StanSample, ShowsWhyPointsWereRejected) {
  write("reject.json", "reject");
  const Outcome outcome = run("sample " + fake("good") + " --data reject.json" + short_run_);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("first: mu is negative"), std::string::npos) << outcome.err;
}

TEST_F(StanSample, ShowsWhatTheModelSaysOfItsData) {
  write("bad.json", "bad");
  const Outcome outcome = run("sample " + fake("good") + " --data bad.json");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("fake_good.so with bad.json: N is -1, but must be at least 0"),
            std::string::npos)
      << outcome.err;
}

/// With a BridgeStan whose makefile takes any program for the one written by hand, but refuses a
/// word as Stan's compiler does.
class StanCompile : public StanSample {
 protected:
  void SetUp() override {
    StanSample::SetUp();
    std::filesystem::create_directories(path("bridgestan/src"));
    write("bridgestan/src/bridgestan.h", "");
    write("bridgestan/src/version.hpp", "2.9.9");
    write("bridgestan/Makefile",
          "%_model.so: %.stan\n"
          "\t@! grep -n oops $< || (echo \"Semantic error in '$<', line 2, column 9\"; false)\n"
          "\t@touch $*.hpp; cp " +
              fake("good") + " $@\n");
    bridgestan_.emplace("BRIDGESTAN", path("bridgestan"));
    cache_.emplace("XDG_CACHE_HOME", path("cache"));
  }
  const std::string program_ = "#include priors.stan\nmodel { }\n";

 private:
  std::optional<Environment> bridgestan_;
  std::optional<Environment> cache_;
};

TEST_F(StanCompile, ComesBeforeSamplingWhereTheProgramIsNew) {
  write("model.stan", program_);
  write("priors.stan", "// wide\n");
  const Outcome first = run("sample model.stan" + short_run_);
  ASSERT_EQ(first.code, 0) << first.err;
  expect_contains(first.err, "Compiling model.stan with BridgeStan in ");
  ASSERT_EQ(run("sample " + fake("good") + short_run_).code, 0);
  EXPECT_EQ(draws("model-mala_1.csv"), draws("fake_good-mala_1.csv"));
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
