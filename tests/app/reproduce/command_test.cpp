// gadwall reproduce.
#include "app/program.hpp"

namespace gadwall::app::reproduce {
namespace {

class ReproduceCommand : public ProgramTest {
 protected:
  static constexpr const char* kTiny = " --scale 0.002 --scale-all --out out";

  bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }
};

TEST_F(ReproduceCommand, RunsAFigureFromEndToEnd) {
  const Outcome outcome = run(std::string("reproduce figure1") + kTiny);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "reproduction: out/figure1.json, out/index.html\n");
  expect_contains(outcome.err, "gaussian2d-25 gadRWM 1: ");
  expect_contains(outcome.err, "3 of 3 done, 0 s left");
  expect_contains(read("out/index.html"), "The paper, reproduced");
}

TEST_F(ReproduceCommand, WritesATableBesideThePapers) {
  const Outcome outcome =
      run(std::string("reproduce table1 --methods gadMALAf,RWM --repeats 2") + kTiny);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  expect_contains(read("out/table1.md"), "| gadMALAf × 0.002 | 2 |");
  expect_contains(read("out/table1.md"), "[161.7 (15.07); ");
  const auto json = nlohmann::json::parse(read("out/table1.json"));
  EXPECT_EQ(json["experiments"][0]["rows"][1]["repeats"].size(), 2U);
}

TEST_F(ReproduceCommand, SaysWhichDataIsMissingAndRunsTheRest) {
  const Outcome outcome = run(std::string("reproduce table1 --methods AM --repeats 1") + kTiny);
  EXPECT_EQ(outcome.code, 0);
  expect_contains(outcome.err,
                  "not run, as their data is not given (--data DIR): caravan (table1)\n");
  expect_contains(outcome.err, "ticdata2000.txt");
  EXPECT_TRUE(exists("out/repeats/neal/AM-01.json"));
}

TEST_F(ReproduceCommand, RefusesWhereNothingCanBeRun) {
  const Outcome outcome = run("reproduce german pima");
  EXPECT_EQ(outcome.code, 2);
  expect_contains(outcome.err, "german.csv, or german.data-numeric");
  EXPECT_EQ(last_line(outcome.err), "gadwall: nothing to run: there is no data for german, pima");
  EXPECT_FALSE(exists("reproduction"));
}

TEST_F(ReproduceCommand, SaysInWhichDirectoryDataIsMissing) {
  std::filesystem::create_directory(path("data"));
  expect_contains(run("reproduce heart --data data").err, "not run, as their data is not in data");
  expect_refusal(run("reproduce heart --data nowhere"),
                 {"--data is 'nowhere'", "expected a directory"});
}

TEST_F(ReproduceCommand, RunsOnAnOriginalFile) {
  std::filesystem::create_directory(path("data"));
  std::string text;
  for (int i = 0; i < 250; ++i) {
    text +=
        std::to_string(i % 17) + " " + std::to_string(i % 5) + " " + (i % 3 == 0 ? "1\n" : "0\n");
  }
  write("data/synth.tr", "xs ys yc\n" + text);
  const Outcome outcome =
      run(std::string("reproduce ripley --data data --repeats 1 --quiet") + kTiny);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  expect_contains(read("out/ripley.md"), "| gadMALAf × 0.002 | 1 |");

  write("data/synth.tr", "xs ys yc\n" + text + "1 2 1\n");
  expect_refusal(run(std::string("reproduce ripley --data data") + kTiny),
                 {"data/synth.tr: 251 rows of 2 features, expected the 250 of 2 of Ripley"});
}

TEST_F(ReproduceCommand, RefusesDataThatChangedSinceTheRepeatsWereKept) {
  std::filesystem::create_directory(path("data"));
  const auto table = [&](int first) {
    std::string text = "xs ys yc\n";
    for (int i = first; i < first + 250; ++i) {
      text +=
          std::to_string(i % 17) + " " + std::to_string(i % 5) + " " + std::to_string(i % 2) + "\n";
    }
    return text;
  };
  const std::string command =
      std::string("reproduce ripley --methods AM --repeats 1 --data data") + kTiny;
  write("data/synth.tr", table(0));
  ASSERT_EQ(run(command).code, 0);
  write("data/synth.tr", table(3));
  expect_refusal(run(command),
                 {"out/repeats/ripley/AM-01.json: kept from other settings: data is", "--force"});
}

TEST_F(ReproduceCommand, KeepsWhatIsDoneWhenInterruptedAndGoesOn) {
  const Words command = words("reproduce table1 --methods RWM,MALA --repeats 40 --out out");
  const auto process = start(command);
  ASSERT_TRUE(process->wait_until([&] { return exists("out/repeats/neal/RWM-01.json"); }));
  process->send(SIGINT);
  const Outcome outcome = process->finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_EQ(last_line(outcome.err), "gadwall: interrupted; the same command goes on from here");
  expect_contains(read("out/table1.md"), "| RWM | ");
  const std::string first = read("out/repeats/neal/RWM-01.json");

  const Outcome rest = run("reproduce table1 --methods RWM --repeats 2 --out out");
  EXPECT_EQ(rest.code, 0);
  expect_contains(rest.err, " from before\n");
  EXPECT_EQ(read("out/repeats/neal/RWM-01.json"), first);
}

TEST_F(ReproduceCommand, GoesOnWhenInterruptedBeforeTheFirstRepeatIsDone) {
  const Words command = words("reproduce table1 --methods NUTS-unit --repeats 1 --out out");
  const auto process = start(command);
  ASSERT_TRUE(process->wait_until([&] { return exists("out/repeats.lock"); }));
  expect_refusal(run("reproduce figure1 --out out"), {"out/repeats: another process is at work"});
  process->send(SIGINT);
  EXPECT_EQ(process->finish().code, 130);
  EXPECT_FALSE(exists("out/repeats.lock"));
  EXPECT_EQ(run(std::string("reproduce table1 --methods NUTS-unit --repeats 1") + kTiny).code, 0);
}

TEST_F(ReproduceCommand, GoesOnWithoutItsTerminal) {
  const Outcome outcome =
      run(words(std::string("reproduce figure1") + kTiny), {.errors_path = "/dev/full"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(exists("out/index.html"));
}

TEST_F(ReproduceCommand, RefusesWhatItDoesNotKnow) {
  expect_refusal(run("reproduce tabel1"), {"tabel1", "did you mean", "table1"});
  expect_refusal(run("reproduce figure2 --methods gadmalaf"), {"gadmalaf", "gadMALAf"});
  expect_refusal(run("reproduce figure2 --methods RWM"), {"--methods RWM", "part of figure2"});
  expect_refusal(run("reproduce figure1 --scale 2"), {"--scale is 2", "at most 1"});
  expect_refusal(run("reproduce figure1 --repeats 0"), {"--repeats", "0"});
  expect_refusal(run("reproduce figure1 --scale-all"), {"--scale-all", "which is 1"});
}

TEST_F(ReproduceCommand, RefusesADirectoryThatIsSomebodyElses) {
  std::filesystem::create_directory(path("mine"));
  write("mine/index.html", "a page");
  expect_refusal(run("reproduce figure1 --out mine"), {"mine: exists and holds no reproduction"});
  expect_refusal(run("reproduce figure1 --force --out mine/index.html"),
                 {"--out is 'mine/index.html'", "expected a directory"});
  EXPECT_EQ(read("mine/index.html"), "a page");
}

}  // namespace
}  // namespace gadwall::app::reproduce
