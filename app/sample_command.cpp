// sample: arguments -> plan -> run -> files -> summary.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "commands.hpp"
#include "gadwall/catalog.hpp"
#include "gadwall/error.hpp"
#include "gadwall/run.hpp"
#include "gadwall/summary.hpp"
#include "gadwall/targets.hpp"
#include "interrupt.hpp"
#include "io/csv_sink.hpp"
#include "numbers.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "terminal.hpp"

namespace gadwall::app {
namespace {

constexpr Index kSummaryRows = 10;

constexpr const char* kFooter =
    R"(The draws go to OUT_1.csv, OUT_2.csv, ..., one Stan CSV file a chain; the table that follows is made
from these files. The same seed gives the same draws for any number of threads.

Examples:
  gadwall sample neal100
  gadwall sample neal100 --sampler nuts --metric dense --chains 4 --seed 1
  gadwall sample gp51 --learning-rate 1e-3 --warmup 200000
  gadwall sample logistic --data german.csv --label y --prior-sd 1 --out german
  gadwall sample logistic --data mnist.csv.gz --scale 255 --learning-rate 1e-5
  gadwall sample neal100 --chains 16 --lanes 16 --learning-rate 1.5e-3 --warmup 2000)";

struct Arguments {
  std::string target;
  std::string sampler = "gadmala";
  RunOptions run;
  std::optional<Index> chains;
  std::optional<int> threads;
  TargetOptions target_options;
  std::string constant_columns = "drop";
  std::map<std::string, std::string> numbers;  // the sampler options given, by name
  std::optional<std::string> out;
  bool force = false;
  bool json = false;
  bool quiet = false;
};

// Far beyond what can be done, and small enough that no sum of them overflows.
constexpr std::uint64_t kMostIterations = 1'000'000'000'000'000;
constexpr std::uint64_t kMostChains = 1'000'000;  // each has a file
constexpr std::uint64_t kMostDimension = 1'000'000;
constexpr std::uint64_t kAnySeed = std::numeric_limits<std::uint64_t>::max();

void add_run_options(CLI::App* parser, Arguments& a) {
  parser->add_option("TARGET", a.target, "what to sample: see gadwall list targets")->required();
  parser->add_option("--sampler", a.sampler, "see gadwall list samplers")->capture_default_str();
  add_whole(parser, "--chains", a.chains, {1, kMostChains},
            "independent chains [4, or as many as lanes]");
  add_whole(parser, "--lanes", a.run.lanes, {1, kMostChains},
            "chains in lockstep that share what they learn; divides the chains [1]");
  add_whole(parser, "--warmup", a.run.warmup, {0, kMostIterations},
            "iterations that learn [the sampler's default]");
  add_whole(parser, "--draws", a.run.draws, {1, kMostIterations},
            "kept iterations a chain [the sampler's default]");
  add_whole(parser, "--seed", a.run.seed, {0, kAnySeed}, "decides every random number [1]");
  add_whole(parser, "--threads", a.threads, {1, kMostChains}, "[the processor's cores]");
  add_real(parser, "--start-sd", a.run.start_sd, positive_number,
           "chains start at N(0, sd^2 I) [1]");
  parser->add_option("--out", a.out,
                     "name of the files, or the directory for them [TARGET-SAMPLER; -2, -3, ... "
                     "where that is taken]");
  parser->add_flag("--force", a.force, "overwrite files that exist");
  parser->add_flag("--json", a.json, "print the summary as one JSON object");
  parser->add_flag("--quiet", a.quiet, "no progress and no summary");
}

void add_logistic_options(CLI::App* parser, Arguments& a) {
  TargetOptions& o = a.target_options;
  parser->add_option("--data", o.data,
                     "logistic: table, CSV or whitespace-separated, plain or .gz");
  parser->add_option("--label", o.label,
                     "logistic: column of the classes, a name or a position [y, or the last]");
  parser->add_option("--header", o.header,
                     "logistic: does the first line name the columns? auto, yes or no [auto]");
  parser->add_flag("--standardise,!--no-standardise", o.standardise,
                   "logistic: features to mean 0 and variance 1 [yes]");
  add_real(parser, "--scale", o.scale, positive_number,
           "logistic: divide the features by this instead");
  parser->add_flag("--bias,!--no-bias", o.bias, "logistic: a column of ones, last [yes]");
  parser->add_option("--constant-columns", a.constant_columns, "logistic: drop or refuse [drop]")
      ->check(CLI::IsMember({"drop", "refuse"}));
  add_real(parser, "--prior-sd", o.prior_sd, positive_number,
           "logistic: sd of the normal prior of every weight [1]");
}

void add_target_options(CLI::App* parser, Arguments& a) {
  TargetOptions& o = a.target_options;
  parser->option_defaults()->group("Target");
  add_logistic_options(parser, a);
  parser->add_option("--mean", o.mean, "gaussian: file of n numbers [zero]");
  parser->add_option("--covariance", o.covariance, "gaussian: file of n x n numbers");
  add_whole(parser, "--dim", o.dim, {2, kMostDimension}, "banana, funnel: dimension [2, 10]");
  add_real(parser, "--curvature", o.curvature, real_number, "banana [0.03]");
}

/// Which samplers use an option, for its help.
std::string users_of(const std::string& option) {
  std::vector<std::string> names;
  for (const SamplerRow& row : samplers()) {
    if (std::ranges::count(row.options, option) > 0) names.push_back(row.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void add_sampler_options(CLI::App* parser, Arguments& a) {
  parser->option_defaults()->group("Numbers of the sampler");
  for (const OptionInfo& info : option_table()) {
    parser
        ->add_option_function<std::string>(
            "--" + info.name,
            [&a, name = info.name](const std::string& text) { a.numbers[name] = text; },
            fmt::format("{} ({})", info.help, users_of(info.name)))
        ->type_name(info.name == "metric" ? "TEXT" : "X");
  }
}

void set_number(SamplerOptions& options, const OptionInfo& info, const std::string& text) {
  std::visit(
      [&](auto field) {
        using Value = std::remove_reference_t<decltype(options.*field)>;
        const std::string name = "--" + info.name;
        if constexpr (std::is_same_v<Value, Metric>) {
          options.*field = metric_from_string(text);
        } else if constexpr (std::is_integral_v<Value>) {
          const WholeRange range{static_cast<std::uint64_t>(info.least),
                                 static_cast<std::uint64_t>(info.most)};
          options.*field = static_cast<Value>(whole_number(name, text, range));
        } else {
          options.*field = real_number(name, text);
        }
      },
      info.field);
}

SamplerOptions sampler_options(const SamplerRow& row, const Arguments& a) {
  SamplerOptions options = row.defaults;
  for (const OptionInfo& info : option_table()) {
    const auto given = a.numbers.find(info.name);
    if (given == a.numbers.end()) continue;
    if (std::ranges::count(row.options, info.name) == 0) {
      throw UsageError(fmt::format("--{} is not an option of {}; it belongs to {}", info.name,
                                   row.name, users_of(info.name)));
    }
    set_number(options, info, given->second);
  }
  return options;
}

/// An option of another target would be ignored: say so instead.
void check_target_options(const CLI::App& parser, const TargetRow& row) {
  std::map<std::string, std::vector<std::string>> users;
  for (const TargetRow& any : targets()) {
    for (const std::string& option : any.options) users[option].push_back(any.name);
  }
  for (const auto& [option, names] : users) {
    if (parser.count("--" + option) > 0 && std::ranges::count(row.options, option) == 0) {
      throw UsageError(fmt::format("--{} is not an option of target {}; it belongs to {}", option,
                                   row.name, fmt::join(names, ", ")));
    }
  }
  if (parser.count("--scale") > 0 && parser.count("--standardise") > 0 &&
      parser.get_option("--standardise")->as<bool>()) {
    throw UsageError("--scale and --standardise exclude each other, expected one of them");
  }
}

RunOptions complete(const Arguments& a) {
  RunOptions run = a.run;
  run.chains = a.chains.value_or(std::max<Index>(run.chains, run.lanes));
  run.threads =
      a.threads.value_or(static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
  return run;
}

void warn(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) fmt::print(stderr, "gadwall: warning: {}\n", warning);
}

/// From the files, as any later command would see them.
void show_summary(const Arguments& a, const Output& output) {
  const ReadResult result = read_stan_csv(output.sink->paths());
  const Summary summary = summarise(result.draws);
  const bool many = summary.parameters.size() > static_cast<std::size_t>(2 * kSummaryRows);
  const TableStyle style = table_style(many ? kSummaryRows : 0, summary.parameters.size());
  fmt::print("{}", a.json ? to_json(summary) : to_text(summary, result.draws, style));
  if (!a.json && !judge(result.draws, summary).sound()) {
    fmt::print("Not sound yet: gadwall diagnose {} says why.\n", shell_word(output.name));
  }
}

void say_where(const Arguments& a, const Output& output) {
  const std::vector<std::string> files = output.sink->paths();
  const std::string to = files.size() > 1 ? " to " + files.back() : "";
  fmt::print(a.json ? stderr : stdout, "draws: {}{} (gadwall summary {})\n", files.front(), to,
             shell_word(output.name));
}

int finish(const Arguments& a, const RunPlan& plan, const RunOutcome& outcome,
           const Output& output) {
  if (!outcome.first_exception.empty()) {
    warn({fmt::format("the target threw at {} points, first: {}", outcome.facts.bad_points,
                      outcome.first_exception)});
  }
  const Index draws = outcome.facts.draws;
  if (draws > 0) {
    if (!a.quiet || a.json) show_summary(a, output);
    say_where(a, output);
  }
  if (!outcome.interrupted) return kSuccess;
  std::fflush(stdout);
  fmt::print(stderr, "gadwall: interrupted after {} of {} draws a chain{}\n", draws, plan.draws,
             draws > 0 ? "" : "; no files were written");
  return 128 + InterruptGuard::signal_seen();
}

RunPlan make_plan(const Arguments& a, const CLI::App& parser) {
  const SamplerRow& sampler = find_sampler(a.sampler);
  const TargetRow& row = find_target(a.target);
  check_target_options(parser, row);
  const SamplerOptions numbers = sampler_options(sampler, a);
  check_options(sampler, numbers);  // before a large table is read
  TargetOptions target_options = a.target_options;
  target_options.drop_constant = a.constant_columns == "drop";
  const BuiltTarget built = row.make(target_options);
  warn(built.warnings);
  return RunPlan(built.target, sampler, numbers, complete(a));
}

int run_sample(const Arguments& a, const CLI::App& parser) {
  const RunPlan plan = make_plan(a, parser);
  Monitor monitor(plan.run.chains);
  Output output;
  RunOutcome outcome;
  {
    const InterruptGuard interrupt(monitor);  // before there are files to clean up
    output = open_output(plan, a.target, a.out, a.force);
    {
      const Progress progress(monitor, plan.warmup, plan.draws, a.quiet);
      outcome = run(plan, *output.sink, monitor);
    }
    output.sink->finish(outcome);
  }
  return finish(a, plan, outcome, output);
}

}  // namespace

Command add_sample(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* parser = app.add_subcommand("sample", "Draw from a target; the draws go to files");
  add_run_options(parser, *arguments);
  add_target_options(parser, *arguments);
  add_sampler_options(parser, *arguments);
  parser->footer(kFooter);
  return {parser, [arguments, parser] { return run_sample(*arguments, *parser); }};
}

}  // namespace gadwall::app
