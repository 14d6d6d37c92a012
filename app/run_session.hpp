// A run from beginning to end: files, lock, checkpoints, signals, progress, summary.
#pragma once

#include "io/checkpoint.hpp"
#include "run_arguments.hpp"

namespace gadwall::app {

struct Job {
  RunArguments arguments;
  std::vector<std::string> words;  // of the command that began the run, without the program
  std::string name;                // of a run that goes on; empty: from the arguments
  std::optional<Checkpoint> from;
};

/// The exit code.
int carry_out(const Job& job, const CLI::App& parser);

}  // namespace gadwall::app
