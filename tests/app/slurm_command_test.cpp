// slurm: the script, carried out with stand-ins for what a cluster has.
#include <cstdlib>

#include "app/program.hpp"

namespace gadwall::app {
namespace {

class SlurmScript : public ProgramTest {
 protected:
  /// The script, which must be one for bash.
  std::string script(const std::string& line) { return script(words(line)); }
  std::string script(const Words& command) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    write("job.sh", outcome.out);
    EXPECT_EQ(std::system(("bash -n " + path("job.sh").string()).c_str()), 0);
    return outcome.out;
  }

  void make_executable(const char* name) const {
    std::filesystem::permissions(path(name), std::filesystem::perms::owner_all);
  }

  /// What the script makes of it, with a stand-in for srun: the words after gadwall.
  std::string told_by_job(const std::string& environment) {
    write("srun",
          "#!/bin/bash\nshift 2\nprintf '%s\\n' \"$@\" > said\n"
          "echo \"$SRUN_CPUS_PER_TASK\" > processors\nexit ${SRUN_ENDS:-0}\n");
    make_executable("srun");
    const std::string call =
        "cd '" + path("").string() + "' && env PATH=.:$PATH " + environment + " bash job.sh";
    static_cast<void>(std::system(call.c_str()));
    return read("said");
  }

  static std::string lines(const Words& words) {
    std::string text;
    for (const std::string& word : words) text += word + "\n";
    return text;
  }
};

TEST_F(SlurmScript, RunsOverNodesAndGoesOnWhenQueuedAgain) {
  const std::string text = script(
      "slurm --nodes 4 --tasks-per-node 2 --time 30 -- sample neal100 --chains 8 --out it's");
  for (const char* part :
       {"#SBATCH --nodes=4\n", "#SBATCH --ntasks-per-node=2\n", "#SBATCH --time=30\n",
        "#SBATCH --job-name=it_s\n", "gadwall sample --out \"$run\" neal100 --chains 8",
        "srun --kill-on-bad-exit=1 gadwall resume", "scontrol requeue", "USR1@"}) {
    expect_contains(text, part);
  }
}

TEST_F(SlurmScript, OfAnArrayGivesEveryJobItsChains) {
  script("slurm --array 4 -- sample gaussian2d --sampler nuts --chains 3 --out parts/run");
  EXPECT_EQ(told_by_job("SLURM_ARRAY_TASK_ID=2"),
            lines({"sample", "--out", "parts/run-part2", "--chain-offset", "6", "gaussian2d",
                   "--sampler", "nuts", "--chains", "3"}));
}

/// Names reach the program as they are, whatever a shell would make of them, and so does a --.
TEST_F(SlurmScript, KeepsEveryWord) {
  const std::string name = "it's $HOME `x` \"q\"";
  script(
      {"slurm", "--array", "2", "--", "sample", "--chains", "2", "--out", name, "--", "neal100"});
  EXPECT_EQ(told_by_job("SLURM_ARRAY_TASK_ID=1"),
            lines({"sample", "--out", name + "-part1", "--chain-offset", "2", "--chains", "2", "--",
                   "neal100"}));
}

/// Queued again it goes on, also where --out was a directory.
TEST_F(SlurmScript, GoesOnWithTheRunItBegan) {
  std::filesystem::create_directory(path("runs"));
  script("slurm -- sample neal100 --sampler nuts --out runs");
  EXPECT_EQ(told_by_job(""),
            lines({"sample", "--out", "runs/neal100-nuts", "neal100", "--sampler", "nuts"}));
  write("runs/neal100-nuts.checkpoint", "");
  EXPECT_EQ(told_by_job(""), lines({"resume", "runs/neal100-nuts"}));
}

/// srun does not take it over from the job by itself.
TEST_F(SlurmScript, GivesProcessesTheirProcessors) {
  script("slurm --cpus-per-task 3 -- sample neal100 --out x");
  told_by_job("SLURM_CPUS_PER_TASK=3");
  EXPECT_EQ(read("processors"), "3\n");
}

TEST_F(SlurmScript, QueuesAJobAgainWhoseTimeIsOver) {
  script("slurm -- sample neal100 --out x");
  write("scontrol", "#!/bin/bash\necho \"$@\" > queued\n");
  make_executable("scontrol");
  told_by_job("SLURM_JOB_ID=77 SRUN_ENDS=138");
  EXPECT_EQ(read("queued"), "requeue 77\n");
}

TEST_F(SlurmScript, RefusesWhatTheRunWouldRefuse) {
  expect_refusal(run("slurm --nodes 2 -- summary x"), {"expected sample"});
  expect_refusal(run("slurm --nodes 2 -- sample neal100 --chains no"), {"--chains", "no"});
  expect_refusal(run("slurm --nodes 0 -- sample neal100"), {"--nodes", "0"});
  expect_refusal(run("slurm -- sample neal10"), {"neal10", "neal100"});
  expect_refusal(run("slurm -- sample neal100 --dim 3"), {"--dim", "funnel"});
  expect_refusal(run("slurm -- sample neal100 --help"), {"sample: ", "--help"});
  expect_refusal(run({"slurm", "--time", "1:00 -x", "--", "sample", "neal100"}),
                 {"--time", "days-hours"});
  expect_refusal(run("slurm --array 2 -- sample neal100 --save-tuning t"), {"--save-tuning t"});
  expect_refusal(run("slurm --nodes 4 --array 3 -- sample neal100"), {"--nodes is 4", "--array"});
  expect_refusal(run("slurm --tasks-per-node 2 --array 3 -- sample neal100"),
                 {"--tasks-per-node is 2", "--array"});
  expect_refusal(run("slurm --array 1000 -- sample neal100 --chain-offset 999999999"), {"--array"});
  // In a comment a second line would be a command.
  expect_refusal(run({"slurm", "--array", "2", "--", "sample", "neal100", "--out", "a\nrm -rf x"}),
                 {"--out", "one line"});
}

}  // namespace
}  // namespace gadwall::app
