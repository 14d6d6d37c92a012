// gadwall sample: every sampler, the JSON object, the files, the seed, threads and lanes.
#include <regex>

#include "app/program.hpp"
#include "gadwall/catalog.hpp"

namespace gadwall::app {
namespace {

using Json = nlohmann::json;

Words keys(const Json& object) {
  Words names;
  for (const auto& item : object.items()) names.push_back(item.key());
  return names;
}

class SampleCommand : public ProgramTest {
 protected:
  /// The object that a command prints.
  Json json(const std::string& line) const {
    const Outcome outcome = run(line);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out);
  }
};

TEST_F(SampleCommand, RunsEverySamplerAndSummaryOfItsFilesGivesTheSameNumbers) {
  for (const SamplerRow& row : samplers()) {
    const std::string& name = row.name;
    const Json printed = json("sample --format csv --checkpoint 0 gaussian2d --sampler " + name +
                              " --chains 2 --warmup 150 --draws 40 --seed 5 --json");
    EXPECT_EQ(printed["target"], "gaussian2d");
    EXPECT_EQ(printed["sampler"], name);
    if (!row.pools) {  // else warm-up ends when lanes agree
      EXPECT_EQ(printed["warmup"], 150);
    }
    EXPECT_EQ(printed["draws"], 40);
    EXPECT_EQ(printed["chains"], 2);
    EXPECT_EQ(printed["dim"], 2);
    EXPECT_EQ(printed["seed"], 5);
    EXPECT_GT(printed["gradients"]["total"].get<int>() + printed["densities"]["total"].get<int>(),
              2 * 190);
    EXPECT_EQ(printed, json("summary gaussian2d-" + name + " --json"));
    EXPECT_EQ(printed,
              json("summary --json gaussian2d-" + name + "_1.csv gaussian2d-" + name + "_2.csv"));
  }
}

TEST_F(SampleCommand, PrintsOneJsonObjectWithThePromisedFields) {
  const Json printed = json(
      "sample --format csv --checkpoint 0 gaussian2d --sampler nuts --chains 2 --warmup 50 --draws "
      "50 --json");
  for (const char* field :
       {"target", "sampler", "dim", "chains", "warmup", "draws", "seed", "seconds", "gradients",
        "accept_rate", "divergences", "ess_paper", "ess_bulk", "ess_tail", "ess_worst",
        "ess_worst_per_second", "ess_worst_per_gradient", "rhat_max", "parameters"}) {
    EXPECT_TRUE(printed.contains(field)) << field;
  }
  for (const char* field : {"seconds", "gradients"}) {
    EXPECT_EQ(keys(printed[field]), (Words{"sampling", "total", "warmup"}));
  }
  for (const char* field : {"ess_paper", "ess_bulk", "ess_tail"}) {
    EXPECT_EQ(keys(printed[field]), (Words{"max", "median", "min"}));
  }
  ASSERT_EQ(printed["parameters"].size(), 2U);
  EXPECT_EQ(printed["parameters"][1]["name"], "x.2");
  for (const char* field :
       {"mean", "sd", "q05", "q50", "q95", "mcse_mean", "ess_bulk", "ess_tail", "ess_sq", "rhat"}) {
    EXPECT_TRUE(printed["parameters"][1][field].is_number()) << field;
  }
}

TEST_F(SampleCommand, WritesNullForWhatIsNotDefined) {
  const Json printed =
      json("sample --format csv --checkpoint 0 gaussian2d --chains 1 --warmup 10 --draws 1 --json");
  EXPECT_TRUE(printed["ess_worst"].is_null());
  EXPECT_TRUE(printed["rhat_max"].is_null());
  EXPECT_TRUE(printed["ess_bulk"]["min"].is_null());
  EXPECT_TRUE(printed["parameters"][0]["sd"].is_null());
  EXPECT_TRUE(printed["parameters"][0]["mean"].is_number());
}

TEST_F(SampleCommand, WritesFilesLikeThoseOfCmdStan) {
  ASSERT_EQ(run("sample --format csv --checkpoint 0 gaussian2d --sampler nuts --metric dense "
                "--chains 2 --warmup 60 --draws 30 "
                "--seed 9 --out run")
                .code,
            0);
  EXPECT_EQ(files(), (Words{"run.nc", "run_1.csv", "run_2.csv"}));
  const std::string text = read("run_2.csv");
  for (const char* line :
       {"# model = gaussian2d\n", "#     num_samples = 30\n", "#     num_warmup = 60\n",
        "#       delta = 0.8\n", "#         engine = nuts\n", "#         metric = dense_e\n",
        "# id = 2\n", "#   seed = 9\n", "#   file = run_2.csv\n", "# Adaptation terminated\n",
        "# Elements of inverse mass matrix:\n", "seconds (Total)\n"}) {
    expect_contains(text, line);
  }
  const std::string lines = draws("run_2.csv");
  EXPECT_EQ(std::ranges::count(lines, '\n'), 31);
  EXPECT_TRUE(
      lines.starts_with("lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,"
                        "divergent__,energy__,x.1,x.2\n"));
}

TEST_F(SampleCommand, SaysNothingOnStderrThatIsNoTerminal) {
  const Outcome outcome =
      run("sample --format csv --checkpoint 0 neal100 --sampler gadmala --chains 2 "
          "--warmup 100 --draws 500");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  expect_contains(outcome.out, "neal100 by gadmala: 2 chains x (100 warm-up + 500 draws)");
  expect_contains(outcome.out, "(10 of 100 parameters, the lowest ESS first)");
}

TEST_F(SampleCommand, PrintsOnlyTheNameOfTheFilesWhenQuiet) {
  const Outcome outcome = run(
      "sample --format csv --checkpoint 0 gaussian2d --quiet --chains 2 --warmup 10 --draws 10");
  EXPECT_EQ(outcome.out,
            "draws: gaussian2d-auto.nc, gaussian2d-auto_1.csv to gaussian2d-auto_2.csv "
            "(gadwall summary gaussian2d-auto)\n");
}

TEST_F(SampleCommand, ShowsProgressOnATerminal) {
  const auto process = start(words("sample --format csv --checkpoint 0 funnel --dim 1000 --sampler "
                                   "hmc --leapfrog 50 --chains "
                                   "2 --warmup 5 --draws 1000000000"),
                             true);
  EXPECT_TRUE(
      process->wait_until([&] { return process->said().find(" h left") != std::string::npos; }));
  process->send(SIGINT);
  const Outcome outcome = process->finish();
  EXPECT_EQ(outcome.code, 130);
  const std::regex titles(R"(chain +draws +accept +step +log\|L\| +grad/s +div +ESS)");
  EXPECT_TRUE(std::regex_search(outcome.err, titles)) << outcome.err;
  const std::regex line(R"(\n\x1b\[2K1 +[\d,]+ +[01]\.\d{3} +\S+ +0 +[\d,]+ +\d+ +\S+\r?\n)");
  EXPECT_TRUE(std::regex_search(outcome.err, line)) << outcome.err;
  const std::regex all(R"(draws [\d,]+ / 1,000,000,000  worst ESS .* [\d.]+ h left)");
  EXPECT_TRUE(std::regex_search(outcome.err, all)) << outcome.err;
  EXPECT_EQ(outcome.out.find("left"), std::string::npos);
}

TEST_F(SampleCommand, DrawsTheSameNumbersForTheSameSeedAndAnyNumberOfThreads) {
  const std::string common =
      "sample --format csv --checkpoint 0 gp51 --quiet --chains 4 --warmup 300 --draws 200 ";
  ASSERT_EQ(run(common + "--seed 3 --threads 1 --out a").code, 0);
  ASSERT_EQ(run(common + "--seed 3 --threads 2 --out b").code, 0);
  ASSERT_EQ(run(common + "--seed 4 --threads 2 --out c").code, 0);
  for (const std::string chain : {"_1.csv", "_2.csv", "_3.csv", "_4.csv"}) {
    EXPECT_EQ(draws("a" + chain), draws("b" + chain));
    EXPECT_NE(draws("a" + chain), draws("c" + chain));
  }
  EXPECT_NE(draws("a_1.csv"), draws("a_2.csv"));
}

TEST_F(SampleCommand, LanesShareWhatTheyLearnWhateverTheNumberOfThreads) {
  const std::string common =
      "sample --format csv --checkpoint 0 gp51 --sampler gadmala --quiet --warmup 200 --draws 50 "
      "--lanes 4 ";
  ASSERT_EQ(run(common + "--chains 8 --threads 1 --out a").code, 0);
  ASSERT_EQ(run(common + "--chains 8 --threads 2 --out b").code, 0);
  for (const std::string chain : {"_1.csv", "_4.csv", "_5.csv", "_8.csv"}) {
    EXPECT_EQ(draws("a" + chain), draws("b" + chain));
  }
  const auto learnt = [&](const std::string& name) {
    const std::string text = read(name);
    const auto begin = text.find("# Elements of inverse mass matrix");
    return text.substr(begin, text.find("\n-", begin) - begin);
  };
  EXPECT_EQ(learnt("a_1.csv"), learnt("a_4.csv"));
  EXPECT_NE(learnt("a_1.csv"), learnt("a_5.csv"));
  EXPECT_EQ(json("summary a --json")["lanes"], 4);
  // Without --chains there are whole batches, as many as the sampler's chains need.
  const auto chains = [this](const std::string& options) {
    return json("sample --checkpoint 0 gaussian2d --warmup 9 --draws 9 --json --sampler " +
                options)["chains"]
        .get<int>();
  };
  EXPECT_EQ(chains("gadmala --lanes 6"), 6);
  EXPECT_EQ(chains("gadmala --lanes 3"), 6);
  EXPECT_EQ(chains("gadmala --lanes 2"), 4);
  EXPECT_EQ(chains("auto"), 16);
  EXPECT_EQ(chains("auto --lanes 6"), 18);
}

TEST_F(SampleCommand, TakesCountsInPowersOfTenAndNeverAsOctal) {
  const Json printed = json(
      "sample --format csv --checkpoint 0 gaussian2d --sampler mala --warmup 1e2 "
      "--draws 010 --json");
  EXPECT_EQ(printed["warmup"], 100);
  EXPECT_EQ(printed["draws"], 10);
}

TEST_F(SampleCommand, RecordsTheNumbersOfTheSampler) {
  const Json printed = json(
      "sample --format csv --checkpoint 0 gaussian2d --sampler hmc --leapfrog 3 --jitter 0.25 "
      "--warmup 20 --draws 20 --json");
  EXPECT_EQ(printed["settings"]["leapfrog"], "3");
  EXPECT_EQ(printed["settings"]["jitter"], "0.25");
  EXPECT_EQ(printed["gradients"]["sampling"], 4 * 20 * 3);
}

}  // namespace
}  // namespace gadwall::app
