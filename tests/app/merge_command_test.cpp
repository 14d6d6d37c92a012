// Jobs without MPI: chains of one run in several files, and the script that makes them.
#include <cstdlib>

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

TEST_F(JobArrays, OneReportOfPartsAndAComparisonOfOthers) {
  sample_parts();
  EXPECT_EQ(run("report part0 part1").out, "report: part0.html\n");
  EXPECT_EQ(run("report part0 whole").out, "report: comparison.html\n");
}

class SlurmScript : public ProgramTest {
 protected:
  /// The script, which must be one for bash.
  std::string script(const std::string& line) {
    const Outcome outcome = run(line);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    write("job.sh", outcome.out);
    EXPECT_EQ(std::system(("bash -n " + path("job.sh").string()).c_str()), 0);
    return outcome.out;
  }
};

TEST_F(SlurmScript, RunsOverNodesAndGoesOnWhenQueuedAgain) {
  const std::string text = script(
      "slurm --nodes 4 --tasks-per-node 2 --time 30 -- sample neal100 --chains 8 --out it's");
  for (const char* part :
       {"#SBATCH --nodes=4\n", "#SBATCH --ntasks-per-node=2\n", "#SBATCH --time=30\n",
        "gadwall sample neal100 --chains 8 --out", "srun --kill-on-bad-exit=1 gadwall resume",
        "scontrol requeue", "USR1@"}) {
    expect_contains(text, part);
  }
}

/// The script itself, with stand-ins for srun and gadwall, as the third job.
TEST_F(SlurmScript, OfAnArrayGivesEveryJobItsChains) {
  script("slurm --array 4 -- sample gaussian2d --sampler nuts --chains 3 --out parts/run");
  write("srun", "#!/bin/bash\necho \"$@\"\n");
  std::filesystem::permissions(path("srun"), std::filesystem::perms::owner_all);
  const std::string call =
      "cd '" + path("").string() + "' && PATH=.:$PATH SLURM_ARRAY_TASK_ID=2 bash job.sh > said";
  ASSERT_EQ(std::system(call.c_str()), 0);
  EXPECT_EQ(read("said"),
            "--kill-on-bad-exit=1 gadwall sample gaussian2d --sampler nuts --chains 3 "
            "--chain-offset 6 --out parts/run-part2\n");
}

TEST_F(SlurmScript, RefusesWhatTheRunWouldRefuse) {
  expect_refusal(run("slurm --nodes 2 -- summary x"), {"expected sample"});
  expect_refusal(run("slurm --nodes 2 -- sample neal100 --chains no"), {"--chains", "no"});
  expect_refusal(run("slurm --nodes 0 -- sample neal100"), {"--nodes", "0"});
}

}  // namespace
}  // namespace gadwall::app
