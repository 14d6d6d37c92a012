// gadwall diagnose: words for people, an exit code for scripts.
#include "app/program.hpp"

namespace gadwall::app {
namespace {

class DiagnoseCommand : public ProgramTest {};

TEST_F(DiagnoseCommand, TrustsGoodDraws) {
  ASSERT_EQ(run("sample --format csv --checkpoint 0 gaussian2d --sampler nuts --quiet --chains 4 "
                "--draws 4000 --seed 1 --out run")
                .code,
            0);
  const Outcome outcome = run("diagnose run");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(outcome.out.starts_with("Sound: R-hat at most 1.0")) << outcome.out;
}

TEST_F(DiagnoseCommand, SaysWhatIsWrongWithBadDraws) {
  ASSERT_EQ(run("sample --format csv --checkpoint 0 gaussian2d --sampler gadmala --quiet --warmup "
                "20 --draws 200 "
                "--out run")
                .code,
            0);
  const Outcome outcome = run("diagnose run");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "");
  expect_contains(outcome.out, "PROBLEM R-hat is ");
  expect_contains(outcome.out, "PROBLEM worst ESS is ");
  expect_contains(outcome.out, ": x.1, x.2\n");
  EXPECT_EQ(last_line(outcome.out), "Not sound: do not rely on these draws yet.");
}

/// A warm-up that is longer by one shifts the noise: the draws do not look alike.
TEST_F(DiagnoseCommand, NamesTheSameChainOfTwoRuns) {
  const std::string line =
      "sample gaussian2d --sampler mala --quiet --chains 1 --draws 200 --format csv --seed 5 ";
  ASSERT_EQ(run(line + "--warmup 500 --out one").code, 0);
  ASSERT_EQ(run(line + "--warmup 501 --out other").code, 0);
  for (const char* command : {"diagnose one other", "diagnose one_1.csv other_1.csv"}) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.code, 1);
    expect_contains(outcome.out, "PROBLEM of one number and one seed: chains 1 and 2");
  }
}

TEST_F(DiagnoseCommand, SeesDivergencesAndChainsThatDoNotMove) {
  ASSERT_EQ(run("sample --format csv --checkpoint 0 neal100 --sampler nuts --quiet --chains 2 "
                "--warmup 20 --draws 20 "
                "--start normal:1e100 --out run")
                .code,
            0);
  const Outcome outcome = run("diagnose run");
  EXPECT_EQ(outcome.code, 1);
  expect_contains(outcome.out, "PROBLEM 40 divergent transitions after warm-up\n");
  expect_contains(outcome.out, "PROBLEM never moved: chain 1, chain 2\n");
}

TEST_F(DiagnoseCommand, SurvivesSettingsThatAreNoNumbers) {
  ASSERT_EQ(run("sample --format csv --checkpoint 0 gaussian2d --sampler nuts --quiet --chains 1 "
                "--draws 4000 --out run")
                .code,
            0);
  std::string text = read("run_1.csv");
  const std::string line = "gadwall_draws = 4000";
  text.replace(text.find(line), line.size(), "gadwall_draws = many");
  const std::string depth = "gadwall_max-depth = 10";
  text.replace(text.find(depth), depth.size(), "gadwall_max-depth = ");
  write("run_1.csv", text);
  const Outcome outcome = run("diagnose run_1.csv");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  expect_contains(outcome.out, "note    one chain alone");
}

TEST_F(DiagnoseCommand, DoesNotTrustASingleDraw) {
  ASSERT_EQ(run("sample --format csv --checkpoint 0 gaussian2d --quiet --chains 1 --warmup 100 "
                "--draws 1 --out run")
                .code,
            0);
  const Outcome outcome = run("diagnose run");
  EXPECT_EQ(outcome.code, 1);
  expect_contains(outcome.out, "PROBLEM ESS or R-hat is not defined: x.1, x.2\n");
}

}  // namespace
}  // namespace gadwall::app
