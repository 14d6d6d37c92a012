// The settings of the paper, as the tables of experiments and methods have them.
#include "reproduce/experiments.hpp"

#include <gtest/gtest.h>

#include "gadwall/error.hpp"

namespace gadwall {
namespace {

const Trial& trial(const std::string& experiment, const std::string& method) {
  for (const Trial& row : find_experiment(experiment).trials) {
    if (row.method.name == method) return row;
  }
  throw UsageError(experiment + " has no " + method);
}

TEST(Experiments, HaveThePapersSettings) {
  EXPECT_EQ(trial("german", "gadMALAf").method.warmup, 20000);
  EXPECT_EQ(trial("german", "gadMALAf").method.draws, 20000);
  EXPECT_EQ(trial("german", "gadMALAf").method.options.learning_rate, 1.5e-4);
  EXPECT_EQ(trial("german", "gadRWM").method.options.learning_rate, 5e-5);
  EXPECT_EQ(trial("german", "NUTS-unit").method.warmup, 500);
  EXPECT_EQ(trial("german", "NUTS-unit").method.options.metric, Metric::unit);
  EXPECT_EQ(trial("german", "HMC-20").method.options.leapfrog, 20);
  EXPECT_EQ(trial("german", "AM").method.options.metric, Metric::dense);
  EXPECT_EQ(trial("neal", "AM").method.options.metric, Metric::diag);
}

TEST(Experiments, OnMnistLearnLongerAndMoreSlowly) {
  for (const char* name : {"mnist", "mnist-authors"}) {
    EXPECT_EQ(trial(name, "gadMALAf").method.warmup, 50000);
    EXPECT_EQ(trial(name, "gadMALAf").method.options.learning_rate, 1e-5);
    EXPECT_EQ(trial(name, "MALA").method.warmup, 20000);
    EXPECT_EQ(find_experiment(name).repeats, 5);
  }
}

TEST(Experiments, ThatIllustrateHaveTheirOwnRates) {
  EXPECT_EQ(trial("gp51", "gadMALAf").method.warmup, 200000);
  EXPECT_EQ(trial("gp51", "gadMALAf").method.options.learning_rate, 1e-3);
  EXPECT_EQ(trial("gaussian2d-40", "gadRWM").method.options.target_accept, 0.4);
  EXPECT_EQ(trial("gaussian2d-40", "gadRWM").method.options.learning_rate, 5e-4);
}

TEST(Experiments, MarkTheExpensiveTrials) {
  EXPECT_TRUE(trial("mnist", "NUTS-unit").expensive);
  EXPECT_TRUE(trial("caravan", "HMC-5").expensive);
  EXPECT_FALSE(trial("mnist", "gadMALAf").expensive);
  EXPECT_FALSE(trial("german", "NUTS-unit").expensive);
}

TEST(Experiments, AreShortenedButNotToNothing) {
  const Trial tenth = shortened(trial("german", "HMC-5"), 0.1, Shortening::comparable);
  EXPECT_EQ(tenth.method.warmup, 2000);
  EXPECT_EQ(tenth.method.draws, 2000);
  EXPECT_EQ(shortened(trial("german", "HMC-5"), 1e-9, Shortening::comparable).method.draws, 20);
}

TEST(Experiments, KeepTheWarmUpOfNutsWhereTheyAreCompared) {
  const Trial nuts = trial("caravan", "NUTS-diag");
  EXPECT_EQ(shortened(nuts, 0.1, Shortening::comparable).method.warmup, 1000);
  EXPECT_EQ(shortened(nuts, 0.1, Shortening::comparable).method.draws, 2000);
  EXPECT_EQ(shortened(nuts, 0.1, Shortening::rehearsal).method.warmup, 100);
}

TEST(Subjects, AreFoundByNameOrAllTogether) {
  EXPECT_EQ(find_subjects("table1").front().needs.size(), 2U);
  EXPECT_EQ(find_subjects("all").size(), 11U);
  try {
    find_subjects("tabel1");
    FAIL() << "no such subject";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("table1"), std::string::npos) << error.what();
  }
}

TEST(Subjects, WithTheAuthorsLabelsAreOfAnotherExperiment) {
  const Subject mnist = with_authors_labels(find_subjects("mnist").front());
  EXPECT_EQ(mnist.name, "mnist-authors");
  EXPECT_EQ(mnist.needs.front().experiment, "mnist-authors");
  EXPECT_EQ(with_authors_labels(find_subjects("german").front()).name, "german");
}

}  // namespace
}  // namespace gadwall
