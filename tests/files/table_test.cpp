// Tables from text: separators, headers, quotes, and the messages for what is wrong.
#include "files/table.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "gadwall/error.hpp"
#include "message_of.hpp"

namespace gadwall::files {
namespace {

using Names = std::vector<std::string>;

Table parse(const std::string& text, HeaderLine header = HeaderLine::automatic) {
  return parse_table(text, "data.csv", {header});
}

Matrix numbers(const Table& table) {
  std::vector<Index> columns(static_cast<std::size_t>(table.columns()));
  std::iota(columns.begin(), columns.end(), Index{0});
  Matrix out(table.rows(), table.columns());
  table.read_numbers(columns, out);
  return out;
}

std::string refusal(const std::string& text, HeaderLine header = HeaderLine::automatic) {
  return testing::message_of([&] { numbers(parse(text, header)); });
}

Matrix two_by_two() {
  return (Matrix(2, 2) << 1, 2, 3, 4).finished();
}

TEST(Table, FindsTheSeparatorByItself) {
  for (const char* text : {"1,2\n3,4\n", "1;2\n3;4\n", "1\t2\n3\t4\n", "1 2\n3 4\n",
                           "  1   2\n  3\t4  \n", "1 , 2\n3,4 \n"}) {
    EXPECT_EQ(numbers(parse(text)), two_by_two()) << text;
  }
}

TEST(Table, AcceptsEveryLineEndAByteOrderMarkBlankLinesAndComments) {
  for (const char* text : {"1,2\r\n3,4\r\n", "1,2\r3,4",
                           "\xEF\xBB\xBF"
                           "1,2\n3,4",
                           "\n\n1,2\n   \n3,4\n\n", "# made by hand\n1,2\n  # really\n3,4\n"}) {
    EXPECT_EQ(numbers(parse(text)), two_by_two()) << text;
  }
}

TEST(Table, IgnoresASeparatorAtTheEndOfLines) {
  for (const char* text : {"1,2,\n3,4,\n", "1,2\n3,4,\n", "a,b,\n1,2,\n3,4,\n", "a,b\n1,2,\n3,4,\n",
                           "1\t2\t\n3\t4\t\n"}) {
    EXPECT_EQ(numbers(parse(text)), two_by_two()) << text;
  }
}

TEST(Table, ReadsNumbersInEveryUsualForm) {
  const Matrix row = numbers(parse("+1,-.5,1e3,2.,\"7\"\n"));
  EXPECT_EQ(row, (Matrix(1, 5) << 1, -0.5, 1000, 2, 7).finished());
}

TEST(Table, ReadsQuotedCells) {
  const Table table = parse("\"a,b\",\"say \"\"hi\"\"\" , \"\"\n1,2,3\n4,5,6\n");
  EXPECT_EQ(table.names(), (Names{"a,b", "say \"hi\"", "x3"}));
  const Table spaced = parse("\"first name\" y\n1 2\n");
  EXPECT_EQ(spaced.names(), (Names{"first name", "y"}));
  EXPECT_EQ(parse("1,\"a \"\"b\"\"\"\n2,c\n").read_text(1), (Names{"a \"b\"", "c"}));
}

TEST(Table, TakesBytesThatAreNotUtf8ForLatin1) {
  EXPECT_EQ(parse("gr\xF6\xDF"
                  "e,y\n1,2\n")
                .names()[0],
            "gr\xC3\xB6\xC3\x9F"
            "e");
}

TEST(Table, FindsAHeaderWhereTextStandsAboveNumbers) {
  const Table table = parse("age,y\n1,2\n3,4\n");
  EXPECT_TRUE(table.has_header());
  EXPECT_EQ(table.names(), (Names{"age", "y"}));
  EXPECT_TRUE(parse("age,class\n1,yes\n2,no\n").has_header());
  EXPECT_TRUE(parse("age,y\nNA,0\n2,1\n").has_header());
  EXPECT_TRUE(parse(",age,y\n1,30,0\n").has_header());
}

TEST(Table, FindsNoHeaderWhereTheFirstLineIsLikeTheOthers) {
  const Table table = parse("1,2,yes\n3,4,no\n");
  EXPECT_FALSE(table.has_header());
  EXPECT_EQ(table.names(), (Names{"x1", "x2", "x3"}));
  EXPECT_EQ(table.rows(), 2);
  EXPECT_FALSE(parse("1,2\n3,4\n").has_header());
  EXPECT_FALSE(parse("NA,2\n3,4\n").has_header());
  EXPECT_FALSE(parse("NA,yes\n3,no\n").has_header());
}

TEST(Table, RefusesToGuessWhereTheFirstLineMixesNamesAndNumbers) {
  EXPECT_EQ(refusal("0,1,target\n5,6,0\n7,8,1\n"),
            "data.csv:1: a header or data? 'target' is not a number, '1' is one; say whether there "
            "is a header");
  EXPECT_EQ(parse("0,1,target\n5,6,0\n", HeaderLine::yes).names(), (Names{"0", "1", "target"}));
  EXPECT_EQ(refusal("1,abc\n2,3\n", HeaderLine::no), "data.csv:1: column 2: 'abc' is not a number");
}

TEST(Table, TheHeaderCanBeSaid) {
  EXPECT_EQ(parse("1,2\n3,4\n", HeaderLine::yes).names(), (Names{"1", "2"}));
  EXPECT_EQ(parse("a,b\n3,4\n", HeaderLine::no).rows(), 2);
}

TEST(Table, ARaggedRowIsNamedByTheLineOfTheFile) {
  EXPECT_EQ(refusal("\n# note\na,b,c\n1,2,3\n\n1,2\n"),
            "data.csv:6: 2 cells, expected 3 (as in line 3)");
  EXPECT_EQ(refusal("1 2\n1 2 3\n"), "data.csv:2: 3 cells, expected 2 (as in line 1)");
  EXPECT_EQ(refusal("1,2,\n1,\n"), "data.csv:2: 1 cell, expected 2 (as in line 1)");
}

TEST(Table, ACellThatIsNotANumberIsNamedByLineAndColumn) {
  EXPECT_EQ(refusal("id,age\r\n1,30\r\n\r\n2,abc\r\n"),
            "data.csv:4: column 2 ('age'): 'abc' is not a number");
  EXPECT_EQ(refusal("1,2\n3,4x\n"), "data.csv:2: column 2: '4x' is not a number");
  EXPECT_EQ(refusal("1;2\n1,5;2\n"), "data.csv:2: column 1: '1,5' is not a number");
  EXPECT_EQ(refusal("1,2\n+-3,4\n"), "data.csv:2: column 1: '+-3' is not a number");
  EXPECT_EQ(refusal("1,2\n0x10,4\n"), "data.csv:2: column 1: '0x10' is not a number");
}

TEST(Table, MissingAndInfiniteValuesAreNamed) {
  EXPECT_EQ(refusal("a,b\n1,\n"), "data.csv:2: column 2 ('b'): missing value");
  EXPECT_EQ(refusal("a,b\n1,2\n,2\n"), "data.csv:3: column 1 ('a'): missing value");
  for (const std::string marker : {"NA", "na", "N/A", "NaN", "-nan", "?", "NULL"}) {
    EXPECT_EQ(refusal("a,b\n1,2\n1," + marker + "\n"),
              "data.csv:3: column 2 ('b'): missing value ('" + marker + "')");
  }
  EXPECT_EQ(refusal("a\n1\n-inf\n"), "data.csv:3: column 1 ('a'): '-inf' is not a finite number");
  EXPECT_EQ(refusal("a\n1\n1e999\n"),
            "data.csv:3: column 1 ('a'): '1e999' is out of the range of a double");
}

TEST(Table, TextColumnsRefuseMissingValuesToo) {
  EXPECT_THROW(parse("1,yes\n2,\n").read_text(1), UsageError);
  EXPECT_THROW(parse("1,1\n2,inf\n").read_text(1), UsageError);
}

TEST(Table, BrokenQuotesAreNamedByLine) {
  EXPECT_EQ(refusal("1,2\n\"3,4\n"), "data.csv:2: a quote is not closed on this line");
  EXPECT_EQ(refusal("1,2\n\"3\"x,4\n"), "data.csv:2: text follows a closing quote");
}

TEST(Table, NothingToReadIsRefused) {
  for (const char* text : {"", "\n\n", "# only a comment\n", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(refusal(text), "data.csv: no data, the file is empty");
  }
  EXPECT_EQ(refusal("a,b\n"), "data.csv: a header and no rows below it");
  EXPECT_EQ(refusal("1,2\n", HeaderLine::yes), "data.csv: a header and no rows below it");
  EXPECT_EQ(refusal(std::string("1\0,2", 4)), "data.csv: not a text file (it holds zero bytes)");
}

TEST(Table, MessagesStayOnOneLineAndShort) {
  const std::string message = refusal("1,2\n3,\x01" + std::string(500, 'z') + "\n");
  EXPECT_EQ(message, "data.csv:2: column 2: '?" + std::string(39, 'z') + "...' is not a number");
}

TEST(Table, KeepsTheLineOfEveryRow) {
  const Table table = parse("# c\na\n\n1\n2\n");
  EXPECT_EQ(table.line(0), 4U);
  EXPECT_EQ(table.line(1), 5U);
}

}  // namespace
}  // namespace gadwall::files
