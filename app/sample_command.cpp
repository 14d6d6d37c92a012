// sample: arguments -> plan -> run -> files -> summary.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
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
#include "progress.hpp"

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
  TargetOptions target_options;
  std::string constant_columns = "drop";
  std::map<std::string, std::string> numbers;  // the sampler options given, by name
  std::string out;
  bool force = false;
  bool json = false;
  bool quiet = false;
};

void add_run_options(CLI::App* parser, Arguments& a) {
  parser->add_option("TARGET", a.target, "what to sample: see gadwall list targets")->required();
  parser->add_option("--sampler", a.sampler, "see gadwall list samplers")->capture_default_str();
  parser->add_option("--chains", a.chains, "independent chains [4, or as many as lanes]");
  parser
      ->add_option("--lanes", a.run.lanes,
                   "chains in lockstep that share what they learn; divides the chains")
      ->capture_default_str();
  parser->add_option("--warmup", a.run.warmup, "iterations that learn [the sampler's default]");
  parser->add_option("--draws", a.run.draws, "kept iterations a chain [the sampler's default]");
  parser->add_option("--seed", a.run.seed, "decides every random number")->capture_default_str();
  parser->add_option("--threads", a.run.threads, "[the processor's cores]");
  parser->add_option("--start-sd", a.run.start_sd, "chains start at N(0, sd^2 I)")
      ->capture_default_str();
  parser->add_option("--out", a.out, "name of the files [TARGET-SAMPLER]");
  parser->add_flag("--force", a.force, "overwrite files that exist");
  parser->add_flag("--json", a.json, "print the summary as one JSON object");
  parser->add_flag("--quiet", a.quiet, "no progress and no summary");
}

void add_target_options(CLI::App* parser, Arguments& a) {
  TargetOptions& o = a.target_options;
  const char* group = "Target";
  const auto option = [&](const char* name, auto& value, const char* help) {
    return parser->add_option(name, value, help)->group(group);
  };
  option("--data", o.data, "logistic: table, CSV or whitespace-separated, plain or .gz");
  option("--label", o.label,
         "logistic: column of the classes, a name or a position [y, or the last]");
  option("--header", o.header, "logistic: does the first line name the columns? auto, yes or no");
  parser
      ->add_flag("--standardise,!--no-standardise", o.standardise,
                 "logistic: features to mean 0 and variance 1 [yes]")
      ->group(group);
  option("--scale", o.scale, "logistic: divide the features by this instead");
  parser->add_flag("--bias,!--no-bias", o.bias, "logistic: a column of ones, last [yes]")
      ->group(group);
  option("--constant-columns", a.constant_columns, "logistic: drop or refuse")
      ->check(CLI::IsMember({"drop", "refuse"}));
  option("--prior-sd", o.prior_sd, "logistic: sd of the normal prior of every weight [1]");
  option("--mean", o.mean, "gaussian: file of n numbers [zero]");
  option("--covariance", o.covariance, "gaussian: file of n x n numbers");
  option("--dim", o.dim, "banana, funnel: dimension [2, 10]");
  option("--curvature", o.curvature, "banana [0.03]");
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
  for (const OptionInfo& info : option_table()) {
    parser
        ->add_option_function<std::string>(
            "--" + info.name,
            [&a, name = info.name](const std::string& text) { a.numbers[name] = text; },
            fmt::format("{} ({})", info.help, users_of(info.name)))
        ->group("Numbers of the sampler");
  }
}

double parse_number(const OptionInfo& info, const std::string& text, bool whole) {
  double value = 0;
  if (!CLI::detail::lexical_cast(text, value) || (whole && value != std::floor(value))) {
    throw UsageError(
        fmt::format("--{} is '{}', expected a {}number", info.name, text, whole ? "whole " : ""));
  }
  return value;
}

void set_number(SamplerOptions& options, const OptionInfo& info, const std::string& text) {
  std::visit(
      [&](auto field) {
        using Value = std::remove_reference_t<decltype(options.*field)>;
        if constexpr (std::is_same_v<Value, Metric>) {
          options.*field = metric_from_string(text);
        } else {
          options.*field = static_cast<Value>(parse_number(info, text, std::is_integral_v<Value>));
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
}

/// NAME, or where that is taken NAME-2, NAME-3, ...: a default must never be in the way.
std::string free_name(const std::string& name) {
  std::string candidate = name;
  for (int i = 2; std::filesystem::exists(chain_path(candidate, 1)); ++i) {
    candidate = fmt::format("{}-{}", name, i);
  }
  return candidate;
}

RunOptions complete(const Arguments& a, const CLI::App& parser) {
  RunOptions run = a.run;
  run.chains = a.chains.value_or(std::max<Index>(run.chains, run.lanes));
  if (parser.count("--threads") == 0) {
    run.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  }
  return run;
}

void warn(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) fmt::print(stderr, "gadwall: warning: {}\n", warning);
}

/// From the files, as any later command would see them.
void show_summary(const Arguments& a, const std::vector<std::string>& files) {
  const ReadResult result = read_stan_csv(files);
  const Summary summary = summarise(result.draws);
  const bool many = summary.parameters.size() > static_cast<std::size_t>(2 * kSummaryRows);
  fmt::print("{}", a.json ? to_json(summary) : to_text(summary, many ? kSummaryRows : 0));
}

int finish(const Arguments& a, const RunOutcome& outcome, const CsvSink& sink,
           const std::string& name) {
  if (!outcome.first_exception.empty()) {
    warn({fmt::format("the target threw at {} points, first: {}", outcome.facts.bad_points,
                      outcome.first_exception)});
  }
  const std::vector<std::string> files = sink.paths();
  if (outcome.facts.draws > 0) {
    if (!a.quiet || a.json) show_summary(a, files);
    fmt::print(a.json ? stderr : stdout, "draws: {} to {} (gadwall summary {})\n", files.front(),
               files.back(), name);
  }
  if (!outcome.interrupted) return kSuccess;
  fmt::print(stderr, "gadwall: interrupted after {} of {} draws a chain\n", outcome.facts.draws,
             a.run.draws.value_or(find_sampler(a.sampler).draws));
  return 128 + InterruptGuard::signal_seen();
}

int run_sample(const Arguments& a, const CLI::App& parser) {
  const SamplerRow& sampler = find_sampler(a.sampler);
  const TargetRow& row = find_target(a.target);
  check_target_options(parser, row);
  const SamplerOptions numbers = sampler_options(sampler, a);
  TargetOptions target_options = a.target_options;
  target_options.drop_constant = a.constant_columns == "drop";
  const BuiltTarget built = row.make(target_options);
  warn(built.warnings);
  const RunPlan plan(built.target, sampler, numbers, complete(a, parser));
  const std::string name = a.out.empty() ? free_name(row.name + "-" + sampler.name) : a.out;
  CsvSink sink(plan, row.name, name, a.force);
  Monitor monitor(plan.run.chains);
  const InterruptGuard interrupt(monitor);
  RunOutcome outcome = [&] {
    const Progress progress(monitor, plan.warmup, plan.draws, a.quiet);
    return run(plan, sink, monitor);
  }();
  sink.finish(outcome);
  return finish(a, outcome, sink, name);
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
