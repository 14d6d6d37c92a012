// A run from beginning to end: files, lock, checkpoints, signals, progress, summary.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "files/run_files.hpp"
#include "run_arguments.hpp"

namespace gadwall::app {

struct Job {
  RunArguments arguments;
  std::vector<std::string> words;         // of the command that began the run, without the program
  std::optional<files::StoppedRun> from;  // a run that goes on
};

/// The exit code.
int carry_out(Job& job, const CLI::App& parser);

}  // namespace gadwall::app
