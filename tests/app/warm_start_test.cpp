// Runs that begin where another one ended.
#include "app/program.hpp"

namespace gadwall::app {
namespace {

using Json = nlohmann::json;

class WarmStart : public ProgramTest {
 protected:
  Json tuning(const std::string& name) const { return Json::parse(read(name)); }

  /// The last line of a draws file without the columns that are not parameters.
  std::vector<double> last_values(const std::string& name) const {
    std::istringstream line(last_line(draws(name)));
    std::vector<double> values;
    for (std::string cell; std::getline(line, cell, ',');) values.push_back(std::stod(cell));
    return {values.begin() + 7, values.end()};
  }
};

TEST_F(WarmStart, TakesTheTuningOfAFileOrARun) {
  for (const std::string sampler : {"gadmala", "nuts", "rwm", "gadmala --metric diag"}) {
    const std::string line = "sample gp51 --quiet --force --sampler " + sampler;
    ASSERT_EQ(run(line + " --warmup 300 --draws 50 --out first --save-tuning first.json").code, 0);
    const std::string again = line + " --warmup 0 --draws 50 --out second --save-tuning ";
    for (const std::string from : {"first.json", "first.nc", "first"}) {
      const Outcome outcome = run(again + "second.json --tuning " + from);
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      const Json one = tuning("first.json");
      const Json two = tuning("second.json");
      EXPECT_EQ(one["metric"], two["metric"]);
      EXPECT_NEAR(two["step"].get<double>() / one["step"].get<double>(), 1, 1e-12) << sampler;
      EXPECT_EQ(one.contains("L"), two.contains("L"));
      if (!one.contains("L")) continue;
      const Json a = one["L"].flatten();
      const Json b = two["L"].flatten();
      for (const auto& [key, value] : a.items()) {
        EXPECT_NEAR(b[key].get<double>(), value.get<double>(), 1e-9) << sampler << key;
      }
    }
  }
}

TEST_F(WarmStart, ShortensWarmUpToATenth) {
  const std::string line = "sample gaussian2d --sampler gadmala --draws 50 ";
  ASSERT_EQ(run(line + "--quiet --out first").code, 0);
  const Outcome outcome = run(line + "--tuning first --out second --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out)["warmup"], 2000);
}

TEST_F(WarmStart, BeginsAtTheLastDrawsOfARun) {
  const std::string line = "sample gp51 --quiet --format csv --chains 2 ";
  ASSERT_EQ(run(line + "--warmup 100 --draws 20 --out first").code, 0);
  const Outcome outcome =
      run(line +
          "--sampler rwm --step 1e-12 --step-rate 0 --warmup 0 --draws 1 --init first --out next");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* chain : {"_1.csv", "_2.csv"}) {
    const auto before = last_values(std::string("first") + chain);
    const auto after = last_values(std::string("next") + chain);
    ASSERT_EQ(before.size(), 51U);
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(after[i], before[i], 1e-9);
  }
}

TEST_F(WarmStart, RefusesWhatDoesNotFit) {
  write("text.json", "L = 3");
  write("triangle.json", R"({"metric":"dense","dim":2,"step":1,"beta":null,"L":[[1],[2]]})");
  ASSERT_EQ(run("sample gp51 --sampler gadmala --quiet --warmup 20 --draws 20 --out gp").code, 0);
  const std::string line = "sample gaussian2d --sampler gadmala ";
  expect_refusal(run(line + "--tuning text.json"), {"--tuning text.json", "--save-tuning"});
  expect_refusal(run(line + "--tuning triangle.json"), {"triangle.json", "not a lower triangle"});
  expect_refusal(run(line + "--tuning none.json"), {"none.json", "no such file"});
  expect_refusal(run(line + "--tuning gp"), {"for 51 parameters, expected 2"});
  expect_refusal(run(line + "--tuning gp --initial-scale 2"), {"--tuning", "--initial-scale"});
  ASSERT_EQ(run("sample gaussian2d --quiet --warmup 20 --draws 20 --out two").code, 0);
  expect_refusal(run("sample gp51 --start two"), {"--start two", "x.3"});
  expect_refusal(run(line + "--init gp --start normal:2"), {"--start", "more than once"});
  expect_refusal(run("sample gp51 --init gp --chains 200"), {"--start gp", "200 chains"});
}

/// Without warm-up the tuning is taken as it is: words that ask for another are refused.
TEST_F(WarmStart, RefusesWordsThatOnlyWarmUpCouldHeed) {
  ASSERT_EQ(run("sample funnel --quiet --seed 3 --draws 20 --out first").code, 0);
  const std::string line = "sample funnel --tuning first --warmup 0 --draws 20 --out second ";
  expect_refusal(run(line + "--warp off"), {"--warp off", "change of variables", "--warmup 0"});
  expect_refusal(run(line + "--trajectory nuts"), {"--trajectory nuts", "--warmup 0"});
  EXPECT_EQ(run(line + "--quiet --warp auto --init first").code, 0);
}

TEST_F(WarmStart, WarnsOfDrawsThatBeginFarFromTheBulk) {
  const std::string line = "sample gaussian2d --draws 20 --chains 2 --force ";
  ASSERT_EQ(run(line + "--quiet --out first").code, 0);
  const std::string again = line + "--tuning first --out second ";
  EXPECT_NE(run(again + "--warmup 0").err.find("may be far from the bulk"), std::string::npos);
  EXPECT_EQ(run("resume second --draws +20").err.find("far from the bulk"), std::string::npos);
  EXPECT_EQ(run(again + "--warmup 0 --init first").err.find("far from the bulk"),
            std::string::npos);
  EXPECT_EQ(run(again + "--warmup 20").err.find("far from the bulk"), std::string::npos);
}

TEST_F(WarmStart, NeverWritesTuningOverTheRunOrItsData) {
  write("table.csv", "a,y\n1,0\n2,1\n3,0\n4,1\n");
  const std::string line =
      "sample logistic --data table.csv --warmup 20 --draws 20 --quiet --out run --save-tuning ";
  for (const std::string file : {"run.nc", "./run.checkpoint", "run.lock"}) {
    expect_refusal(run(line + file), {file, "belongs to the run"});
  }
  expect_refusal(run(line + "table.csv --force"), {"table.csv", "belongs to the run"});
  expect_refusal(run(line + "run_2.csv --format csv"), {"run_2.csv", "belongs to the run"});
  EXPECT_EQ(files(), Words{"table.csv"});
}

}  // namespace
}  // namespace gadwall::app
