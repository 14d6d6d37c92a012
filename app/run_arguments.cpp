// The options of `sample`: read, checked, made into a plan.
#include "run_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "duration.hpp"
#include "gadwall/catalog.hpp"
#include "gadwall/error.hpp"
#include "messages.hpp"
#include "numbers.hpp"
#include "target_arguments.hpp"
#include "text/name_selection.hpp"
#include "warm_start.hpp"

namespace gadwall::app {
namespace {

// Far beyond what can be done, and small enough that no sum of them overflows.
constexpr std::uint64_t kMostIterations = 1'000'000'000'000'000;
constexpr std::uint64_t kMostChains = 1'000'000;  // each has a file
constexpr Index kWarmStartShare = 10;  // of the warm-up, where the tuning is learnt already
constexpr std::uint64_t kAnySeed = std::numeric_limits<std::uint64_t>::max();

void set_warmup(const std::string& text, RunOptions& run) {
  constexpr std::string_view kAuto = "auto";
  run.warmup_settles = text == kAuto || text.starts_with("auto:");
  if (text == kAuto) return;
  const std::string number = run.warmup_settles ? text.substr(kAuto.size() + 1) : text;
  const std::string option = run.warmup_settles ? "--warmup auto:N, N" : "--warmup";
  run.warmup = static_cast<Index>(whole_number(option, number, {0, kMostIterations}));
}

Format format_of(const std::string& text) {
  if (text == "nc") return Format::nc;
  if (text == "csv" || text == "both") return Format::csv;
  throw UsageError(fmt::format("--format is '{}', expected nc or csv", text));
}

double ess_of(const std::string& text) {
  constexpr std::string_view key = "ess=";
  if (!text.starts_with(key)) {
    throw UsageError(fmt::format("--until is '{}', expected ess=N, e.g. ess=400", text));
  }
  return positive_number("--until ess", text.substr(key.size()));
}

void add_run_options(CLI::App* parser, RunArguments& a) {
  parser
      ->add_option_function<std::string>(
          "TARGET", [&a](const std::string& text) { set_target(text, a); },
          "what to sample: see gadwall list targets; or a Stan program, model.stan or model.so")
      ->required();
  parser->add_option("--sampler", a.sampler, "see gadwall list samplers")->capture_default_str();
  add_whole(parser, "--chains", a.chains, {1, kMostChains},
            "independent chains [4, or as many as lanes]");
  add_whole(parser, "--lanes", a.run.lanes, {1, kMostChains},
            "chains in lockstep that share what they learn; divides the chains [1]");
  parser
      ->add_option_function<std::string>(
          "--warmup", [&a](const std::string& text) { set_warmup(text, a.run); },
          "iterations that learn; auto: until what is learnt has settled, at most the default, "
          "auto:N: at most N [the sampler's default]")
      ->type_name("N|auto");
  add_whole(parser, "--draws", a.run.draws, {1, kMostIterations},
            "draws of each chain that are kept; with --until the most [the sampler's default]");
  add_end_arguments(parser, a.run);
  add_whole(parser, "--seed", a.run.seed, {0, kAnySeed}, "decides every random number [1]");
  add_whole(parser, "--threads", a.threads, {1, kMostChains}, "[the processor's cores]");
}

void add_output_options(CLI::App* parser, RunArguments& a) {
  parser->option_defaults()->group("Output");
  parser->add_option("--out", a.out,
                     "name of the files, or the directory for them [TARGET-SAMPLER; -2, -3, ... "
                     "where that is taken]");
  parser
      ->add_option_function<std::string>(
          "--format", [&a](const std::string& text) { a.format = format_of(text); },
          "nc: NAME.nc, NetCDF, in which the run lives; csv: when it ends also NAME_1.csv, ..., as "
          "CmdStan writes them [nc]")
      ->type_name("nc|csv");
  add_whole(parser, "--sig-figs", a.significant_digits, {1, 17},
            "significant digits in CSV files [as many as are exact]");
  parser->add_option("--save", a.save, "keep these parameters only: 'beta,theta[1:3]'");
  add_whole(parser, "--thin", a.run.thin, {1, kMostIterations},
            "iterations per kept draw: --draws N runs N times as many [1]");
  parser->add_flag("--save-warmup", a.run.save_warmup, "keep the states of warm-up too");
  parser->add_option("--save-tuning", a.save_tuning, "write what was learnt to this JSON file");
  add_real(parser, "--checkpoint", a.checkpoint_seconds, number_from_zero,
           "seconds between checkpoints; 0: none, and no resume [60]");
  parser->add_flag("--force", a.force, "overwrite files that exist");
  parser->add_flag("--json", a.json, "print the summary as one JSON object");
  parser->add_flag("--quiet", a.quiet, "no progress and no summary");
}

void add_start_options(CLI::App* parser, RunArguments& a) {
  parser->option_defaults()->group("Start");
  parser
      ->add_option("--start,--init", a.start,
                   "normal:SD: N(0, SD^2 I); uniform:R, or R: uniformly in (-R, R), 0: at the "
                   "origin; with +far-tail: from there up to the bulk; FILE.json: at these values "
                   "of the parameters; RUN: at its last draws [normal:1; stan: uniform:2]")
      ->type_name("LAW|R|FILE|RUN");
  parser->add_option("--tuning", a.tuning,
                     "begin with what this run, or file of --save-tuning, learnt; warm-up is then "
                     "a tenth of the default, or --warmup 0");
}

/// Which samplers use an option, for its help.
std::string users_of(const std::string& option) {
  std::vector<std::string> names;
  for (const SamplerRow& row : samplers()) {
    if (row.has_option(option)) names.push_back(row.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string type_of(const OptionInfo& info) {
  return info.choices.empty() ? "X" : fmt::format("{}", fmt::join(info.choices, "|"));
}

/// Each once, in the order of the catalogue; choices of all samplers that have the option.
std::vector<OptionInfo> all_sampler_options() {
  std::vector<OptionInfo> all;
  for (const SamplerRow& row : samplers()) {
    for (const OptionInfo& info : row.options) {
      const auto known = std::ranges::find(all, info.name, &OptionInfo::name);
      if (known == all.end()) {
        all.push_back(info);
        continue;
      }
      for (const std::string& choice : info.choices) {
        if (std::ranges::count(known->choices, choice) == 0) known->choices.push_back(choice);
      }
    }
  }
  return all;
}

void add_sampler_options(CLI::App* parser, RunArguments& a) {
  parser->option_defaults()->group("Numbers of the sampler");
  for (const OptionInfo& info : all_sampler_options()) {
    parser
        ->add_option_function<std::string>(
            "--" + info.name,
            [&a, name = info.name](const std::string& text) { a.settings[name] = text; },
            fmt::format("{} ({})", info.help, users_of(info.name)))
        ->type_name(type_of(info));
  }
}

Settings sampler_settings(const SamplerRow& row, const RunArguments& a) {
  Settings settings;
  for (const auto& [name, text] : a.settings) {
    const OptionInfo* info = find_option(row.options, name);
    if (info == nullptr) {
      throw UsageError(fmt::format("--{} is not an option of {}; it belongs to {}", name, row.name,
                                   users_of(name)));
    }
    settings.emplace(name, option_from_text(*info, text));
  }
  check_settings(row, settings);
  return settings;
}

/// What a warm start, or a scout, decides cannot be said twice.
void check_start_options(const RunArguments& a, const CLI::App& parser) {
  const auto exclude = [&](const char* one, const char* other) {
    if (parser.count(one) == 0 || parser.count(other) == 0) return;
    throw UsageError(fmt::format("{} and {} exclude each other, expected one of them", one, other));
  };
  exclude("--tuning", "--step");
  exclude("--tuning", "--initial-scale");
  const auto scout = a.settings.find("scout");
  if (scout == a.settings.end() || scout->second == "0") return;
  exclude("--scout", "--tuning");
  exclude("--scout", "--initial-scale");
}

RunOptions complete(const RunArguments& a) {
  RunOptions run = a.run;
  run.chains = a.chains.value_or(std::max<Index>(run.chains, run.lanes));
  run.threads =
      a.threads.value_or(static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
  return run;
}

}  // namespace

void add_end_arguments(CLI::App* parser, RunOptions& run) {
  parser
      ->add_option_function<std::string>(
          "--until", [&run](const std::string& text) { run.until_ess = ess_of(text); },
          "end when the worst ESS is so large and R-hat below 1.01: ess=400")
      ->type_name("ess=N");
  parser
      ->add_option_function<std::string>(
          "--max-time",
          [&run](const std::string& text) { run.max_seconds = duration("--max-time", text); },
          "end after so long, with the draws so far: 90s, 10m, 2h")
      ->type_name("TIME");
}

void add_run_arguments(CLI::App* parser, RunArguments& arguments) {
  add_run_options(parser, arguments);
  add_output_options(parser, arguments);
  add_start_options(parser, arguments);
  add_target_options(parser, arguments);
  add_sampler_options(parser, arguments);
}

RunPlan make_plan(const RunArguments& a, const CLI::App& parser) {
  const SamplerRow& sampler = find_sampler(a.sampler);
  const TargetRow& row = find_target(a.target);
  check_target_options(parser, row);
  check_start_options(a, parser);
  if (a.significant_digits > 0 && a.format == Format::nc) {
    throw UsageError("--sig-figs is for CSV files, expected --format csv with it");
  }
  Settings settings = sampler_settings(sampler, a);  // before a large table is read
  TargetOptions target_options = a.target_options;
  target_options.drop_constant = a.constant_columns == "drop";
  target_options.seed = a.run.seed;
  const BuiltTarget built = row.make(target_options);
  warn(built.warnings);
  RunOptions run = complete(a);
  if (!a.save.empty()) run.save = select_names(built.target->output_names(), a.save);
  if (!a.start.empty()) run.start = read_start(a.start, *built.target, run.chains);
  if (!a.tuning.empty()) {
    const WarmStart start = read_tuning(a.tuning);
    run.tuning = start.tuning;
    const bool fits = start.tuning.factor().dim() == built.target->dim();
    if (fits && !start.target.empty() && start.target != run_title(a)) {
      warn({fmt::format("--tuning {}: was learnt from the target {}, and is used for {}", a.tuning,
                        start.target, run_title(a))});
    }
    if (std::isfinite(start.beta) && sampler.has_option("beta")) {
      settings.emplace("beta", start.beta);
    }
    if (!run.warmup) run.warmup = sampler.warmup / kWarmStartShare;
  }
  return RunPlan(built.target, sampler, settings, run);
}

}  // namespace gadwall::app
