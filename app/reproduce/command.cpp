// reproduce: the paper's experiments with its settings, our numbers beside its own.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "gadwall/error.hpp"
#include "interrupt.hpp"
#include "messages.hpp"
#include "numbers.hpp"
#include "reproduce/repeat_progress.hpp"
#include "reproduce/reproduction.hpp"

namespace gadwall::app::reproduce {
namespace {

namespace fs = std::filesystem;

struct ReproduceArguments {
  std::vector<std::string> subjects;
  std::string data;  // empty: none
  std::string out = "reproduction";
  bool authors_labels = false;
  bool quiet = false;
  ReproductionOptions options;  // those that need no translation
};

std::vector<Subject> subjects_of(const ReproduceArguments& a) {
  std::vector<Subject> chosen;
  for (const std::string& name : a.subjects) {
    for (Subject& subject : find_subjects(name)) {
      chosen.push_back(a.authors_labels ? with_authors_labels(std::move(subject))
                                        : std::move(subject));
    }
  }
  return chosen;
}

ReproductionOptions options_of(const ReproduceArguments& a) {
  ReproductionOptions options = a.options;
  options.subjects = subjects_of(a);
  options.out = a.out;
  if (!a.data.empty()) options.data = a.data;
  if (options.data && !fs::is_directory(*options.data)) {
    throw UsageError(fmt::format("--data is '{}', expected a directory", a.data));
  }
  if (a.out.empty()) throw UsageError("--out is '', expected a name for the directory");
  const double scale = options.scale.value_or(1);
  if (scale > 1) {
    throw UsageError(fmt::format("--scale is {}, expected a number above 0, at most 1", scale));
  }
  if (options.scale_all && scale == 1) {
    throw UsageError("--scale-all shortens every row by --scale, which is 1, expected less");
  }
  for (const std::string& method : options.methods) find_method(method);
  return options;
}

/// "caravan (table1, traces)": a data set and what was asked for that needs it.
std::string needed_by(const std::string& data_set, const std::vector<Subject>& subjects) {
  std::vector<std::string> names;
  for (const Subject& subject : subjects) {
    const bool needs_it = std::ranges::any_of(subject.needs, [&](const Need& need) {
      return find_experiment(need.experiment).data_set == data_set;
    });
    if (needs_it) names.push_back(subject.name);
  }
  return fmt::format("{} ({})", data_set, fmt::join(names, ", "));
}

/// Which of the experiments that were asked for stay undone, and what they need.
void say_missing(const ReproduceArguments& a, const std::vector<std::string>& missing) {
  if (missing.empty()) return;
  const std::vector<Subject> subjects = subjects_of(a);
  std::vector<std::string> undone;
  for (const std::string& name : missing) undone.push_back(needed_by(name, subjects));
  tell(fmt::format("gadwall: not run, as their data is not {}: {}\n",
                   a.data.empty() ? "given (--data DIR)" : "in " + a.data,
                   fmt::join(undone, ", ")));
  for (const std::string& name : missing) tell("\n" + how_to_get(find_data_set(name)));
  tell("\nPut the files into one directory and give it as --data DIR.\n\n");
}

void refuse_nothing_to_run(const Reproduction& reproduction, const ReproduceArguments& a) {
  if (!reproduction.left().empty() || reproduction.repeats_kept() > 0) return;
  if (reproduction.missing_data().empty()) {
    throw UsageError(fmt::format("--methods {}: none of them is part of {}",
                                 fmt::join(a.options.methods, ","), fmt::join(a.subjects, ", ")));
  }
  throw UsageError(fmt::format("nothing to run: there is no data for {}",
                               fmt::join(reproduction.missing_data(), ", ")));
}

int finish(const Reproduction& reproduction, bool interrupted) {
  const std::vector<std::string> written = reproduction.write();
  fmt::print("reproduction: {}\n", fmt::join(written, ", "));
  if (!interrupted) return kSuccess;
  std::fflush(stdout);
  tell("gadwall: interrupted; the same command goes on from here\n");
  return 128 + InterruptGuard::signal_seen();
}

int run_reproduce(const ReproduceArguments& a) {
  Reproduction reproduction(options_of(a));
  say_missing(a, reproduction.missing_data());
  refuse_nothing_to_run(reproduction, a);
  if (reproduction.repeats_kept() > 0 && !a.quiet) {
    tell(fmt::format("{} repeats are there from before\n", reproduction.repeats_kept()));
  }
  Monitor signals(1);
  {
    const InterruptGuard interrupt(signals);
    ReproduceProgress progress(reproduction.left(), signals.stop, {a.options.threads, a.quiet});
    reproduction.run(progress);
  }
  return finish(reproduction, signals.stop);
}

std::string subject_list() {
  std::string text = "WHAT:\n";
  for (const Subject& subject : subjects()) {
    text += fmt::format("  {:<15} {}\n", subject.name, subject.help);
  }
  return text + fmt::format("  {:<15} all of them\n", "all");
}

constexpr const char* kFooter = R"(
OUT holds WHAT.md, WHAT.csv and WHAT.json (every repeat) for each table, WHAT.json for each figure,
and index.html, one page with all tables and figures. A repeat that is done is kept in
OUT/repeats, so that the same command goes on after an interrupt, and figures use the repeats of the
tables.

Examples:
  gadwall reproduce figure1
  gadwall reproduce table1 german --data DIR
  gadwall reproduce mnist --data DIR --authors-labels --scale 0.1
  gadwall reproduce beyond --data DIR --out beyond      (about an hour of one core, most of it for MNIST)
  gadwall reproduce all --data DIR --scale 0.01 --scale-all --repeats 2 --out trial)";

void add_arguments(CLI::App* parser, ReproduceArguments& a) {
  parser->add_option("WHAT", a.subjects, "tables and figures, see below")->required();
  parser
      ->add_option(
          "--data", a.data,
          "directory with the data sets; where one is missing, the command says what it is")
      ->type_name("DIR");
  parser->add_option("--out", a.out, "directory for the results")->type_name("DIR");
  add_whole(parser, "--repeats", a.options.repeats, {1, 1000},
            "of each row of a table; without it the paper's, 10 (MNIST: 5); of beyond 10 (Caravan: "
            "3; MNIST: 2, of gadHMC, HMC and NUTS 1)");
  parser
      ->add_option("--methods", a.options.methods,
                   fmt::format("only these: {}", fmt::join(method_names(), ", ")))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,...");
  add_real(
      parser, "--scale", a.options.scale, positive_number,
      "shorten warm-up and draws of the expensive rows (HMC and NUTS on Caravan and MNIST) by "
      "this factor; such rows are marked; without it 1 (of beyond: Caravan 0.1, MNIST HMC 0.1, "
      "NUTS-diag 0.02, NUTS-dense 0.005)");
  parser->add_flag("--scale-all", a.options.scale_all, "--scale shortens every row");
  parser->add_flag("--authors-labels", a.authors_labels,
                   "label MNIST as the released script did: the paper's table is of these");
  add_whole(parser, "--threads", a.options.threads, {1, 1024},
            "repeats side by side; they share the machine, which shows in the times");
  parser->add_flag("--force", a.options.force, "run again what was kept from other settings");
  parser->add_flag("--quiet", a.quiet, "no progress");
}

}  // namespace

Command add_command(CLI::App& app) {
  const auto arguments = std::make_shared<ReproduceArguments>();
  CLI::App* parser =
      app.add_subcommand("reproduce", "The paper's tables and figures, our numbers beside its own");
  add_arguments(parser, *arguments);
  parser->footer(subject_list() + kFooter);
  return {parser, [arguments] { return run_reproduce(*arguments); }};
}

}  // namespace gadwall::app::reproduce
