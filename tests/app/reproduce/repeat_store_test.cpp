// Repeats that are kept come back as they were.
#include "reproduce/repeat_store.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "app/reproduce/made_repeats.hpp"
#include "gadwall/error.hpp"

namespace gadwall::app::reproduce {
namespace {

using testing::fresh_directory;
using testing::made_repeat;

TEST(RepeatStore, GivesBackWhatWasKept) {
  const RepeatStore store(fresh_directory("store"));
  Repeat repeat = made_repeat("neal", "HMC-5", 3, 1.25, 100.1);
  repeat.pictures.iteration = {1, 2};
  repeat.pictures.log_target = {-1.5, 0.1};
  repeat.pictures.diagonal = {0.1, 0.2, 0.3};
  repeat.pictures.beta = std::nan("");
  store.keep(repeat);
  const auto found = store.find(repeat.name);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name.method, "HMC-5");
  EXPECT_EQ(found->settings, repeat.settings);
  EXPECT_EQ(found->seconds, 1.25);
  EXPECT_EQ(found->ess.median, repeat.ess.median);
  EXPECT_EQ(found->pictures.log_target, repeat.pictures.log_target);
  EXPECT_EQ(found->pictures.diagonal, repeat.pictures.diagonal);
  EXPECT_TRUE(std::isnan(found->pictures.beta));
}

TEST(RepeatStore, FindsTheRepeatsOfAMethodByNumber) {
  const RepeatStore store(fresh_directory("store"));
  for (const int number : {10, 2, 1}) store.keep(made_repeat("neal", "HMC-5", number, 1, 100));
  store.keep(made_repeat("neal", "HMC-10", 1, 1, 100));
  const auto repeats = store.find_all("neal", "HMC-5");
  ASSERT_EQ(repeats.size(), 3U);
  EXPECT_EQ(repeats[0].name.number, 1);
  EXPECT_EQ(repeats[2].name.number, 10);
  EXPECT_TRUE(store.find_all("german", "HMC-5").empty());
  const auto first = store.path({"neal", "HMC-5", 1});
  std::filesystem::copy(first, first.parent_path() / "HMC-5-001.json");
  std::filesystem::copy(first, first.parent_path() / "HMC-5-00.json");
  EXPECT_EQ(store.find_all("neal", "HMC-5").size(), 3U);
}

TEST(RepeatStore, TakesADamagedRepeatForOneThatIsNotDone) {
  const RepeatStore store(fresh_directory("store"));
  const Repeat repeat = made_repeat("neal", "AM", 1, 1, 100);
  store.keep(repeat);
  for (const char* text : {"", "{}", "[1, 2]"}) {
    std::ofstream(store.path(repeat.name)) << text;
    EXPECT_FALSE(store.find(repeat.name)) << text;
  }
  store.keep(repeat);
  EXPECT_TRUE(store.find(repeat.name));
}

TEST(RepeatStore, SaysWhichSettingDiffers) {
  EXPECT_EQ(difference({{"draws", "200"}, {"seed", "1"}}, {{"draws", "20000"}, {"seed", "1"}}),
            "draws is '200', expected '20000'");
  EXPECT_EQ(difference({}, {{"seed", "1"}}), "seed is 'missing', expected '1'");
  EXPECT_EQ(difference({{"seed", "1"}}, {{"seed", "1"}}), "");
}

}  // namespace
}  // namespace gadwall::app::reproduce
