// Tables from repeats made by hand: means, deviations, the best HMC, the paper's values, ratios.
#include "reproduce/result_table.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "app/reproduce/made_repeats.hpp"

namespace gadwall::app::reproduce {
namespace {

using testing::fresh_directory;
using testing::made_repeat;

const Column& column(const std::string& key) {
  for (const Column& one : table_columns(find_experiment("neal"))) {
    if (one.key == key) return one;
  }
  throw std::runtime_error("no column " + key);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(RowSummary, TakesMeansAndDeviationsOverTheRepeats) {
  const RowSummary row = summarise_row(
      {made_repeat("neal", "gadMALAf", 1, 1, 1000), made_repeat("neal", "gadMALAf", 2, 4, 2000)});
  EXPECT_DOUBLE_EQ(row.seconds.mean, 2.5);
  EXPECT_DOUBLE_EQ(row.ess_min.mean, 1500);
  EXPECT_DOUBLE_EQ(row.ess_median.mean, 3000);
  EXPECT_DOUBLE_EQ(row.ess_per_second.mean, 750);  // of 1000 / 1 and 2000 / 4
  EXPECT_DOUBLE_EQ(row.ess_per_second.sd, std::sqrt(2 * 250. * 250));
  EXPECT_DOUBLE_EQ(row.worst_per_second.mean, 375);
  EXPECT_DOUBLE_EQ(row.worst_per_gradient.mean, 750. / 40000);
}

TEST(RowSummary, HasNoDeviationFromOneRepeat) {
  EXPECT_TRUE(std::isnan(summarise_row({made_repeat("neal", "AM", 1, 1, 9)}).seconds.sd));
}

TEST(RowSummary, ComparesWithThePaper) {
  const RowSummary row = summarise_row({made_repeat("neal", "gadMALAf", 1, 0.87, 1413.4)});
  EXPECT_DOUBLE_EQ(column("seconds").ratio(row), 0.1);
  EXPECT_DOUBLE_EQ(column("ess_min").ratio(row), 1);
  EXPECT_TRUE(std::isnan(column("worst_per_second").ratio(row)));
}

TEST(RowSummary, ComparesAShortenedRowWithItsShareOfThePaper) {
  Repeat repeat = made_repeat("neal", "gadMALAf", 1, 0.87, 141.34);
  repeat.scale = 0.1;
  const RowSummary row = summarise_row({repeat});
  EXPECT_DOUBLE_EQ(column("seconds").ratio(row), 1);
  EXPECT_DOUBLE_EQ(column("ess_min").ratio(row), 1);
  EXPECT_DOUBLE_EQ(column("acceptance").ratio(row), 0.5 / 0.556);
  EXPECT_EQ(row_title(row), "gadMALAf × 0.1");
}

TEST(RowSummary, ShowsTheBestHmcAndThePapers) {
  std::vector<RowSummary> rows = {summarise_row({made_repeat("neal", "HMC-5", 1, 1, 10)}),
                                  summarise_row({made_repeat("neal", "HMC-10", 1, 1, 30)}),
                                  summarise_row({made_repeat("neal", "HMC-20", 1, 1, 20)}),
                                  summarise_row({made_repeat("neal", "MALA", 1, 1, 99)})};
  choose_hmc(rows);
  EXPECT_FALSE(rows[0].shown);
  EXPECT_TRUE(rows[1].shown && rows[1].best_hmc);
  EXPECT_TRUE(rows[2].shown && !rows[2].best_hmc);  // the paper printed it
  EXPECT_TRUE(rows[3].shown && !rows[3].best_hmc);
}

TEST(RowSummary, CallsAnHmcTheBestOnlyAmongSeveral) {
  std::vector<RowSummary> one = {summarise_row({made_repeat("neal", "HMC-5", 1, 1, 10)})};
  choose_hmc(one);
  EXPECT_TRUE(one[0].shown && !one[0].best_hmc);
  std::vector<RowSummary> two = {summarise_row({made_repeat("neal", "HMC-5", 1, 1, std::nan(""))}),
                                 summarise_row({made_repeat("neal", "HMC-10", 1, 1, 30)})};
  choose_hmc(two);
  EXPECT_TRUE(two[1].best_hmc);
}

class Tables : public ::testing::Test {
 protected:
  std::vector<ResultTable> tables() const {
    return {result_table(find_experiment("neal"), store_)};
  }
  RepeatStore store_{fresh_directory("tables")};
};

TEST_F(Tables, InMarkdownHoldOursThePapersAndTheRatio) {
  store_.keep(made_repeat("neal", "gadMALAf", 1, 0.87, 1413.4));
  store_.keep(made_repeat("neal", "gadMALAf", 2, 0.87, 1413.4));
  store_.keep(made_repeat("neal", "NUTS-unit", 1, 36.05, 18479.6));
  const auto lines = lines_of(to_markdown(tables()));
  EXPECT_EQ(lines[0], "## Neal's Gaussian");
  EXPECT_EQ(lines[4],
            "| gadMALAf | 2 | 0.87 [8.7; 0.10] | 0.5 [0.556; 0.90] | 1413 [1413.4; 1.00] | "
            "2827 [1987.4; 1.42] | 4240 [2580.8; 1.64] | 1625 (0) [161.7 (15.07); 10.05] | 812 | "
            "17.7 |");
  EXPECT_NE(lines[5].find("| 0.5 [>0.7] |"), std::string::npos) << lines[5];
}

TEST_F(Tables, InCsvHaveEveryRowAndAsManyCellsAsNames) {
  for (const char* method : {"HMC-5", "HMC-10", "AM"}) {
    store_.keep(made_repeat("neal", method, 1, 1, 100));
  }
  const auto lines = lines_of(to_csv(tables()));
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_TRUE(lines[1].starts_with("neal,AM,1,1,20000,20000,0,1,,2.3,"));
  EXPECT_TRUE(lines[2].starts_with("neal,HMC-5,"));
  for (const std::string& line : lines) {
    EXPECT_EQ(std::ranges::count(line, ','), std::ranges::count(lines[0], ',')) << line;
  }
}

TEST_F(Tables, BeyondThePaperHaveBothKindsOfEss) {
  store_.keep(made_repeat("beyond-german", "FisherMALA", 1, 2, 800));
  const std::vector<ResultTable> tables{result_table(find_experiment("beyond-german"), store_)};
  const auto lines = lines_of(to_markdown(tables));
  EXPECT_EQ(lines[2],
            "| Method | Repeats | Time, s | Acceptance | Min ESS | Worst ESS | Min ESS/s | Worst "
            "ESS/s | Min ESS per 1000 gradients | Worst ESS per 1000 gradients |");
  EXPECT_EQ(lines[4], "| FisherMALA | 1 | 2 | 0.5 | 800 | 400 | 400 | 200 | 20 | 10 |");
  EXPECT_TRUE(lines_of(to_csv(tables))[0].find(",ess_worst,") != std::string::npos);
}

TEST_F(Tables, InJsonHoldEveryRepeat) {
  for (int number = 1; number <= 3; ++number) {
    store_.keep(made_repeat("neal", "AM", number, number, 100));
  }
  const report::Json row = to_json(tables())["experiments"][0]["rows"][0];
  EXPECT_EQ(row["method"], "AM");
  EXPECT_EQ(row["seconds"]["mean"], 2);
  EXPECT_EQ(row["seconds"]["paper"], 2.3);
  ASSERT_EQ(row["repeats"].size(), 3U);
  EXPECT_EQ(row["repeats"][2]["seconds"], 3);
}

TEST_F(Tables, SayWhereTheirRowsAreOfDifferentBuilds) {
  const auto says = [&] {
    return to_markdown(tables()).find("the same build of gadwall") != std::string::npos;
  };
  store_.keep(made_repeat("neal", "AM", 1, 1, 100));
  store_.keep(made_repeat("neal", "MALA", 1, 1, 100));
  EXPECT_FALSE(says());
  Repeat other = made_repeat("neal", "RWM", 1, 1, 100);
  other.settings["build"] = "another";
  store_.keep(other);
  EXPECT_TRUE(says());
}

TEST_F(Tables, DoNotMixSettings) {
  store_.keep(made_repeat("neal", "AM", 1, 1, 100));
  Repeat shorter = made_repeat("neal", "AM", 2, 0.1, 10);
  shorter.settings["draws"] = "2000";
  store_.keep(shorter);
  EXPECT_EQ(tables()[0].rows[0].repeats.size(), 1U);
  EXPECT_NE(to_markdown(tables()).find("AM: 1 repeats that were kept with other settings"),
            std::string::npos);
}

}  // namespace
}  // namespace gadwall::app::reproduce
