// The options of `sample`: read, checked, made into a plan.
#include "run_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gadwall/catalog.hpp"
#include "gadwall/error.hpp"
#include "messages.hpp"
#include "numbers.hpp"
#include "target_arguments.hpp"
#include "text/option_names.hpp"

namespace gadwall::app {
namespace {

Format format_of(const std::string& text) {
  if (text == "nc") return Format::nc;
  if (text == "csv" || text == "both") return Format::csv;
  throw UsageError(fmt::format("--format is '{}', expected nc or csv", text));
}

/// From the table that other interfaces read too.
void add_word(CLI::App* parser, RunRequest& request, const std::string& name,
              const std::string& more_names = "") {
  const RequestOption& option = request_option(name);
  const std::string help = with_dashes(option.help);
  if (option.kind.empty()) {
    parser->add_flag_callback(
        "--" + name, [&request, &option] { option.set(request, "true"); }, help);
    return;
  }
  parser
      ->add_option_function<std::string>(
          "--" + name + more_names,
          [&request, &option](const std::string& text) { option.set(request, text); }, help)
      ->type_name(option.kind);
}

void add_run_options(CLI::App* parser, RunArguments& a) {
  parser
      ->add_option_function<std::string>(
          "TARGET", [&a](const std::string& text) { set_target(text, a); },
          "what to sample: see gadwall list targets; or a Stan program, model.stan or model.so")
      ->required();
  for (const char* name : {"sampler", "chains", "lanes", "warmup", "draws", "until", "max-time",
                           "seed", "chain-offset", "threads"}) {
    add_word(parser, a, name);
  }
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
  for (const char* name : {"save", "groups", "thin", "save-warmup", "save-scores"}) {
    add_word(parser, a, name);
  }
  parser->add_option("--save-tuning", a.save_tuning, "write what was learnt to this JSON file");
  add_real(parser, "--checkpoint", a.checkpoint_seconds, number_from_zero,
           "seconds between checkpoints; 0: none, and no resume [60]");
  parser->add_flag("--force", a.force, "overwrite files that exist");
  parser->add_flag("--json", a.json, "print the summary as one JSON object");
  parser->add_flag("--quiet", a.quiet, "no progress and no summary");
}

void add_start_options(CLI::App* parser, RunArguments& a) {
  parser->option_defaults()->group("Start");
  add_word(parser, a, "start", ",--init");
  add_word(parser, a, "tuning");
}

std::string type_of(const OptionInfo& info) {
  return info.choices.empty() ? "X" : fmt::format("{}", fmt::join(info.choices, "|"));
}

void add_sampler_options(CLI::App* parser, RunArguments& a) {
  parser->option_defaults()->group("Numbers of the sampler");
  for (const OptionInfo& info : all_sampler_options()) {
    if (std::holds_alternative<bool>(info.fallback)) {
      parser->add_flag_callback(
          "--" + info.name, [&a, name = info.name] { a.settings[name] = "true"; },
          fmt::format("{} ({})", info.help, samplers_with(info.name)));
      continue;
    }
    parser
        ->add_option_function<std::string>(
            "--" + info.name,
            [&a, name = info.name](const std::string& text) { a.settings[name] = text; },
            fmt::format("{} ({})", info.help, samplers_with(info.name)))
        ->type_name(type_of(info));
  }
}

}  // namespace

void add_end_arguments(CLI::App* parser, RunRequest& request) {
  add_word(parser, request, "until");
  add_word(parser, request, "max-time");
}

void add_run_arguments(CLI::App* parser, RunArguments& arguments) {
  add_run_options(parser, arguments);
  add_output_options(parser, arguments);
  add_start_options(parser, arguments);
  add_target_options(parser, arguments);
  add_sampler_options(parser, arguments);
}

RunPlan make_plan(const RunArguments& a, const CLI::App& parser) {
  const TargetRow& row = find_target(a.target);
  check_target_options(parser, row);
  if (a.significant_digits > 0 && a.format == Format::nc) {
    throw UsageError("--sig-figs is for CSV files, expected --format csv with it");
  }
  sampler_settings(a);  // before a large table is read
  TargetOptions target_options = a.target_options;
  target_options.seed = a.run.seed;
  target_options.one_thread = a.threads == 1 || session::planned_chains(a) == 1;
  const BuiltTarget built = row.make(target_options);
  warn(built.warnings);
  session::RunRequest request = a;
  request.title = run_title(a);
  return session::make_plan(request, built.target);
}

}  // namespace gadwall::app
