// A reproduction as a whole, with every row shortened to almost nothing.
#include "reproduce/reproduction.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "app/reproduce/made_repeats.hpp"
#include "files/atomic_file.hpp"
#include "gadwall/error.hpp"
#include "reproduce/figures.hpp"
#include "reproduce/page.hpp"

namespace gadwall::app::reproduce {
namespace {

namespace fs = std::filesystem;

/// Stops after so many repeats.
class Patience final : public ReproductionObserver {
 public:
  explicit Patience(int most = 1000) : most_(most) {}
  void begins(const RepeatPlan&, Monitor& monitor) override {
    if (done >= most_) monitor.stop = true;
  }
  void ends(const RepeatPlan&, const std::optional<Repeat>& repeat) override {
    if (repeat) ++done;
  }
  bool is_stopped() const override { return stops && done >= most_; }

  std::atomic<int> done{0};
  bool stops = true;

 private:
  int most_;
};

class ReproductionTest : public ::testing::Test {
 protected:
  ReproductionOptions options(const std::string& what) const {
    ReproductionOptions chosen;
    chosen.subjects = find_subjects(what);
    chosen.out = out_;
    chosen.scale = 0.002;
    chosen.scale_all = true;
    return chosen;
  }

  fs::path out_ = testing::fresh_directory("reproduction");
};

TEST_F(ReproductionTest, GoesOnWhereItWasStopped) {
  {
    Reproduction first(options("figure2"));
    ASSERT_EQ(first.left().size(), 5U);
    Patience patience(2);
    first.run(patience);
  }
  const fs::path kept = out_ / "repeats/neal/gadMALAf-01.json";
  const std::string before = files::read_whole_file(kept.string());

  Reproduction second(options("figure2"));
  EXPECT_EQ(second.repeats_kept(), 2U);
  ASSERT_EQ(second.left().size(), 3U);
  EXPECT_EQ(second.left().front().method().name, "gadRWM");
  Patience rest;
  second.run(rest);
  EXPECT_EQ(rest.done, 3);
  EXPECT_EQ(files::read_whole_file(kept.string()), before);
  EXPECT_TRUE(Reproduction(options("figure2")).left().empty());
}

TEST_F(ReproductionTest, GoesOnWhereNoRepeatWasDoneYet) {
  {
    Reproduction first(options("figure2"));
    Patience none(0);
    first.run(none);
    first.write();
  }
  EXPECT_EQ(Reproduction(options("figure2")).left().size(), 5U);
}

TEST_F(ReproductionTest, IsAloneInItsDirectory) {
  Reproduction first(options("figure2"));
  Patience none(0);
  first.run(none);
  Reproduction second(options("figure2"));
  EXPECT_THROW(second.run(none), UsageError);
}

TEST_F(ReproductionTest, CountsARepeatOnceThatSeveralFiguresNeed) {
  ReproductionOptions chosen = options("table1");
  chosen.subjects.push_back(find_subjects("figure2").front());
  chosen.subjects.push_back(find_subjects("traces").front());
  chosen.methods = {"AM"};
  chosen.repeats = 2;
  Patience patience;
  Reproduction(chosen).run(patience);
  EXPECT_EQ(patience.done, 2);
  EXPECT_EQ(Reproduction(chosen).repeats_kept(), 2U);
}

TEST_F(ReproductionTest, NeedsNoDataOfWhichItRunsNothing) {
  ReproductionOptions chosen = options("mnist");
  chosen.methods = {"gadRWM"};  // not part of MNIST's table
  const Reproduction reproduction(chosen);
  EXPECT_TRUE(reproduction.missing_data().empty());
  EXPECT_TRUE(reproduction.left().empty());
}

TEST_F(ReproductionTest, TellsTheObserverOfARepeatThatCouldNotBeKept) {
  ReproductionOptions chosen = options("figure2");
  chosen.methods = {"AM"};
  fs::create_directories(out_ / "repeats");
  std::ofstream(out_ / "repeats/neal") << "not a directory";
  class Count final : public ReproductionObserver {
   public:
    void begins(const RepeatPlan&, Monitor&) override { ++running; }
    void ends(const RepeatPlan&, const std::optional<Repeat>& repeat) override {
      --running;
      EXPECT_FALSE(repeat);
    }
    bool is_stopped() const override { return false; }
    int running = 0;
  } count;
  Reproduction reproduction(chosen);
  EXPECT_THROW(reproduction.run(count), RunError);
  EXPECT_EQ(count.running, 0);
}

TEST_F(ReproductionTest, DoesNotKeepARepeatThatWasInterrupted) {
  ReproductionOptions chosen = options("figure2");
  chosen.methods = {"AM"};
  Reproduction reproduction(chosen);
  Patience none(0);
  none.stops = false;  // the repeat begins and is stopped by its monitor
  reproduction.run(none);
  EXPECT_EQ(none.done, 0);
  EXPECT_FALSE(fs::exists(out_ / "repeats/neal/AM-01.json"));
}

TEST_F(ReproductionTest, RefusesToMixSettingsUnlessForced) {
  ReproductionOptions chosen = options("figure2");
  chosen.methods = {"AM"};
  Patience patience;
  Reproduction(chosen).run(patience);
  chosen.scale = 0.003;
  try {
    Reproduction{chosen};
    FAIL() << "other lengths";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("draws is '40', expected '60'"), std::string::npos)
        << error.what();
  }
  chosen.force = true;
  Reproduction again(chosen);
  EXPECT_EQ(again.left().size(), 1U);
  again.run(patience);
  chosen.force = false;
  EXPECT_EQ(Reproduction(chosen).repeats_kept(), 1U);
}

TEST_F(ReproductionTest, GivesTheSameNumbersFromSeveralThreads) {
  ReproductionOptions chosen = options("table1");
  chosen.repeats = 3;
  chosen.methods = {"gadMALAf", "RWM"};
  Patience patience;
  Reproduction(chosen).run(patience);
  const RepeatStore one(out_ / "repeats");
  ReproductionOptions threaded = chosen;
  threaded.out = testing::fresh_directory("reproduction-threads");
  threaded.threads = 3;
  Reproduction(threaded).run(patience);
  const RepeatStore three(threaded.out / "repeats");
  for (const char* method : {"gadMALAf", "RWM"}) {
    const auto a = one.find_all("neal", method);
    const auto b = three.find_all("neal", method);
    ASSERT_EQ(a.size(), 3U);
    ASSERT_EQ(b.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(a[i].ess.min, b[i].ess.min);
      EXPECT_EQ(a[i].pictures.log_target, b[i].pictures.log_target);
    }
    EXPECT_NE(a[0].ess.min, a[1].ess.min);  // another seed
  }
}

TEST_F(ReproductionTest, RunsWhatNeedsNoDataAndNamesWhatIsMissing) {
  ReproductionOptions chosen = options("table1");
  chosen.repeats = 1;
  const Reproduction reproduction(chosen);
  EXPECT_EQ(reproduction.missing_data(), std::vector<std::string>{"caravan"});
  EXPECT_EQ(reproduction.left().size(), methods().size());
}

TEST_F(ReproductionTest, RefusesADirectoryOfSomethingElse) {
  ReproductionOptions chosen = options("figure1");
  chosen.out = testing::fresh_directory("somebody");
  fs::create_directories(chosen.out);
  EXPECT_NO_THROW(Reproduction{chosen});
  std::ofstream(chosen.out / "index.html") << "mine";
  EXPECT_THROW(Reproduction{chosen}, UsageError);
  chosen.force = true;
  EXPECT_NO_THROW(Reproduction{chosen});
}

TEST_F(ReproductionTest, RunsEveryMethodAndWritesTablesAndPage) {
  ReproductionOptions chosen = options("table1");
  chosen.repeats = 1;
  Reproduction reproduction(chosen);
  Patience patience;
  reproduction.run(patience);
  EXPECT_EQ(patience.done, static_cast<int>(methods().size()));
  EXPECT_EQ(reproduction.write().size(), 4U);
  const report::Json table =
      report::Json::parse(files::read_whole_file((out_ / "table1.json").string()));
  ASSERT_EQ(table["experiments"].size(), 1U);
  for (const report::Json& row : table["experiments"][0]["rows"]) {
    EXPECT_EQ(row["scale"], 0.002);
    EXPECT_GT(row["seconds"]["mean"], 0);
    EXPECT_GT(row["repeats"][0]["evaluations"], 0);
  }
  const std::string page = files::read_whole_file((out_ / "index.html").string());
  EXPECT_NE(page.find("gadMALAf × 0.002"), std::string::npos);
  EXPECT_NE(page.find("Figure 2"), std::string::npos);  // from the same repeats
}

TEST_F(ReproductionTest, DrawsFigureOneFromWhatWasLearnt) {
  Reproduction reproduction(options("figure1"));
  Patience patience;
  reproduction.run(patience);
  const report::Json sections =
      figure_sections(find_subjects("figure1").front(), RepeatStore(out_ / "repeats"));
  const report::Json& figures = sections[0]["figures"];
  ASSERT_EQ(figures.size(), 4U);
  EXPECT_EQ(figures[0]["title"], "α* = 0.25 (× 0.02)");  // 20 draws of 1000
  EXPECT_EQ(figures[0]["lines"].size(), 2U);
  // The widest point of the target: one standard deviation is 1, two are 2.
  const auto x = figures[0]["lines"][0]["x"].get<std::vector<double>>();
  EXPECT_NEAR(std::ranges::max(x), 2, 1e-9);
  EXPECT_EQ(figures[2]["grid"]["values"].size(), 51U * 51U);
  EXPECT_DOUBLE_EQ(figures[2]["limit"], 1.01);
}

TEST_F(ReproductionTest, DrawsTheDiagonalOfMnistAsAnImage) {
  const RepeatStore store(out_ / "repeats");
  Repeat repeat = testing::made_repeat("mnist-authors", "gadMALAf", 1, 1, 40);
  for (int i = 0; i < 785; ++i) repeat.pictures.diagonal.push_back(i);
  store.keep(repeat);
  const Subject subject = with_authors_labels(find_subjects("mnist-diagonal").front());
  const report::Json figure = figure_sections(subject, store)[0]["figures"][0];
  EXPECT_EQ(figure["spec"], "image");
  EXPECT_EQ(figure["limit"], 783);  // the bias is left out
  EXPECT_EQ(figure["grid"]["values"][28], 28);
}

TEST_F(ReproductionTest, DrawsNothingFromARepeatWhosePicturesAreNotWhole) {
  const RepeatStore store(out_ / "repeats");
  Repeat repeat = testing::made_repeat("mnist", "gadMALAf", 1, 1, 40);
  repeat.pictures.diagonal = {1, 2, 3};
  store.keep(repeat);
  EXPECT_TRUE(figure_sections(find_subjects("mnist-diagonal").front(), store).empty());
  for (const char* experiment : {"gaussian2d-25", "gaussian2d-40"}) {
    store.keep(testing::made_repeat(experiment, "gadRWM", 1, 1, 40));
  }
  repeat.name = {"gp51", "gadMALAf", 1};
  repeat.pictures.covariance = {1, 0, 0, 1};
  store.keep(repeat);
  EXPECT_TRUE(figure_sections(find_subjects("figure1").front(), store).empty());
}

TEST_F(ReproductionTest, DrawsTracesOfTheLogTargetWithTheirWarmUp) {
  ReproductionOptions chosen = options("traces");
  chosen.methods = {"MALA", "NUTS-unit"};
  Reproduction reproduction(chosen);
  Patience patience;
  reproduction.run(patience);
  const report::Json sections =
      figure_sections(chosen.subjects.front(), RepeatStore(out_ / "repeats"));
  ASSERT_EQ(sections.size(), 1U);  // the others need data
  const report::Json& mala = sections[0]["figures"][0];
  EXPECT_EQ(mala["warmup"], 40);
  EXPECT_EQ(mala["lines"][0]["x"].size(), 80U);
  EXPECT_EQ(mala["lines"][0]["x"].back(), 80);
}

}  // namespace
}  // namespace gadwall::app::reproduce
