// What `sample` is told, and the plan that follows from it. `resume` reads the same words again.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gadwall/targets.hpp"
#include "session/run_request.hpp"

namespace gadwall::app {

using namespace session;

enum class Format { nc, csv };  // csv: CmdStan's files too, made at the end

struct RunArguments : RunRequest {
  std::string target;
  TargetOptions target_options;
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
void add_end_arguments(CLI::App* parser, RunRequest& request);

/// UsageError where something does not fit; warnings of the target go to stderr.
RunPlan make_plan(const RunArguments& arguments, const CLI::App& parser);

}  // namespace gadwall::app
