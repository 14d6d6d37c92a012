// gadwall list, --help and --version.
#include "app/program.hpp"
#include "files/checkpoint.hpp"
#include "gadwall/catalog.hpp"
#include "gadwall/targets.hpp"

namespace gadwall::app {
namespace {

class ListCommand : public ProgramTest {};

TEST_F(ListCommand, NamesEveryTargetWithItsOptions) {
  const Outcome outcome = run("list targets");
  EXPECT_EQ(outcome.code, 0);
  for (const TargetRow& row : targets()) {
    expect_contains(outcome.out, "\n  " + row.name + " ");
    for (const std::string& option : row.options) expect_contains(outcome.out, "--" + option);
  }
  EXPECT_EQ(outcome.out.find("Samplers"), std::string::npos);
}

TEST_F(ListCommand, NamesEverySamplerWithDefaultsThatSampleTakes) {
  const Outcome outcome = run("list samplers");
  EXPECT_EQ(outcome.out.find("Targets"), std::string::npos);
  std::istringstream lines(outcome.out);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "Samplers");
  for (const SamplerRow& row : samplers()) {
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_TRUE(line.starts_with("  " + row.name + " ")) << line;
    ASSERT_TRUE(std::getline(lines, line));
    // A line of defaults is a line of arguments; only the lengths are too long for a test.
    std::string arguments = line.substr(line.find(" --draws ") + 9);
    arguments.erase(0, arguments.find(' '));
    const Outcome sampled = run(
        "sample --format csv --checkpoint 0 gaussian2d --quiet --warmup 5 --draws 5 --sampler " +
        row.name + arguments);
    EXPECT_EQ(sampled.code, 0) << sampled.err;
  }
}

TEST_F(ListCommand, ShowsBothWithoutAWord) {
  EXPECT_EQ(run("list").out, run("list targets").out + "\n" + run("list samplers").out);
}

TEST_F(ListCommand, EveryHelpHasAnExample) {
  for (const std::string command :
       {"", "sample ", "resume ", "summary ", "diagnose ", "report ", "compile ", "list "}) {
    const Outcome outcome = run(command + "--help");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
    expect_contains(outcome.out, "Usage: gadwall ");
    expect_contains(outcome.out, "Example");
    expect_contains(outcome.out, "\n  gadwall " + command);
  }
}

TEST_F(ListCommand, HelpNamesAFlagAndItsOpposite) {
  const std::string help = run("sample --help").out;
  expect_contains(help, "--standardise,--no-standardise\n");
  EXPECT_EQ(help.find('{'), std::string::npos) << help.substr(help.find('{'), 80);
}

TEST_F(ListCommand, VersionIsOneLineWithTheProcessor) {
  const Outcome outcome = run("--version");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(outcome.out.starts_with(files::build_identity() + " (with")) << outcome.out;
  EXPECT_EQ(std::ranges::count(outcome.out, '\n'), 1);
}

}  // namespace
}  // namespace gadwall::app
