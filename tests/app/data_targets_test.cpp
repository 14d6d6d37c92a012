// Targets that are made from files: the same data in another dress gives the same draws.
#include "app/program.hpp"
#include "app/table.hpp"

namespace gadwall::app {
namespace {

using Json = nlohmann::json;

class DataTarget : public ProgramTest {
 protected:
  /// The numbers that `sample logistic` draws, without the line of names.
  std::string numbers(const std::string& arguments) const {
    const Outcome outcome =
        run("sample --format csv --checkpoint 0 logistic --sampler nuts --chains 1 --warmup 80 "
            "--draws 20 --quiet --force "
            "--out run " +
            arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const std::string lines = draws("run_1.csv");
    return lines.substr(lines.find('\n') + 1);
  }

  /// The parameters' names in the draws file of the last run.
  std::string names() const {
    const std::string lines = draws("run_1.csv");
    const std::string first = lines.substr(0, lines.find('\n'));
    return first.substr(first.find("energy__,") + 9);
  }
};

TEST_F(DataTarget, ReadsEveryFormOfATable) {
  write("comma.csv", table());
  const std::string wanted = numbers("--data comma.csv");
  EXPECT_EQ(std::ranges::count(wanted, '\n'), 20);
  EXPECT_EQ(names(), "size,age,bias");

  write("space.txt", table({.separator = "  "}));
  EXPECT_EQ(numbers("--data space.txt"), wanted);
  write("semicolon.csv", table({.separator = ";"}));
  EXPECT_EQ(numbers("--data semicolon.csv"), wanted);
  write_gzip(path("comma.csv.gz").string(), table());
  EXPECT_EQ(numbers("--data comma.csv.gz"), wanted);
  write("plain.csv", table({.header = ""}));
  EXPECT_EQ(numbers("--data plain.csv"), wanted);
  EXPECT_EQ(names(), "x1,x2,bias");
  EXPECT_EQ(numbers("--data plain.csv --header no"), wanted);
}

TEST_F(DataTarget, FindsTheLabelByNameAndByPosition) {
  write("last.csv", table());
  const std::string wanted = numbers("--data last.csv");
  write("first.csv", table({.header = "sick,size,age", .label_first = true}));
  for (const std::string label : {"sick", "1", "-3"}) {
    EXPECT_EQ(numbers("--data first.csv --label " + label), wanted) << label;
  }
}

TEST_F(DataTarget, TakesAnyTwoClasses) {
  write("binary.csv", table());
  const std::string wanted = numbers("--data binary.csv");
  const std::string pairs[][2] = {{"-1", "1"}, {"1", "2"}, {"0.0", "1.0"}, {"healthy", "sick"}};
  for (const auto& pair : pairs) {
    write("table.csv", table({.classes = {pair[0], pair[1]}}));
    EXPECT_EQ(numbers("--data table.csv"), wanted) << pair[0];
  }
}

TEST_F(DataTarget, ScalesOrStandardisesOrLeavesTheFeatures) {
  write("table.csv", table());
  write("halves.csv", table({.divisor = 2}));
  const std::string scaled = numbers("--data table.csv --scale 2");
  EXPECT_EQ(scaled, numbers("--data halves.csv --no-standardise"));
  EXPECT_NE(scaled, numbers("--data table.csv --no-standardise"));
  EXPECT_NE(scaled, numbers("--data table.csv"));
  expect_refusal(
      run("sample --format csv --checkpoint 0 logistic --data table.csv --scale 2 --standardise"),
      {"--scale", "--standardise"});
}

TEST_F(DataTarget, LeavesOutTheBias) {
  write("table.csv", table());
  numbers("--data table.csv --no-bias");
  EXPECT_EQ(names(), "size,age");
}

TEST_F(DataTarget, UsesThePriorsSd) {
  write("table.csv", table());
  const Outcome outcome =
      run("sample --format csv --checkpoint 0 logistic --data table.csv --sampler nuts --chains 2 "
          "--warmup 300 --draws 500 --prior-sd 0.001 --json");
  const Json json = Json::parse(outcome.out);
  for (const Json& parameter : json["parameters"]) {  // 40 rows say nothing against such a prior
    EXPECT_NEAR(parameter["sd"].get<double>(), 0.001, 4 * parameter["mcse_sd"].get<double>());
    EXPECT_NEAR(parameter["mean"].get<double>(), 0, 4 * parameter["mcse_mean"].get<double>());
  }
}

TEST_F(DataTarget, DropsConstantColumnsAndNamesThem) {
  write("table.csv", "a,same,b,y\n1,7,3,0\n2,7,1,1\n3,7,2,1\n");
  const std::string line =
      "sample --format csv --checkpoint 0 logistic --data table.csv --quiet --warmup 20 --draws "
      "20 ";
  const Outcome outcome = run(line + "--chains 1 --out run");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "gadwall: warning: table.csv: dropped 1 constant column: 'same'\n");
  EXPECT_EQ(names(), "a,b,bias");
  expect_refusal(run(line + "--constant-columns refuse"), {"table.csv", "'same'", "constant"});
}

TEST_F(DataTarget, MakesNamesThatADrawsFileCanHold) {
  write("table.csv", "\"a, #1\",2001,nan,y\n1,7,3,0\n2,9,1,1\n3,7,2,1\n");
  const Outcome outcome =
      run("sample --format csv --checkpoint 0 logistic --data table.csv --header yes --quiet "
          "--chains 1 "
          "--warmup 20 --draws 20 --out run");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(names(), "a___1,x2001,xnan,bias");
  EXPECT_EQ(run("summary run").code, 0);
}

TEST_F(DataTarget, GaussianTakesMeanAndCovarianceFromFiles) {
  write("mean.txt", "10\n-3\n");
  write("covariance.csv", "1,0.6\n0.6,4\n");
  const Outcome outcome =
      run("sample --format csv --checkpoint 0 gaussian --mean mean.txt --covariance covariance.csv "
          "--sampler nuts --chains 2 "
          "--warmup 300 --draws 1000 --seed 2 --json");
  const Json json = Json::parse(outcome.out);
  const double means[] = {10, -3};
  const double sds[] = {1, 2};
  ASSERT_EQ(json["parameters"].size(), 2U);
  for (std::size_t j = 0; j < 2; ++j) {
    const Json& p = json["parameters"][j];
    EXPECT_NEAR(p["mean"].get<double>(), means[j], 4 * p["mcse_mean"].get<double>());
    EXPECT_NEAR(p["sd"].get<double>(), sds[j], 4 * p["mcse_sd"].get<double>());
    EXPECT_LT(p["mcse_mean"].get<double>(), 0.2);
  }
}

TEST_F(DataTarget, GaussianHasMeanZeroWithoutAFile) {
  write("covariance.csv", "0.25\n");
  const Outcome outcome =
      run("sample --format csv --checkpoint 0 gaussian --covariance covariance.csv --sampler nuts "
          "--chains 2 --warmup 200 --draws 500 --json");
  const Json p = Json::parse(outcome.out)["parameters"][0];
  EXPECT_NEAR(p["mean"].get<double>(), 0, 4 * p["mcse_mean"].get<double>());
  EXPECT_NEAR(p["sd"].get<double>(), 0.5, 4 * p["mcse_sd"].get<double>());
}

TEST_F(DataTarget, StateTheModelInTheTerminalAndInTheFiles) {
  write("table.csv", table({.classes = {"no", "yes"}}));
  const std::string common =
      "sample logistic --data table.csv --sampler nuts --warmup 100 --draws "
      "50 --chains 2 ";
  const Outcome outcome = run(common + "--prior-sd 2 --out run");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string statement =
      "logistic regression on 40 rows of table.csv: 2 columns, standardised, and a bias; weights ~ "
      "normal(0, 2); class 1 is 'yes', class 0 'no'";
  expect_contains(outcome.out, "\n" + statement + "\n");
  expect_contains(run("summary run").out, "\n" + statement + "\n");
  EXPECT_EQ(nlohmann::json::parse(run("summary run --json").out)["statement"], statement);
  ASSERT_EQ(run("report run").code, 0);
  expect_contains(read("run.html"), "class 1 is 'yes'");
}

TEST_F(DataTarget, KeepRawCoefficientsWhereAsked) {
  write("table.csv", table());
  const std::string common =
      "sample logistic --data table.csv --sampler nuts --warmup 100 --draws "
      "50 --chains 2 --quiet --format csv ";
  ASSERT_EQ(run(common + "--out scaled").code, 0);
  ASSERT_EQ(run(common + "--raw --out raw").code, 0);
  const auto mean = [&](const std::string& name, int parameter) {
    return nlohmann::json::parse(
               run("summary " + name + " --json").out)["parameters"][parameter]["mean"]
        .get<double>();
  };
  // age has an sd of about 35, size of about 0.7.
  EXPECT_NEAR(mean("scaled", 1) / mean("raw", 1), 35, 3);
  EXPECT_NEAR(mean("scaled", 0) / mean("raw", 0), 0.7, 0.1);
  expect_contains(run("summary raw").out, "coefficients in the units of the columns");
  expect_refusal(run("sample logistic --data table.csv --raw --no-bias"), {"--raw", "--bias"});
  expect_refusal(run("sample neal100 --raw"), {"--raw", "logistic"});
}

}  // namespace
}  // namespace gadwall::app
