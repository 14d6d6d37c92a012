// The live view on terminals of several sizes: no line wraps, and the cursor never goes back
// further than the terminal has rows.
#include <regex>
#include <sstream>

#include "app/program.hpp"
#include "text/text_table.hpp"

namespace gadwall::app {
namespace {

struct Size {
  unsigned short columns;
  unsigned short rows;
};

class LiveTerminal : public ProgramTest {
 protected:
  /// What a run with 16 chains says on stderr of such a terminal before it is interrupted.
  std::string watch(Size size) const {
    const auto process =
        start(words("sample funnel --dim 300 --sampler mala --chains 16 --warmup "
                    "5 --draws 1000000000 --checkpoint 0 --force --out run"),
              StartOptions{.terminal = true, .columns = size.columns, .rows = size.rows});
    EXPECT_TRUE(process->wait_until([&] {  // three pictures
      const std::string& said = process->said();
      const auto first = said.find(" left");
      const auto second = first == said.npos ? first : said.find(" left", first + 1);
      return second != said.npos && said.find(" left", second + 1) != said.npos;
    }));
    process->send(SIGINT);
    return process->finish().err;
  }
};

TEST_F(LiveTerminal, StaysInsideItsColumnsAndRows) {
  const std::regex up("\x1b\\[(\\d+)A");
  const std::regex order("\x1b\\[\\d*[A-Z]|\r");
  for (const Size size : {Size{60, 24}, Size{80, 10}, Size{140, 12}, Size{40, 4}}) {
    const std::string said = watch(size);
    for (std::sregex_iterator i(said.begin(), said.end(), up), end; i != end; ++i) {
      EXPECT_LT(std::stoi((*i)[1]), size.rows);
    }
    std::istringstream lines(said);
    for (std::string line; std::getline(lines, line);) {
      const bool drawn = line.find("\x1b[2K") != std::string::npos;
      const std::string text = std::regex_replace(line, order, "");
      if (drawn) {
        EXPECT_LT(display_width(text), size.columns) << text;
      }
    }
    if (size.rows >= 10) expect_contains(said, "chain ");
    expect_contains(said, size.rows >= 24 ? "\n\x1b[2K16 " : "draws ");
  }
}

TEST_F(LiveTerminal, KnowsTheDrawsFromBeforeARestart) {
  ASSERT_EQ(
      run("sample gaussian2d --sampler nuts --warmup 200 --draws 2000 --quiet --out run").code, 0);
  const auto process = start(words("resume run --draws +1000000000"),
                             StartOptions{.terminal = true, .columns = 100, .rows = 24});
  EXPECT_TRUE(
      process->wait_until([&] { return process->said().find("worst ESS") != std::string::npos; }));
  process->send(SIGINT);
  const std::string said = process->finish().err;
  EXPECT_NE(said.find("worst ESS ~"), said.npos);
  EXPECT_EQ(said.find("worst ESS -"), said.npos) << said;
}

}  // namespace
}  // namespace gadwall::app
