// gadwall summary: from files alone.
#include "app/program.hpp"

namespace gadwall::app {
namespace {

class SummaryCommand : public ProgramTest {
 protected:
  void sample(const std::string& name, const std::string& more = "") const {
    const Outcome outcome =
        run("sample --format csv --checkpoint 0 banana --dim 5 --sampler nuts --quiet --chains 3 "
            "--warmup 100 --draws 60 "
            "--out " +
            name + " " + more);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
};

TEST_F(SummaryCommand, PrintsATableOfAllParameters) {
  sample("run");
  const Outcome outcome = run("summary run");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(outcome.out.starts_with(
      "banana by nuts: 3 chains x (100 warm-up + 60 draws), 5 parameters, seed 1\n"))
      << outcome.out;
  for (const char* part : {"\nparameter ", " ess_bulk ", " rhat\n", "\nx.1 ", "\nx.5 ",
                           "\nacceptance 0.", "\nworst ESS "}) {
    expect_contains(outcome.out, part);
  }
}

TEST_F(SummaryCommand, ShowsTheWorstRowsFirst) {
  sample("run");
  const Outcome outcome = run("summary run --rows 2");
  expect_contains(outcome.out, "(2 of 5 parameters, the lowest ESS first)");
  EXPECT_EQ(run("summary run --rows 0").out, run("summary run").out);
  EXPECT_EQ(run("summary run --rows 99").out, run("summary run").out);
}

TEST_F(SummaryCommand, FitsTheTerminalAndDrawsTheChains) {
  sample("run");
  unsetenv("NO_COLOR");
  const std::string wide = run({"summary", "run"}, {.out_width = 150}).out;
  expect_contains(wide, "\x1b[");
  expect_contains(wide, "trace");
  setenv("NO_COLOR", "1", 1);
  const std::string narrow = run({"summary", "run"}, {.out_width = 50}).out;
  unsetenv("NO_COLOR");
  EXPECT_EQ(narrow.find('\x1b'), std::string::npos);
  const std::string table = narrow.substr(narrow.find("parameter "), narrow.find("acceptance"));
  EXPECT_LE(table.find("\r\n"), 50U);
  EXPECT_EQ(table.find("trace"), std::string::npos);
  EXPECT_EQ(run("summary run").out.find('\x1b'), std::string::npos);
}

/// Open MPI's mpirun has a terminal between its processes and the file that they write to.
TEST_F(SummaryCommand, UnderMpirunIsWhatAFileGets) {
  sample("run");
  setenv("OMPI_COMM_WORLD_SIZE", "1", 1);
  std::string text = run({"summary", "run"}, {.out_width = 80}).out;
  unsetenv("OMPI_COMM_WORLD_SIZE");
  std::erase(text, '\r');
  EXPECT_EQ(text, run("summary run").out);
}

TEST_F(SummaryCommand, ShowsAsManyRowsAsFitOnATerminal) {
  const Outcome sampled = run(
      "sample funnel --dim 30 --sampler nuts --quiet --chains 2 --warmup 50 --draws 20 --out run");
  ASSERT_EQ(sampled.code, 0) << sampled.err;
  expect_contains(run({"summary", "run"}, {.out_width = 120}).out,
                  "(15 of 30 parameters, the lowest ESS first)");
  expect_contains(run({"summary", "run", "--rows", "0"}, {.out_width = 120}).out,
                  "(the lowest ESS first)");
  expect_contains(run("summary run").out, "\n(the lowest ESS first)\n");
}

TEST_F(SummaryCommand, SaysInItsLastLineThatARunIsNotSound) {
  sample("run");  // of 60 draws
  EXPECT_EQ(last_line(run("summary run").out), "Not sound yet: gadwall diagnose run says why.");
  EXPECT_EQ(last_line(run("summary run_2.csv run_1.csv").out),
            "Not sound yet: gadwall diagnose run_2.csv run_1.csv says why.");
  ASSERT_EQ(run("sample gaussian2d --sampler nuts --quiet --out good").code, 0);
  EXPECT_TRUE(last_line(run("summary good").out).starts_with("worst ESS "));
}

TEST_F(SummaryCommand, TakesNoTableOfDataForDraws) {
  write("data.csv", "age,income\n1,2\n3,4\n5,7\n8,1\n");
  for (const std::string command : {"summary data.csv", "diagnose data.csv", "report data.csv"}) {
    expect_refusal(run(command), {"data.csv", "lp__", "--plain"});
  }
  const Outcome plain = run("summary data.csv --plain");
  EXPECT_EQ(plain.code, 0) << plain.err;
  expect_contains(plain.out, "\nincome ");
  EXPECT_EQ(plain.out.find("1 chain x "), 0U) << plain.out;  // no sampler, no seed
  expect_contains(plain.out, "acceptance -, - s");
  expect_contains(plain.out, "gadwall diagnose data.csv --plain says why");
  EXPECT_EQ(run("report data.csv --plain").code, 0);
}

TEST_F(SummaryCommand, ShowsWhatIsAskedForInTheOrderAskedFor) {
  sample("run");
  const std::string some = run("summary run --parameters x[4:5],*.1 --sort name").out;
  expect_contains(some, "\nx.1 ");
  expect_contains(some, "\nx.5 ");
  EXPECT_EQ(some.find("\nx.2 "), std::string::npos);
  expect_contains(some, "\n(by name)\n");
  const std::string csv = run("summary run --csv --quantiles 0.1,0.9").out;
  EXPECT_TRUE(csv.starts_with("parameter,mean,mcse_mean,sd,q0.1,q0.9,ess_bulk,")) << csv;
  EXPECT_EQ(std::ranges::count(csv, '\n'), 6);
  expect_refusal(run("summary run --parameters beta*"), {"--parameters", "'beta*'", "x.1"});
  expect_refusal(run("summary run --quantiles 5"), {"--quantiles", "'5'", "0 to 1"});
  expect_refusal(run("summary run --sort size"), {"--sort", "size"});
}

TEST_F(SummaryCommand, PointsAtTheCheckpointOfARunWithoutDraws) {
  const std::string command =
      "sample neal100 --sampler mala --warmup 1000000000 --max-time 0.2s --out run --chains 2";
  const Outcome outcome = run(command + " --quiet");
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  expect_contains(outcome.err, "gadwall: --max-time is over in warm-up, after ");
  expect_contains(outcome.err, "no draws yet\n");
  expect_contains(outcome.err, "gadwall resume run goes on from here\n");
  for (const std::string reader : {"summary run", "diagnose run", "report run", "summary run.nc"}) {
    expect_refusal(run(reader), {"run", "no draws yet", "run.checkpoint", "gadwall resume"});
  }
}

TEST_F(SummaryCommand, DoesNotKnowTheTimesOfAKilledRun) {
  const auto process =
      start(words("sample gaussian2d --sampler mala --chains 2 --warmup 10 --draws "
                  "1000000000 --checkpoint 0.1 --out run --quiet"));
  ASSERT_TRUE(process->wait_until([&] { return run("summary run").code == 0; }));
  process->send(SIGKILL);
  process->finish();
  expect_contains(run("summary run").out, ", - s (- warm-up + - sampling)\n");
}

TEST_F(SummaryCommand, DoesNotDependOnTheOrderOfTheFiles) {
  sample("run");
  EXPECT_EQ(run("summary run_1.csv run_2.csv run_3.csv --json").out,
            run("summary run_3.csv run_1.csv run_2.csv --json").out);
}

TEST_F(SummaryCommand, WorksInAnotherDirectoryLater) {
  sample("run");
  std::filesystem::remove(path("run.nc"));
  const std::string before = run("summary run --json").out;
  std::filesystem::create_directory(path("moved"));
  for (const std::string file : {"run_1.csv", "run_2.csv", "run_3.csv"}) {
    std::filesystem::rename(path(file), path("moved/" + file));
  }
  EXPECT_EQ(run("summary moved/run --json").out, before);
}

TEST_F(SummaryCommand, ReadsTheFilesOfCmdStan) {
  std::string text =
      "# stan_version_major = 2\n# model = eight_schools_model\n# method = sample\n"
      "#     num_samples = 10\n#     num_warmup = 5\n#     save_warmup = 0 (Default)\n"
      "# id = 1\nlp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__,"
      "mu,tau\n# Adaptation terminated\n# Step size = 0.5\n";
  for (int i = 0; i < 10; ++i) {
    text += "-1,0.9,0.5,2,3,0,1.5," + std::to_string(i % 4) + "," + std::to_string(i) + "\n";
  }
  text += "# \n#  Elapsed Time: 0.1 seconds (Warm-up)\n#                0.3 seconds (Sampling)\n";
  write("stan.csv", text);
  const Outcome outcome = run("summary stan.csv --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["target"], "eight_schools");
  EXPECT_EQ(json["draws"], 10);
  EXPECT_DOUBLE_EQ(json["accept_rate"], 0.9);
  EXPECT_DOUBLE_EQ(json["seconds"]["sampling"], 0.3);
  EXPECT_EQ(json["parameters"][1]["name"], "tau");
  EXPECT_DOUBLE_EQ(json["parameters"][1]["mean"], 4.5);
  EXPECT_TRUE(json["ess_worst_per_gradient"].is_null());
}

TEST_F(SummaryCommand, WarnsOfFilesOfDifferentRuns) {
  sample("a");
  sample("b", "--seed 2");
  const Outcome outcome = run("summary a_1.csv b_2.csv a_3.csv");
  EXPECT_EQ(outcome.code, 0);
  expect_contains(outcome.err, "gadwall: warning: a_1.csv and b_2.csv come from different runs\n");
}

TEST_F(SummaryCommand, RefusesWhatHoldsNoDraws) {
  write("empty.csv", "");
  write("garbage.csv", "\x01\x02 binary \xff\xfe,\n\x03\n");
  write("table.csv", "a,b\n1,2\n1\n");
  write("words.csv", "a,b\n1,2\n1,two\n");
  write("names.csv", "lp__,x.1\n");
  std::filesystem::create_directory(path("directory"));
  sample("run");
  std::filesystem::remove(path("run.nc"));
  std::filesystem::remove(path("run_2.csv"));
  for (const std::string command : {"summary ", "diagnose "}) {
    expect_refusal(run(command + "missing"), {"missing", "no such file", "missing_1.csv"});
    expect_refusal(run(command + "missing.csv"), {"missing.csv", "no such file"});
    expect_refusal(run(command + "empty.csv"), {"empty.csv", "no draws"});
    expect_refusal(run(command + "garbage.csv"), {"garbage.csv:"});
    expect_refusal(run(command + "table.csv"), {"table.csv:3", "1 cells", "2"});
    expect_refusal(run(command + "words.csv"), {"words.csv:3", "'b'", "two"});
    expect_refusal(run(command + "names.csv"), {"names.csv", "no draws"});
    expect_refusal(run(command + "directory"), {"directory"});
    expect_refusal(run(command + "run"), {"run_2.csv", "no such file", "3 chains"});
    expect_refusal(run(command + "run_1.csv run_1.csv"), {"run_1.csv", "twice"});
    expect_refusal(run(command + "run_1.csv words.csv"), {"words.csv"});
  }
}

}  // namespace
}  // namespace gadwall::app
