// One measure of all methods on all problems, from repeats made by hand.
#include "reproduce/overview.hpp"

#include <gtest/gtest.h>

#include "app/reproduce/made_repeats.hpp"

namespace gadwall::app::reproduce {
namespace {

using testing::fresh_directory;
using testing::made_repeat;

class Overviews : public ::testing::Test {
 protected:
  std::vector<Overview> made() const {
    return overviews({result_table(find_experiment("beyond-german"), store_),
                      result_table(find_experiment("beyond-caravan"), store_)});
  }
  RepeatStore store_{fresh_directory("overviews")};
};

TEST_F(Overviews, HaveAProblemAColumnAndMarkWhatIsNotTheWholeExperiment) {
  for (int number = 1; number <= 10; ++number) {
    store_.keep(made_repeat("beyond-german", "gadMALAf", number, 1, 800));
  }
  store_.keep(made_repeat("beyond-caravan", "gadMALAf", 1, 1, 80));
  Repeat shortened = made_repeat("beyond-caravan", "NUTS-diag", 1, 1, 40);
  shortened.scale = 0.1;
  store_.keep(shortened);
  const std::vector<Overview> all = made();
  ASSERT_EQ(all.size(), 4U);
  const Overview& worst = all.front();
  EXPECT_EQ(worst.title, "Worst ESS per 1000 gradients");
  EXPECT_EQ(worst.problems, (std::vector<std::string>{"german", "caravan"}));
  ASSERT_EQ(worst.rows.size(), 2U);
  EXPECT_EQ(worst.rows[0].method, "gadMALAf");
  EXPECT_EQ(worst.rows[0].cells, (std::vector<std::string>{"10", "1 (1)"}));
  EXPECT_EQ(worst.rows[1].cells, (std::vector<std::string>{"", "0.5 × 0.1 (1)"}));
}

TEST_F(Overviews, HaveOneRowOfHmcWithTheBestOfEachProblem) {
  store_.keep(made_repeat("beyond-german", "HMC-5", 1, 1, 400));
  store_.keep(made_repeat("beyond-german", "HMC-20", 1, 1, 200));
  store_.keep(made_repeat("beyond-caravan", "HMC-5", 1, 1, 200));
  store_.keep(made_repeat("beyond-caravan", "HMC-20", 1, 1, 400));
  const std::vector<Overview> all = made();
  ASSERT_EQ(all[2].rows.size(), 1U);
  EXPECT_EQ(all[2].title, "Worst ESS/s");
  EXPECT_EQ(all[2].rows[0].method, "HMC, best");
  EXPECT_EQ(all[2].rows[0].cells, (std::vector<std::string>{"200 [5] (1)", "200 [20] (1)"}));
}

TEST_F(Overviews, AreNotMadeOfThePapersTables) {
  store_.keep(made_repeat("german", "gadMALAf", 1, 1, 800));
  EXPECT_TRUE(overviews({result_table(find_experiment("german"), store_)}).empty());
  EXPECT_EQ(overview_markdown({result_table(find_experiment("german"), store_)}), "");
}

}  // namespace
}  // namespace gadwall::app::reproduce
