// summary and diagnose: they read files only, so they work later and on another machine.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "commands.hpp"
#include "diagnostics/thresholds.hpp"
#include "files/kept_summary.hpp"
#include "gadwall/error.hpp"
#include "gadwall/summary.hpp"
#include "memory.hpp"
#include "messages.hpp"
#include "numbers.hpp"
#include "output.hpp"
#include "terminal.hpp"
#include "text/name_selection.hpp"
#include "text/option_names.hpp"
#include "working_line.hpp"

namespace gadwall::app {
namespace {

struct ReadArguments {
  std::vector<std::string> files;
  bool plain = false;
  bool json = false;
  bool csv = false;
  std::optional<Index> rows;
  std::string sort = "model";
  std::string quantiles;
  std::string parameters;
  bool scores = false;
};

files::JudgedRun read_and_judge(const ReadArguments& arguments, const SummaryOptions& options) {
  keep_freed_memory();
  WorkingLine working;
  files::JudgedRun run = files::judge_run(
      arguments.files, {.read = {.plain = arguments.plain},
                        .summary = options,
                        .begins = [&](const std::string& what) { working.show(what); }});
  return run;
}

CLI::App* add_reader(CLI::App& app, const char* name, const char* summary,
                     ReadArguments& arguments) {
  CLI::App* parser = app.add_subcommand(name, summary);
  parser
      ->add_option(
          "FILE", arguments.files,
          "a run: NAME, NAME.nc, or its Stan CSV files, one per chain; several runs of one "
          "target are taken as one; files by CmdStan and by ArviZ are welcome")
      ->required();
  parser->add_flag("--plain", arguments.plain,
                   "CSV files without Stan's comments and columns: every column is a parameter");
  return parser;
}

/// "0.025,0.975"
std::vector<double> parse_quantiles(const std::string& text) {
  std::vector<double> result;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    const double p = real_number("--quantiles", part);
    if (!(p >= 0 && p <= 1)) {
      throw UsageError(
          fmt::format("--quantiles is '{}', expected numbers from 0 to 1, e.g. 0.025,0.975", text));
    }
    result.push_back(p);
  }
  return result;
}

TableOrder table_order_of(const std::string& name) {
  return name == "name"   ? TableOrder::name
         : name == "ess"  ? TableOrder::ess
         : name == "rhat" ? TableOrder::rhat
                          : TableOrder::model;
}

Summary chosen_parameters(Summary summary, const std::string& selection) {
  if (selection.empty()) return summary;
  std::vector<std::string> names;
  for (const ParameterSummary& p : summary.parameters) names.push_back(p.name);
  const std::vector<Index> positions = select_names(names, selection, "--parameters");
  return select_parameters(std::move(summary), positions);
}

int summarise_files(const ReadArguments& a) {
  const std::vector<double> quantiles = parse_quantiles(a.quantiles);
  files::JudgedRun run =
      read_and_judge(a, {.paper_ess = a.json, .quantiles = quantiles, .scores = a.scores});
  warn(run.warnings);
  const Summary summary = chosen_parameters(std::move(run.summary), a.parameters);
  if (a.json || a.csv) {
    fmt::print("{}", a.json ? to_json(summary) : to_csv(summary));
    return kSuccess;
  }
  TableStyle style = table_style(a.rows, summary.parameters.size());
  style.order = table_order_of(a.sort);
  fmt::print("{}", to_text(summary, style));
  if (!run.verdict.sound()) {
    std::vector<std::string> words = a.files;
    if (a.plain) words.emplace_back("--plain");
    fmt::print("{}", not_sound_line(words));
  }
  return kSuccess;
}

int diagnose_files(const ReadArguments& a) {
  const files::JudgedRun run = read_and_judge(a, {.paper_ess = false});
  warn(run.warnings);
  fmt::print("{}", with_dashes(to_text(run.verdict, run.summary)));
  return run.verdict.sound() ? kSuccess : kFailed;
}

void add_table_options(CLI::App* parser, ReadArguments& a) {
  CLI::Option* json = parser->add_flag("--json", a.json, "one JSON object instead of the table");
  parser->add_flag("--csv", a.csv, "the table as CSV, every digit")->excludes(json);
  add_whole(parser, "--rows", a.rows, {0, 1'000'000'000},
            "only so many parameters, lowest ESS first; 0: all. Default: all, on a "
            "terminal as many as fit");
  parser
      ->add_option("--sort", a.sort,
                   "name, ess (lowest first), rhat (highest first) or model: as they come, more "
                   "than 20 with the lowest ESS first [model]")
      ->check(CLI::IsMember({"model", "name", "ess", "rhat"}));
  parser->add_option("--quantiles", a.quantiles, "instead of 5, 50 and 95 %, e.g. 0.025,0.975")
      ->type_name("P,P,...");
  parser->add_option("--parameters", a.parameters, "only these: 'beta*', theta[1:3], mu,tau")
      ->type_name("LIST");
  parser->add_flag("--scores", a.scores,
                   "beside every mean the one that the scores make more exact; for runs of sample "
                   "--save-scores");
}

}  // namespace

std::string not_sound_line(const std::vector<std::string>& run) {
  std::vector<std::string> words;
  for (const std::string& word : run) words.push_back(shell_word(word));
  return fmt::format("Not sound yet: gadwall diagnose {} says why.\n", fmt::join(words, " "));
}

Command add_summary(CLI::App& app) {
  const auto arguments = std::make_shared<ReadArguments>();
  CLI::App* parser =
      add_reader(app, "summary", "A table of means, sds, quantiles, ESS, R-hat", *arguments);
  add_table_options(parser, *arguments);
  parser->footer(
      R"(Columns: mean and its Monte Carlo standard error, sd, quantiles; the effective sample size of
the bulk, of the tails and of (x - mean)^2; rank-normalised split R-hat. The smallest of the three
ESS over all parameters, the worst ESS, is the number to judge a run by. More than 20 parameters
come with the lowest ESS first, those that a Stan program calls transformed or generated last. On a
terminal the table fits its width, numbers that are bad are red (unless NO_COLOR is set), and a last
column draws the chains one after another: level where they have mixed. A last line says when the
run is not sound. With --scores a second mean, by control variates, stands beside the first, with its
own standard error; ESS and R-hat are those of the draws all the same. The numbers of a long run are kept in NAME.summary, as long as NAME.nc stays.

Examples:
  gadwall summary neal100-gadmala
  gadwall summary neal100-gadmala --parameters 'x.1*' --quantiles 0.025,0.975 --sort rhat
  gadwall summary neal100-gadmala --csv > table.csv
  gadwall summary german --scores
  gadwall summary run_1.csv run_2.csv run_3.csv run_4.csv --json)");
  return {parser, [arguments] { return summarise_files(*arguments); }};
}

Command add_diagnose(CLI::App& app) {
  const auto arguments = std::make_shared<ReadArguments>();
  CLI::App* parser =
      add_reader(app, "diagnose", "A verdict in words: what is wrong, what to try", *arguments);
  parser->footer(fmt::format(
      R"(Looks for: R-hat above {}, worst ESS below {} per chain (at most {}), divergences, low E-BFMI,
trajectories cut short, chains that do not move or are copies of each other, draws that are not
finite. Exit code 0 when sound, 1 when not.

Example:
  gadwall diagnose neal100-gadmala && echo trust it)",
      kMostRhat, kLeastEssPerChain, kEnoughEss));
  return {parser, [arguments] { return diagnose_files(*arguments); }};
}

}  // namespace gadwall::app
