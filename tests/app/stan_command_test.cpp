// Compiled Stan programs on the command line.
#include "app/stan_testing.hpp"

namespace gadwall::app {
namespace {

TEST_F(StanSample, TakesTheLibraryAsTargetOrAsOption) {
  ASSERT_EQ(run("sample " + fake("good") + short_run_).code, 0);
  ASSERT_EQ(run("sample stan --model " + fake("good") + short_run_ + "--out other").code, 0);
  EXPECT_EQ(draws("fake_good-mala_1.csv"), draws("other_1.csv"));
  EXPECT_NE(draws("other_1.csv").find(",mu,tau,twice.1,twice.2,noise\n"), std::string::npos);
}

TEST_F(StanSample, PutsGeneratedValuesToGroupsOfTheirOwn) {
  const std::string grouped = short_run_ + "--groups posterior_predictive=noise --out run";
  ASSERT_EQ(run("sample " + fake("good") + grouped).code, 0);
  EXPECT_NE(draws("run_1.csv").find(",mu,tau,twice.1,twice.2,noise\n"), std::string::npos);
  const Outcome outcome = run("summary run");
  EXPECT_NE(outcome.out.find(", without noise\n"), std::string::npos) << outcome.out;
  const Outcome of_csv = run("summary run_1.csv run_2.csv");
  EXPECT_NE(of_csv.out.find(", without noise\n"), std::string::npos) << of_csv.out;
  expect_refusal(run("sample " + fake("good") + short_run_ + "--groups log_likelihood=nois"),
                 {"--groups", "nois", "noise, twice"});
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
  EXPECT_EQ(scout("--sampler gadmala"), "1000");
  EXPECT_EQ(scout("--sampler gadmala --scout 20"), "20");
  EXPECT_EQ(scout("--sampler gadmala --initial-scale 0.5"), "0");
  EXPECT_EQ(scout(""), "none");  // auto finds scales by itself
  EXPECT_EQ(scout("--sampler nuts"), "none");
  const Outcome both = run("sample gaussian2d --sampler gadmala --scout 20 --initial-scale 0.5");
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
  expect_refusal(run("sample " + fake("good") + still + "--init absent.json"),
                 {"--start absent.json: there is no such file", "absent_1.json"});
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

TEST_F(StanSample, WarnsOfTurnsOnlyWhereThereAreSeveral) {
  const auto said = [this](const std::string& options) {
    const Outcome outcome =
        run("sample " + fake("serial") +
            " --sampler mala --warmup 100 --draws 20 --quiet --force " + options);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.err;
  };
  expect_contains(said("--chains 2 --threads 2"), "the threads take turns");
  EXPECT_EQ(said("--chains 2 --threads 1"), "");
  EXPECT_EQ(said("--chains 1 --threads 2"), "");
}

TEST_F(StanSample, SaysWhereTheSameSeedMayGiveOtherDraws) {
  expect_contains(run("sample " + fake("reduce_sum") + short_run_).err, "uses reduce_sum");
  EXPECT_EQ(run("sample " + fake("good") + short_run_).err, "");
}

TEST_F(StanSample, GoesOnWithTheDrawsOfARunThatWasNeverStopped) {
  const std::string command = "sample " + fake("good") +
                              " --sampler gadmala --warmup 100 --chains 2 --format both --quiet ";
  ASSERT_EQ(run(command + "--draws 90 --out whole").code, 0);
  ASSERT_EQ(run(command + "--draws 40 --out short").code, 0);
  const Outcome more = run("resume short --draws +50 --quiet");
  EXPECT_EQ(more.code, 0) << more.err;
  expect_contains(more.err, "the run's target is in the library " + fake("good"));
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
  expect_refusal(run("sample " + fake("good") + short_run_ + "--save twice[1:99]"),
                 {"twice[1:99]", "twice[1:2]"});
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
  write("reject.json", R"({"reject": 1})");
  const Outcome outcome = run("sample " + fake("good") + " --data reject.json" + short_run_);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("first: mu is negative"), std::string::npos) << outcome.err;
}

TEST_F(StanSample, CountsASingleRejectedPointAsOne) {
  write("reject.json", R"({"reject": 1})");
  write("edge.json", R"({"mu": 0, "tau": 1})");
  const Outcome outcome = run("sample " + fake("good") +
                              " --data reject.json --init edge.json --sampler rwm --warmup 0 "
                              "--draws 1 --chains 1 --seed 1 --quiet");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  expect_contains(outcome.err, "the target threw at 1 point, which was rejected; the first: mu");
}

TEST_F(StanSample, WantsAnObjectAsData) {
  const auto with = [&](const std::string& text) {
    write("data.json", text);
    return run("sample " + fake("good") + " --data data.json --out run" + short_run_);
  };
  expect_refusal(with(" \n"), {"data.json: the file is empty", "expected Stan's JSON"});
  expect_refusal(with("y,x1,x2\n0,1,2\n"), {"data.json: begins with 'y,x1,x2'", "Stan's JSON"});
  const Outcome marked = with("\xEF\xBB\xBF{\"bad\": 1}");
  expect_refusal(marked, {"N is -1, but must be at least 0"});
  EXPECT_EQ(with("\xEF\xBB\xBF{}").code, 0);
  write("start.json", "\xEF\xBB\xBF{\"mu\": 0, \"tau\": 1}");
  EXPECT_EQ(run("sample " + fake("good") + " --init start.json" + short_run_).code, 0);
}

TEST_F(StanSample, ShowsWhatTheModelSaysOfItsData) {
  write("bad.json", R"({"bad": 1})");
  const Outcome outcome = run("sample " + fake("good") + " --data bad.json");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("fake_good.so with bad.json: N is -1, but must be at least 0"),
            std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace gadwall::app
