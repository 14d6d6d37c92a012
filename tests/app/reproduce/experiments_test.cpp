// The settings of the paper, as the tables of experiments and methods have them.
#include "reproduce/experiments.hpp"

#include <gtest/gtest.h>

#include "gadwall/catalog.hpp"
#include "gadwall/error.hpp"

namespace gadwall::app::reproduce {
namespace {

const Method& method(const std::string& experiment, const std::string& name) {
  for (const Method& row : find_experiment(experiment).methods) {
    if (row.name == name) return row;
  }
  throw UsageError(experiment + " has no " + name);
}

bool is_expensive(const std::string& experiment, const std::string& name) {
  return find_experiment(experiment).is_expensive(method(experiment, name));
}

std::string setting(const std::string& experiment, const std::string& name,
                    const std::string& option) {
  const Method& row = method(experiment, name);
  return used_settings(find_sampler(row.sampler), row.settings).at(option);
}

TEST(Experiments, HaveThePapersSettings) {
  EXPECT_EQ(method("german", "gadMALAf").warmup, 20000);
  EXPECT_EQ(method("german", "gadMALAf").draws, 20000);
  EXPECT_EQ(setting("german", "gadMALAf", "learning-rate"), "0.00015");
  EXPECT_EQ(setting("german", "gadRWM", "learning-rate"), "5e-05");
  EXPECT_EQ(method("german", "NUTS-unit").warmup, 500);
  EXPECT_EQ(setting("german", "NUTS-unit", "metric"), "unit");
  EXPECT_EQ(setting("german", "HMC-20", "leapfrog"), "20");
  EXPECT_EQ(setting("german", "AM", "metric"), "dense");
  EXPECT_EQ(setting("neal", "AM", "metric"), "diag");
}

TEST(Experiments, BeyondThePaperHaveItsProblemsAndRowsOfTheirOwn) {
  EXPECT_EQ(find_experiment("beyond-german").data_set, "german");
  EXPECT_EQ(find_experiment("beyond-german").methods.size(), beyond_methods().size());
  EXPECT_EQ(setting("beyond-german", "gadMALAf", "drift"), "published");
  EXPECT_EQ(setting("beyond-german", "gadMALA-drift", "drift"), "exact");
  EXPECT_EQ(setting("beyond-german", "gadMALA-lowrank", "metric"), "lowrank");
  EXPECT_EQ(setting("beyond-german", "gadMALA-lowrank", "drift"), "published");
  EXPECT_EQ(setting("beyond-german", "gadMALA-lowrank-drift", "metric"), "lowrank");
  EXPECT_EQ(setting("beyond-german", "gadMALA-lowrank-drift", "drift"), "exact");
  EXPECT_EQ(setting("beyond-mnist", "gadMALA-lowrank", "learning-rate"), "1e-05");
  EXPECT_EQ(setting("beyond-mnist", "FisherMALA", "damping"), "10");
  EXPECT_EQ(method("beyond-german", "auto").chains * method("beyond-german", "auto").draws, 20000);
  EXPECT_EQ(find_subjects("beyond").front().needs.size(), 8U);
}

TEST(Experiments, BeyondThePaperAreOfALengthThatOneCommandCanRun) {
  EXPECT_EQ(find_experiment("beyond-german").repeats, 10);
  EXPECT_EQ(find_experiment("beyond-caravan").repeats, 3);
  const Experiment& mnist = find_experiment("beyond-mnist");
  EXPECT_EQ(mnist.repeats_of(method("beyond-mnist", "gadMALA-drift")), 2);
  EXPECT_EQ(mnist.repeats_of(method("beyond-mnist", "gadHMC")), 1);
  EXPECT_EQ(mnist.repeats_of(method("beyond-mnist", "NUTS-dense")), 1);
  EXPECT_EQ(method("beyond-german", "NUTS-diag").share, 1);
  EXPECT_EQ(method("beyond-caravan", "NUTS-diag").share, 0.1);
  EXPECT_EQ(method("beyond-mnist", "HMC-5").share, 0.1);
  EXPECT_EQ(method("beyond-mnist", "NUTS-dense").share, 0.005);
  for (const char* name : {"gadMALAf", "gadHMC", "FisherMALA", "auto"}) {
    EXPECT_EQ(method("beyond-mnist", name).share, 1) << name;
    EXPECT_FALSE(is_expensive("beyond-mnist", name)) << name;  // --scale leaves it alone
  }
  EXPECT_EQ(method("caravan", "NUTS-diag").share, 1);  // the paper's tables are as they were
}

TEST(Experiments, OnMnistLearnLongerAndMoreSlowly) {
  for (const char* name : {"mnist", "mnist-authors"}) {
    EXPECT_EQ(method(name, "gadMALAf").warmup, 50000);
    EXPECT_EQ(setting(name, "gadMALAf", "learning-rate"), "1e-05");
    EXPECT_EQ(method(name, "MALA").warmup, 20000);
    EXPECT_EQ(find_experiment(name).repeats, 5);
  }
}

TEST(Experiments, ThatIllustrateHaveTheirOwnRates) {
  EXPECT_EQ(method("gp51", "gadMALAf").warmup, 200000);
  EXPECT_EQ(setting("gp51", "gadMALAf", "learning-rate"), "0.001");
  EXPECT_EQ(setting("gaussian2d-40", "gadRWM", "target-accept"), "0.4");
  EXPECT_EQ(setting("gaussian2d-40", "gadRWM", "learning-rate"), "0.0005");
}

TEST(Experiments, KnowWhichMethodsAreExpensive) {
  EXPECT_TRUE(is_expensive("mnist", "NUTS-unit"));
  EXPECT_TRUE(is_expensive("caravan", "HMC-5"));
  EXPECT_FALSE(is_expensive("mnist", "gadMALAf"));
  EXPECT_FALSE(is_expensive("german", "NUTS-unit"));
}

TEST(Experiments, AreShortenedButNotToNothing) {
  const ShortenedMethod tenth = shortened(method("german", "HMC-5"), 0.1, Shortening::comparable);
  EXPECT_EQ(tenth.method.warmup, 2000);
  EXPECT_EQ(tenth.method.draws, 2000);
  EXPECT_EQ(tenth.scale, 0.1);
  EXPECT_EQ(tenth.warmup_weight, 1);
  const ShortenedMethod least = shortened(method("german", "HMC-5"), 1e-9, Shortening::comparable);
  EXPECT_EQ(least.method.draws, 20);
  EXPECT_EQ(least.scale, 0.001);  // what it is, not what was asked for
}

TEST(Experiments, KeepTheWarmUpOfNutsWhereTheyAreCompared) {
  const Method& nuts = method("caravan", "NUTS-diag");
  const ShortenedMethod compared = shortened(nuts, 0.1, Shortening::comparable);
  EXPECT_EQ(compared.method.warmup, 1000);
  EXPECT_EQ(compared.method.draws, 2000);
  EXPECT_EQ(compared.warmup_weight, 0.1);
  const ShortenedMethod rehearsed = shortened(nuts, 0.1, Shortening::rehearsal);
  EXPECT_EQ(rehearsed.method.warmup, 100);
  EXPECT_EQ(rehearsed.warmup_weight, 1);
}

TEST(Subjects, AreFoundByNameOrAllTogether) {
  EXPECT_EQ(find_subjects("table1").front().needs.size(), 2U);
  EXPECT_EQ(find_subjects("all").size(), 12U);
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
}  // namespace gadwall::app::reproduce
