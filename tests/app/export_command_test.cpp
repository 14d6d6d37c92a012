// gadwall export: CmdStan's files from any run, whole, going on, interrupted or killed.
#include <fmt/format.h>

#include "app/program.hpp"
#include "gadwall/files.hpp"

namespace gadwall::app {
namespace {

using Json = nlohmann::json;

class ExportCommand : public ProgramTest {
 protected:
  void sample(const std::string& name, const std::string& more = "") const {
    const Outcome outcome =
        run("sample gp51 --sampler nuts --quiet --chains 2 --warmup 100 "
            "--draws 40 --seed 5 --out " +
            name + " " + more);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }

  Json summary(const std::string& arguments) const {
    const Outcome outcome = run("summary --json " + arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out);
  }

  /// All of a CSV file but the name that it has.
  std::string without_name(const std::string& name) const {
    std::string text = read(name);
    const auto at = text.find("#   file = " + name + "\n");
    EXPECT_NE(at, std::string::npos) << name;
    return text.erase(at, text.find('\n', at) - at);
  }
};

TEST_F(ExportCommand, GivesTheFilesThatTheRunItselfWrites) {
  for (const std::string more : {"", "--save-warmup --thin 3 --save x[2:4]", "--sig-figs 6"}) {
    sample("run", "--force --format csv " + more);
    const std::string digits = more.starts_with("--sig") ? more : "";
    const Outcome outcome = run("export run --out other --force " + digits);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "draws: other_1.csv to other_2.csv\n");
    for (const std::string chain : {"_1.csv", "_2.csv"}) {
      EXPECT_EQ(without_name("other" + chain), without_name("run" + chain)) << more;
    }
  }
}

TEST_F(ExportCommand, WritesTheNumbersOfTheNetcdfFile) {
  sample("run");
  ASSERT_EQ(run("export run.nc").code, 0);
  const Draws draws = files::read(path("run.nc"));
  const std::string rows = this->draws("run_2.csv");
  std::istringstream lines(rows.substr(rows.find('\n') + 1));
  Index row = 0;
  for (std::string line; std::getline(lines, line); ++row) {
    const double last = std::stod(line.substr(line.rfind(',') + 1));
    EXPECT_EQ(last, draws.chains[1].draws(row, draws.dim() - 1));
    EXPECT_EQ(std::stod(line), draws.statistic(1, "log_density")[row]);
  }
  EXPECT_EQ(row, 40);
}

TEST_F(ExportCommand, GivesFilesWithTheSameSummary) {
  sample("run");
  ASSERT_EQ(run("export run").code, 0);
  EXPECT_EQ(summary("run_1.csv run_2.csv"), summary("run.nc"));
}

TEST_F(ExportCommand, TakesARunThatGoesOnAndOneThatWasKilled) {
  const auto process =
      start(words("sample gaussian2d --quiet --chains 2 --warmup 30 --draws "
                  "1000000000 --checkpoint 0.001 --metric dense --out run"));
  ASSERT_TRUE(process->wait_until([&] { return run("export run").code == 0; }));
  const std::string early = draws("run_1.csv");
  process->send(SIGKILL);
  ASSERT_EQ(process->finish().signal, SIGKILL);
  const Outcome outcome = run("export run");  // over its own files
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(draws("run_1.csv").starts_with(early));
  expect_contains(read("run_1.csv"), "# Elements of inverse mass matrix:\n");
  const Outcome read_back = run("summary run_1.csv run_2.csv --json");
  expect_contains(read_back.err, "of 1,000,000,000 draws; the run was interrupted");
  EXPECT_EQ(Json::parse(read_back.out)["parameters"], summary("run.nc")["parameters"]);
}

TEST_F(ExportCommand, RefusesToOverwriteTheFilesOfOthers) {
  sample("run");
  write("run_2.csv", "precious");
  expect_refusal(run("export run"), {"run_2.csv", "exists", "--force"});
  EXPECT_EQ(read("run_2.csv"), "precious");
  EXPECT_FALSE(std::filesystem::exists(path("run_1.csv")));
  ASSERT_EQ(run("sample gaussian2d --quiet --chains 2 --format csv --out other").code, 0);
  expect_refusal(run("export run --out other"), {"other_1.csv", "exists"});
  EXPECT_EQ(run("export run --out other --force").code, 0);
  expect_contains(read("other_1.csv"), "#   file = other_1.csv\n");
}

TEST_F(ExportCommand, RefusesWhatItCannotDo) {
  sample("run");
  expect_refusal(run("export run --format arrow"), {"--format is 'arrow'", "expected csv"});
  expect_refusal(run("export run --sig-figs 99"), {"--sig-figs", "99"});
  expect_refusal(run({"export", "run", "--out", ""}), {"--out is ''", "name"});
  expect_refusal(run("export none"), {"none", "there is no none.nc"});
  expect_refusal(run("export none.nc"), {"none.nc", "No such file"});
  expect_refusal(run("export"), {"RUN", "gadwall export --help"});
  write("text.nc", "no draws");
  expect_refusal(run("export text.nc"), {"text.nc", "is no NetCDF-4 file"});
  ASSERT_EQ(run("export run").code, 0);
  expect_refusal(run("export run_1.csv"), {"run_1.csv", "NAME.nc"});
}

TEST_F(ExportCommand, IsInTheHelp) {
  expect_contains(run("--help").out, "gadwall export neal100-auto");
  expect_contains(run("export --help").out, "gadwall export german.nc --out for-rstan/german");
}

}  // namespace
}  // namespace gadwall::app
