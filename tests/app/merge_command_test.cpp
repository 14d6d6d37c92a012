// Jobs without MPI: chains of one run in several files.
#include "app/program.hpp"

namespace gadwall::app {
namespace {

class JobArrays : public ProgramTest {
 protected:
  void sample_parts() {
    const std::string common = "sample gaussian2d --sampler nuts --warmup 100 --draws 300 --quiet";
    ASSERT_EQ(run(common + " --chains 4 --out whole").code, 0);
    ASSERT_EQ(run(common + " --chains 2 --out part0").code, 0);
    ASSERT_EQ(run(common + " --chains 2 --chain-offset 2 --out part1").code, 0);
  }
};

TEST_F(JobArrays, TogetherAreTheWholeRun) {
  sample_parts();
  const Outcome merged = run("merge part1 part0.nc --out all");
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_EQ(merged.out, "draws: all.nc (gadwall summary all)\n");
  for (const char* name : {"whole", "all"}) {
    ASSERT_EQ(run(std::string("export ") + name).code, 0);
  }
  for (const char* chain : {"1", "2", "3", "4"}) {
    EXPECT_EQ(draws(std::string("all_") + chain + ".csv"),
              draws(std::string("whole_") + chain + ".csv"));
  }
  const auto parameters = [&](const std::string& runs) {
    return nlohmann::json::parse(run("summary --json " + runs).out).at("parameters");
  };
  EXPECT_EQ(parameters("part0 part1"), parameters("whole"));
  EXPECT_EQ(parameters("all"), parameters("whole"));
}

TEST_F(JobArrays, APartGoesOnAsItWas) {
  const std::string common = "sample gaussian2d --sampler nuts --warmup 50 --chains 2 --quiet";
  ASSERT_EQ(run(common + " --chain-offset 5 --draws 40 --out long").code, 0);
  ASSERT_EQ(run(common + " --chain-offset 5 --draws 20 --out short").code, 0);
  ASSERT_EQ(run("resume short --draws 40 --quiet").code, 0);
  ASSERT_EQ(run("export long").code + run("export short").code, 0);
  EXPECT_EQ(draws("short_2.csv"), draws("long_2.csv"));
  expect_contains(run("summary short").out, "seed 1, its chains 6 to 7");
}

TEST_F(JobArrays, TheSameChainTwiceIsNamed) {
  sample_parts();
  expect_refusal(run("merge whole part1 --out all"), {"whole.nc", "part1.nc", "chain 3 of seed 1"});
  const Outcome judged = run("diagnose whole part1");
  EXPECT_EQ(judged.code, 1);
  expect_contains(judged.out, "the same draws: chains 3 and 5, chains 4 and 6");
  expect_refusal(run("merge whole --out all"), {"expected two or more"});
  expect_refusal(run("sample gaussian2d --chain-offset -1"), {"--chain-offset", "-1"});
}

/// A table that has changed between two jobs, or lies in directories of their own.
TEST_F(JobArrays, OfOtherDataAreNotTakenAsOne) {
  const std::string common =
      "sample logistic --data d.csv --sampler nuts --chains 2 --warmup 20 --draws 20 --quiet";
  write("d.csv", "u,y\n1,1\n0,0\n3,1\n2,0\n");
  ASSERT_EQ(run(common + " --out part0").code, 0);
  write("d.csv", "u,y\n1,1\n1,0\n3,1\n2,0\n");
  ASSERT_EQ(run(common + " --out part1 --chain-offset 2").code, 0);
  for (const std::string command :
       {"merge part0 part1 --out all", "summary part0 part1", "diagnose part0 part1"}) {
    expect_refusal(run(command), {"part1.nc", "the data of the target", "part0.nc"});
  }
  EXPECT_EQ(run("report part0 part1").out, "report: comparison.html\n");
}

TEST_F(JobArrays, MissingValuesOfTheDataAreTheSame) {
  write("data.json", R"({"z": [1, NaN, 3]})");
  const std::string common = std::string("sample ") + GADWALL_FAKE_MODELS +
                             "/fake_good.so --data data.json --sampler nuts --chains 2 "
                             "--warmup 20 --draws 20 --quiet";
  ASSERT_EQ(run(common + " --out part0").code, 0);
  ASSERT_EQ(run(common + " --out part1 --chain-offset 2").code, 0);
  const Outcome merged = run("merge part0 part1 --out all");
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_EQ(run("report part0 part1").out, "report: part0.html\n");
}

TEST_F(JobArrays, AreRefusedWhereOneIsMissingOrTheNameIsNone) {
  sample_parts();
  expect_refusal(run("summary part0 nothere"), {"nothere: there is no such file"});
  expect_refusal(run("merge part0 nothere --out all"), {"there is no nothere.nc"});
  expect_refusal(run("merge part0 part1 --out " + path("").string()), {"is a directory"});
}

TEST_F(JobArrays, OneReportOfPartsAndAComparisonOfOthers) {
  sample_parts();
  EXPECT_EQ(run("report part0 part1").out, "report: part0.html\n");
  EXPECT_EQ(run("report part0 whole").out, "report: comparison.html\n");
}

}  // namespace
}  // namespace gadwall::app
