// report: a run, or several, as one HTML page.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "files/atomic_file.hpp"
#include "files/file_place.hpp"
#include "files/kept_summary.hpp"
#include "files/read_run.hpp"
#include "files/run_parts.hpp"
#include "gadwall/error.hpp"
#include "gadwall/report.hpp"
#include "memory.hpp"
#include "messages.hpp"
#include "text/number_text.hpp"
#include "working_line.hpp"

namespace gadwall::app {
namespace {

namespace fs = std::filesystem;

constexpr Index kManyValues = 1'000'000;  // whose pictures take some tenths of a second

struct ReportArguments {
  std::vector<std::string> files;
  std::optional<std::string> out;
  bool force = false;
  bool plain = false;
};

/// The files of one run, as arguments name them.
struct Source {
  std::string name;
  std::vector<std::string> files;
};

/// Numbers and draws of one run.
struct ReadSource {
  Draws draws;
  Summary summary;
};

ReadSource read(const std::vector<std::string>& files, const ReportArguments& arguments,
                WorkingLine& working) {
  const auto begins = [&](const std::string& what) { working.show(what); };
  files::ReadResult read = files::read_run(files, {.plain = arguments.plain});
  files::JudgedRun judged =
      files::judge_draws(files, read,
                         {.read = {.plain = arguments.plain},
                          .summary = {.paper_ess = false, .scores = can_control_means(read.draws)},
                          .begins = begins});
  warn(read.warnings);
  return {std::move(read.draws), std::move(judged.summary)};
}

std::string name_of(const std::string& file) {
  return fs::path(files::run_name(file)).filename().string();
}

/// Whether the run holds other chains of the one that the source is.
bool goes_on_with(const Source& source, const std::string& argument) {
  std::vector<std::string> paths;
  for (const std::string& file : source.files) paths.push_back(files::netcdf_path(file));
  paths.push_back(files::netcdf_path(argument));
  if (std::ranges::count(paths, std::string()) > 0) return false;  // not NetCDF
  return files::are_parts_of_one_run(paths);
}

/// Files called *.csv are the chains of one run together; every other argument is a run, or
/// different chains of one before it.
std::vector<Source> sources(const std::vector<std::string>& arguments) {
  std::vector<Source> runs;
  std::optional<std::size_t> chains;
  for (const std::string& argument : arguments) {
    if (!argument.ends_with(".csv")) {
      files::require_draws_begun(argument);
      const auto first = std::ranges::find_if(
          runs, [&](const Source& run) { return goes_on_with(run, argument); });
      if (first == runs.end()) {
        runs.push_back({name_of(argument), {argument}});
      } else {
        first->files.push_back(argument);
      }
    } else if (chains) {
      runs[*chains].files.push_back(argument);
    } else {
      chains = runs.size();
      runs.push_back({name_of(argument), {argument}});
    }
  }
  return runs;
}

std::string page_path(const ReportArguments& arguments, const std::vector<Source>& runs) {
  if (arguments.out) {
    if (arguments.out->empty()) throw UsageError("--out is '', expected a name for the page");
    return *arguments.out;
  }
  if (runs.size() > 1) return "comparison.html";
  return runs.front().name + ".html";
}

/// --force replaces an old page, never the draws that the page is made from.
void require_other_than_input(const std::string& path, const std::vector<Source>& runs) {
  std::error_code ignored;
  for (const Source& run : runs) {
    for (const std::string& file : run.files) {
      for (const std::string& input : {file, file + ".nc", files::run_name(file) + ".checkpoint",
                                       files::summary_path(files::run_name(file))}) {
        if (!fs::equivalent(path, input, ignored)) continue;
        throw UsageError(fmt::format("{}: belongs to the run, expected a name for the page", path));
      }
    }
  }
}

/// As a whole, unless it goes to a pipe or a device.
void write_page(const std::string& path, const std::string& page) {
  std::error_code ignored;
  if (!files::is_taken(path) || fs::is_regular_file(path, ignored))
    return files::replace_file(path, page);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << page;
  file.close();
  if (!file) throw RunError(fmt::format("{}: cannot be written", path));
}

/// Pictures take as long as the numbers, which may have been kept.
void tell_of_drawing(const std::vector<ReadSource>& runs, WorkingLine& working) {
  Index values = 0;
  for (const ReadSource& run : runs) {
    values += run.draws.draws() * run.draws.dim() * static_cast<Index>(run.draws.chains.size());
  }
  if (values < kManyValues) return;
  working.show(fmt::format("drawing {} values ...", grouped(static_cast<std::uint64_t>(values))));
}

std::string make_page(const std::vector<Source>& runs, const ReportArguments& arguments) {
  keep_freed_memory();
  WorkingLine working;
  std::vector<ReadSource> read_runs;
  for (const Source& run : runs) read_runs.push_back(read(run.files, arguments, working));
  tell_of_drawing(read_runs, working);
  std::vector<report::ReportedRun> reported;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    reported.push_back({runs[r].name, &read_runs[r].draws, &read_runs[r].summary});
  }
  return report::report_page(reported);
}

int report(const ReportArguments& arguments) {
  const std::vector<Source> runs = sources(arguments.files);
  const std::string path = page_path(arguments, runs);
  require_other_than_input(path, runs);
  files::check_place(path, arguments.force);  // before the work, not after it
  write_page(path, make_page(runs, arguments));
  fmt::print("report: {}\n", path);
  return kSuccess;
}

}  // namespace

Command add_report(CLI::App& app) {
  const auto arguments = std::make_shared<ReportArguments>();
  CLI::App* parser = app.add_subcommand("report", "One HTML page: verdict, table, plots");
  parser
      ->add_option("FILE", arguments->files,
                   "a run: NAME, NAME.nc, or its Stan CSV files, one per chain; parts of one run "
                   "(--chain-offset) are taken together, other runs are compared")
      ->required();
  parser->add_option("-o,--out", arguments->out,
                     "the page; without it NAME.html here, comparison.html for several runs");
  parser->add_flag("--plain", arguments->plain,
                   "CSV files without Stan's comments and columns: every column is a parameter");
  parser->add_flag("--force", arguments->force, "overwrite the page where it exists");
  parser->footer(
      R"(The page is one file that opens from disk and asks the network for nothing. Numbers in it come from
all draws; traces and pair plots of long runs are thinned.

Examples:
  gadwall report neal100-gadmala
  gadwall report neal100-gadmala neal100-nuts -o both.html)");
  return {parser, [arguments] { return report(*arguments); }};
}

}  // namespace gadwall::app
