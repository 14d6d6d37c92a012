// summary and diagnose: they read files only, so they work later and on another machine.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "files/read_run.hpp"
#include "gadwall/summary.hpp"
#include "messages.hpp"
#include "numbers.hpp"
#include "terminal.hpp"

namespace gadwall::app {
namespace {

struct ReadArguments {
  std::vector<std::string> files;
  bool json = false;
  std::optional<Index> rows;
};

Draws read(const ReadArguments& arguments) {
  files::ReadResult result = files::read_run(arguments.files);
  warn(result.warnings);
  return std::move(result.draws);
}

CLI::App* add_reader(CLI::App& app, const char* name, const char* summary,
                     ReadArguments& arguments) {
  CLI::App* parser = app.add_subcommand(name, summary);
  parser
      ->add_option("FILE", arguments.files,
                   "a run: NAME, NAME.nc, or its Stan CSV files, one a chain; files by CmdStan and "
                   "by ArviZ are welcome")
      ->required();
  return parser;
}

}  // namespace

Command add_summary(CLI::App& app) {
  const auto arguments = std::make_shared<ReadArguments>();
  CLI::App* parser =
      add_reader(app, "summary", "A table of means, sds, quantiles, ESS, R-hat", *arguments);
  parser->add_flag("--json", arguments->json, "one JSON object instead of the table");
  add_whole(parser, "--rows", arguments->rows, {0, 1'000'000'000},
            "only so many parameters, lowest ESS first; 0: all. Default: all, on a "
            "terminal as many as fit");
  parser->footer(
      R"(Columns: mean and its Monte Carlo standard error, sd, quantiles; the effective sample size of
the bulk, of the tails and of (x - mean)^2; rank-normalised split R-hat. The smallest of the three
ESS over all parameters, the worst ESS, is the number to judge a run by. More than 20 parameters
come with the lowest ESS first. On a terminal the table fits its width, numbers that are bad are red
(unless NO_COLOR is set), and a last column draws the chains one after another: level where they
have mixed.

Examples:
  gadwall summary neal100-gadmala
  gadwall summary run_1.csv run_2.csv run_3.csv run_4.csv --json)");
  return {parser, [arguments] {
            const Draws draws = read(*arguments);
            const Summary summary = summarise(draws);
            const TableStyle style = table_style(arguments->rows, summary.parameters.size());
            fmt::print("{}", arguments->json ? to_json(summary) : to_text(summary, draws, style));
            return kSuccess;
          }};
}

Command add_diagnose(CLI::App& app) {
  const auto arguments = std::make_shared<ReadArguments>();
  CLI::App* parser =
      add_reader(app, "diagnose", "A verdict in words: what is wrong, what to try", *arguments);
  parser->footer(
      R"(Looks for: R-hat above 1.01, worst ESS below 100 a chain, divergences, low E-BFMI, trajectories cut
short, chains that do not move, draws that are not finite. Exit code 0 when sound, 1 when not.

Example:
  gadwall diagnose neal100-gadmala && echo trust it)");
  return {parser, [arguments] {
            const Draws draws = read(*arguments);
            const Summary summary = summarise(draws);
            const Verdict verdict = judge(draws, summary);
            fmt::print("{}", to_text(verdict, summary));
            return verdict.sound() ? kSuccess : kFailed;
          }};
}

}  // namespace gadwall::app
