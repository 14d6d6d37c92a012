// What `sample` is told, and the plan that follows from it. `resume` reads the same words again.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gadwall/run.hpp"
#include "gadwall/targets.hpp"

namespace gadwall::app {

enum class Format { nc, csv };  // csv: CmdStan's files too, made at the end

struct RunArguments {
  std::string target;
  std::string sampler = "gadmala";
  RunOptions run;
  std::optional<Index> chains;
  std::optional<int> threads;
  std::string constant_columns = "drop";
  TargetOptions target_options;
  std::map<std::string, std::string> settings;  // the sampler options given, by name
  std::string save;                             // names of the values to keep
  std::string start;                            // a law, a radius, a JSON file, or a run
  std::string tuning;                           // a run or file whose tuning is the first
  std::string save_tuning;
  std::optional<std::string> out;
  Format format = Format::nc;
  int significant_digits = 0;
  double checkpoint_seconds = 60;  // 0: none
  bool force = false;
  bool json = false;
  bool quiet = false;
};

/// Adds every option of `sample`.
void add_run_arguments(CLI::App* parser, RunArguments& arguments);

/// --until and --max-time, which `resume` has too.
void add_end_arguments(CLI::App* parser, RunOptions& run);

/// UsageError where something does not fit; warnings of the target go to stderr.
RunPlan make_plan(const RunArguments& arguments, const CLI::App& parser);

}  // namespace gadwall::app
