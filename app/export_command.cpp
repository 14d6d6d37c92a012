// export: the draws of a run as other programs want them.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "commands.hpp"
#include "files/read_run.hpp"
#include "files/snapshot.hpp"
#include "gadwall/error.hpp"
#include "gadwall/files.hpp"
#include "messages.hpp"
#include "numbers.hpp"
#include "output.hpp"
#include "text/text_table.hpp"

namespace gadwall::app {
namespace {

constexpr const char* kExportFooter =
    R"(Makes NAME_1.csv, NAME_2.csv, ..., one Stan CSV file per chain as CmdStan writes them, from NAME.nc.
The run may have ended, been interrupted or killed, or still be going on: the files then hold the
draws so far, and a later export replaces them. Files of other runs are overwritten only with --force.

With --snapshot NAME-snapshot.nc is made instead: a copy of NAME.nc as its last flush left it. Other
programs that read NAME.nc itself while the run writes to it may meet a change halfway.

Examples:
  gadwall export neal100-gadmala
  gadwall export neal100-gadmala --snapshot --force
  gadwall export german.nc --out for-rstan/german --sig-figs 8)";

struct ExportArguments {
  std::string run;
  std::string format = "csv";
  std::string out;
  bool out_given = false;
  int significant_digits = 0;
  bool force = false;
  bool snapshot = false;
};

int run_export(const ExportArguments& a) {
  if (a.format != "csv") {
    throw UsageError(fmt::format("--format is '{}', expected csv", a.format));
  }
  if (a.out_given && a.out.empty()) {
    throw UsageError("--out is '', expected a name for the files");
  }
  warn(files::warnings_of(a.run));
  if (a.snapshot) {
    if (a.significant_digits > 0) {
      throw UsageError("--sig-figs is for CSV files, expected --snapshot without it");
    }
    const std::string name =
        a.out_given ? without_ending(a.out) : files::run_name(a.run) + "-snapshot";
    fmt::print("draws: {}\n", printable(files::take_snapshot(a.run, name + ".nc", a.force)));
    return kSuccess;
  }
  const auto paths = files::export_csv(a.run, {.name = without_ending(a.out),
                                               .significant_digits = a.significant_digits,
                                               .overwrite = a.force});
  fmt::print("draws: {}\n", list_files(paths));
  return kSuccess;
}

}  // namespace

Command add_export(CLI::App& app) {
  const auto a = std::make_shared<ExportArguments>();
  CLI::App* parser = app.add_subcommand("export", "A run's draws as CmdStan writes them");
  parser->add_option("RUN", a->run, "the run: NAME or NAME.nc")->required();
  parser->add_option("--format", a->format, "csv: one Stan CSV file per chain [csv]")
      ->type_name("csv");
  parser
      ->add_option_function<std::string>(
          "--out",
          [a](const std::string& text) {
            a->out = text;
            a->out_given = true;
          },
          "name of the files [that of the run]")
      ->type_name("TEXT");
  add_whole(parser, "--sig-figs", a->significant_digits, {1, 17},
            "significant digits [as many as are exact]");
  parser->add_flag("--snapshot", a->snapshot, "a copy of NAME.nc as its last flush left it");
  parser->add_flag("--force", a->force, "overwrite files that exist");
  parser->footer(kExportFooter);
  return {parser, [a] { return run_export(*a); }};
}

}  // namespace gadwall::app
