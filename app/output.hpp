// Where the draws of a run go: from --out, or from the names of target and sampler.
#pragma once

#include <memory>
#include <string>

#include "files/run_files.hpp"
#include "run_arguments.hpp"
#include "session/live_estimates.hpp"

namespace gadwall::app {

struct Output {
  std::unique_ptr<files::RunFiles> files;
  LiveEstimates* estimates = nullptr;  // owned by the files; null when nobody looks
};

/// --out NAME is the name, also where it is written as NAME.nc or NAME.csv. Without it, or where it
/// is a directory, the name is TARGET-SAMPLER, there; if that is taken TARGET-SAMPLER-2, -3, ...
/// Existing files are overwritten only with --force.
Output open_output(const RunPlan& plan, const RunArguments& arguments, const RunLabels& labels,
                   const files::RunOrigin& origin);

/// The files of a run that goes on.
Output reopen_output(const RunPlan& plan, const RunArguments& arguments, const RunLabels& labels,
                     const files::RunOrigin& origin, files::StoppedRun stopped);

/// NAME of NAME, NAME.nc and NAME.csv, for files that are to be written.
std::string without_ending(std::string name);

/// --out is a directory, for files of the standard name.
bool names_directory(const RunArguments& arguments);

/// Of the files, where it is free.
std::string wanted_name(const RunArguments& arguments);

/// "run.nc, run_1.csv to run_4.csv"
std::string list_files(const std::vector<std::string>& paths);

/// The text as one word of a shell command; in bash, where it has characters that are not to be
/// shown.
std::string shell_word(const std::string& text);

/// "gadwall sample 'my model'": the command of these words.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace gadwall::app
