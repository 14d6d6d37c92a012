// Where the draws of a run go: from --out, or from the names of target and sampler.
#pragma once

#include <memory>
#include <string>

#include "files/checkpoint.hpp"
#include "files/queued_sink.hpp"
#include "files/run_lock.hpp"
#include "live_estimates.hpp"
#include "run_arguments.hpp"

namespace gadwall::app {

/// The files of a run, and the lock on its name.
struct Output {
  std::string name;  // of the run: what summary, diagnose and resume take
  std::unique_ptr<files::RunLock> lock;
  std::vector<const files::DrawWriter*> writers;  // owned by the sink
  LiveEstimates* estimates = nullptr;             // so is this one; null when nobody looks
  std::unique_ptr<files::QueuedSink> sink;
};

/// What is said of the run in its files.
struct RunLabels {
  std::string target;
  std::map<std::string, std::string> target_settings;
  std::string command;
};

/// --out NAME is the name, also where it is written as NAME.nc or NAME.csv. Without it, or where it
/// is a directory, the name is TARGET-SAMPLER, there; if that is taken TARGET-SAMPLER-2, -3, ...
/// Existing files are overwritten only with --force.
Output open_output(const RunPlan& plan, const RunArguments& arguments, const RunLabels& labels);

/// The files of a run that goes on.
Output reopen_output(const RunPlan& plan, const RunArguments& arguments, const RunLabels& labels,
                     std::unique_ptr<files::RunLock> lock, const RowsKept& rows);

/// The text as one word of a shell command.
std::string shell_word(const std::string& text);

}  // namespace gadwall::app
