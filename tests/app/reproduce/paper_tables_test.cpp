// The numbers of the paper, some of them read off its pages again.
#include "reproduce/paper_tables.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "reproduce/experiments.hpp"
#include "reproduce/work_left.hpp"

namespace gadwall::app::reproduce {
namespace {

TEST(PaperTables, HoldWhatThePaperPrints) {
  const PaperRow* neal = find_paper_row("neal", "gadMALAf");
  ASSERT_NE(neal, nullptr);
  EXPECT_EQ(neal->seconds, 8.7);
  EXPECT_EQ(neal->acceptance, 0.556);
  EXPECT_EQ(neal->ess_min, 1413.4);
  EXPECT_EQ(neal->ess_median, 1987.4);
  EXPECT_EQ(neal->ess_max, 2580.8);
  EXPECT_EQ(neal->ess_per_second, 161.70);
  EXPECT_EQ(neal->ess_per_second_sd, 15.07);
  EXPECT_EQ(find_paper_row("caravan", "HMC-10")->ess_median, 2415.7);
  EXPECT_EQ(find_paper_row("ripley", "gadRWM")->acceptance, 0.068);
  EXPECT_EQ(find_paper_row("heart", "AM")->ess_per_second, 106.97);
  EXPECT_EQ(find_paper_row("mnist-authors", "NUTS-unit")->seconds, 83232.1);
  EXPECT_TRUE(std::isnan(find_paper_row("german", "NUTS-unit")->acceptance));
}

TEST(PaperTables, HaveNoRowForWhatItDoesNotPrint) {
  EXPECT_EQ(find_paper_row("neal", "HMC-5"), nullptr);
  EXPECT_EQ(find_paper_row("neal", "NUTS-diag"), nullptr);
  EXPECT_EQ(find_paper_row("mnist", "gadMALAf"), nullptr);  // other labels
}

TEST(PaperTables, HaveEveryRowOfEveryTable) {
  std::map<std::string, int> rows;
  for (const PaperRow& row : paper_rows()) ++rows[row.experiment];
  const std::map<std::string, int> wanted = {{"neal", 8},   {"caravan", 8},      {"australian", 8},
                                             {"ripley", 8}, {"pima", 8},         {"heart", 8},
                                             {"german", 8}, {"mnist-authors", 6}};
  EXPECT_EQ(rows, wanted);
}

TEST(PaperTables, AreConsistent) {
  for (const PaperRow& row : paper_rows()) {
    const std::string where = row.experiment + " " + row.method;
    EXPECT_LE(row.ess_min, row.ess_median) << where;
    EXPECT_LE(row.ess_median, row.ess_max) << where;
    // A mean of ratios is not the ratio of means, and HMC's scatter widely.
    EXPECT_NEAR(std::log(row.ess_min / row.seconds / row.ess_per_second), 0, 0.3) << where;
  }
}

TEST(PaperTables, NameOnlyMethodsThatAreRun) {
  for (const PaperRow& row : paper_rows()) {
    const auto& run = find_experiment(row.experiment).methods;
    EXPECT_TRUE(
        std::ranges::any_of(run, [&](const Method& method) { return method.name == row.method; }))
        << row.experiment << " " << row.method;
  }
}

TEST(PaperTables, SayAboutHowLongOtherRowsTake) {
  EXPECT_EQ(paper_seconds("beyond-caravan", "gadMALAf"), 23.1);
  EXPECT_EQ(paper_seconds("beyond-caravan", "HMC-20"), 2 * 225.5);
  EXPECT_EQ(paper_seconds("beyond-mnist", "NUTS-dense"), 83232.1);
  EXPECT_EQ(paper_seconds("beyond-caravan", "gadHMC"), 23.1);  // unknown: as gadMALAf
}

}  // namespace
}  // namespace gadwall::app::reproduce
