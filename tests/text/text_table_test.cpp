// Text that fits a terminal.
#include "text/text_table.hpp"

#include <gtest/gtest.h>

namespace gadwall {
namespace {

TEST(DisplayWidth, CountsColumnsOfTheTerminal) {
  EXPECT_EQ(display_width("beta.1"), 6U);
  EXPECT_EQ(display_width("größe"), 5U);
  EXPECT_EQ(display_width("大きさ"), 6U);
  EXPECT_EQ(display_width("🦆"), 2U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
}

TEST(Shorten, CutsTheMiddleAndKeepsBothEnds) {
  EXPECT_EQ(shorten("short", 8), "short");
  EXPECT_EQ(shorten("coefficient.of.age.12", 11), "coeff…ge.12");
  EXPECT_EQ(shorten("大きさ大きさ", 7), "大…さ");
  for (std::size_t most = 1; most < 12; ++most) {
    EXPECT_LE(display_width(shorten("大きさ and größe", most)), most);
  }
}

TEST(Printable, LeavesNoControlCharacters) {
  EXPECT_EQ(printable("a\tb\x1b[31m\x7f"), "a\uFFFDb\uFFFD[31m\uFFFD");
  EXPECT_EQ(printable("größe"), "größe");
  EXPECT_EQ(printable("a\n\tb\x1b", "\n\t"), "a\n\tb\uFFFD");
  EXPECT_EQ(printable("a\u202Eb\u0085"), "a\uFFFDb\uFFFD");
}

std::vector<TextColumn> made_table() {
  return {{"name", {"a_rather_long_name_of.1", "b"}, {}, 0},
          {"mean", {"1.000", "-20.00"}, {}, 0},
          {"sd", {"1.000", "2.000"}, {false, true}, 1},
          {"trace", {"▄▄▄▄", "▁▇▁▇"}, {}, 2}};
}

TEST(TextTable, IsAsWideAsItNeedsWhereWidthDoesNotMatter) {
  EXPECT_EQ(text_table(made_table(), 0, false),
            "name                       mean     sd  trace\n"
            "a_rather_long_name_of.1   1.000  1.000   ▄▄▄▄\n"
            "b                        -20.00  2.000   ▁▇▁▇\n");
}

TEST(TextTable, LeavesOutWhatIsLeastNeededAndThenCutsNames) {
  EXPECT_EQ(text_table(made_table(), 40, false),
            "name                       mean     sd\n"
            "a_rather_long_name_of.1   1.000  1.000\n"
            "b                        -20.00  2.000\n");
  EXPECT_EQ(text_table(made_table(), 20, false),
            "name            mean\n"
            "a_rath…_of.1   1.000\n"
            "b             -20.00\n");
}

TEST(TextTable, LeavesOutTogetherWhatIsOfUseOnlyTogether) {
  const std::vector<TextColumn> columns = {
      {"name", {"a"}, {}, 0}, {"5%", {"-1.640"}, {}, 1}, {"95%", {"1.640"}, {}, 1}};
  EXPECT_EQ(text_table(columns, 19, false), "name      5%    95%\na     -1.640  1.640\n");
  EXPECT_EQ(text_table(columns, 18, false), "name\na   \n");
}

TEST(TextTable, PaintsTitlesAndMarkedCells) {
  const std::string text = text_table({{"n", {"a"}, {}, 0}, {"sd", {"2"}, {true}, 0}}, 0, true);
  EXPECT_EQ(text, "\x1b[2mn\x1b[0m  \x1b[2msd\x1b[0m\na   \x1b[1;31m2\x1b[0m\n");
}

}  // namespace
}  // namespace gadwall
