// What is shown of a run, in terminals of all sizes.
#include "app/live_view.hpp"

#include <gtest/gtest.h>

#include "app/redrawn_lines.hpp"
#include "text/text_table.hpp"

namespace gadwall::app {
namespace {

RunView view_of(Index chains) {
  RunView view;
  view.stage = "trajectory";
  view.done = 12431;
  view.most = 200000;
  view.may_end = true;
  view.ess = 85.3;
  view.ess_name = "a_parameter_with_a_very_long_name.17";
  view.rhat = 1.0213;
  view.time_left = "41 s";
  for (Index c = 1; c <= chains; ++c) {
    view.chains.push_back({.number = c,
                           .done = 12431,
                           .acceptance = 0.5,
                           .ess = 100.0 + static_cast<double>(c),
                           .divergences = 0,
                           .gradients_per_second = 1594.2,
                           .step = 0.0123,
                           .log_determinant = -1234.5,
                           .is_stuck = false});
  }
  return view;
}

TEST(LiveView, FitsEveryTerminal) {
  for (const std::size_t columns : {1, 20, 40, 60, 80, 100, 140}) {
    for (const std::size_t rows : {1, 2, 5, 10, 12, 24, 60}) {
      for (const Index chains : {1, 4, 16, 100}) {
        const TerminalSize size{columns, rows};
        const auto lines = live_lines(view_of(chains), size);
        EXPECT_GE(lines.size(), 1U);
        EXPECT_LE(lines.size(), redrawable_lines(size)) << rows << " rows, " << chains << " chains";
        if (columns < 20) continue;  // cut when they are drawn
        for (const std::string& line : lines) EXPECT_LT(display_width(line), columns) << line;
      }
    }
  }
}

TEST(LiveView, LeavesOutWhatMattersLess) {
  const auto wide = live_lines(view_of(1), {140, 24});
  EXPECT_EQ(wide[0], "chain  iteration  accept      step    log|L|     grad/s  div      ESS");
  EXPECT_EQ(wide[1], "1         12,431   0.500    0.0123     -1234      1,590    0      101");
  const auto narrow = live_lines(view_of(1), {46, 24});
  EXPECT_EQ(narrow[0], "chain  iteration  accept  div      ESS");
}

TEST(LiveView, HasNoColumnOfGradientsWhereNoneAreTaken) {
  RunView view = view_of(2);
  for (ChainView& chain : view.chains) chain.gradients_per_second = 0;
  const auto lines = live_lines(view, {140, 24});
  EXPECT_EQ(lines[0], "chain  iteration  accept      step    log|L|  div      ESS");
  EXPECT_EQ(lines[1], "1         12,431   0.500    0.0123     -1234    0      101");
}

TEST(LiveView, TheRunKeepsItsStageItsEssAndItsTime) {
  RunView view = view_of(1);
  EXPECT_EQ(run_line(view, 140),
            "trajectory 12,431 / at most 200,000  worst ESS ~85 (a_parameter…ng_name.17)  R-hat "
            "~1.021  divergences 0  41 s left");
  EXPECT_EQ(run_line(view, 60), "trajectory 12,431  worst ESS ~85  R-hat ~1.021  41 s left");
  EXPECT_EQ(run_line(view, 45), "trajectory 12,431  worst ESS ~85  41 s left");
  view.divergences = 3;
  EXPECT_NE(run_line(view, 62).find("divergences 3"), std::string::npos);
}

TEST(LiveView, ShowsTheWorstChainsFirstAndTheRestInOneLine) {
  RunView view = view_of(16);
  view.chains[8].divergences = 2;
  view.chains[11].is_stuck = true;
  const auto lines = live_lines(view, {80, 10});
  ASSERT_EQ(lines.size(), 9U);
  EXPECT_TRUE(lines[1].starts_with("12 ")) << lines[1];
  EXPECT_TRUE(lines[2].starts_with("9 ")) << lines[2];
  EXPECT_TRUE(lines[3].starts_with("1 ")) << lines[3];
  EXPECT_EQ(lines[7], "and 10 more: accept 0.500  ESS 105 to 116");
}

TEST(LiveView, HasOneLineWhereThereIsNoRoomForMore) {
  EXPECT_EQ(live_lines(view_of(4), {80, 3}).size(), 1U);
}

}  // namespace
}  // namespace gadwall::app
