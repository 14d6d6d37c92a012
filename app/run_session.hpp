// A run from beginning to end: files, lock, checkpoints, signals, progress, summary.
#pragma once

#include <memory>
#include <optional>

#include "files/checkpoint.hpp"
#include "files/run_lock.hpp"
#include "run_arguments.hpp"

namespace gadwall::app {

struct Job {
  RunArguments arguments;
  std::vector<std::string> words;         // of the command that began the run, without the program
  std::optional<files::Checkpoint> from;  // a run that goes on
  std::unique_ptr<files::RunLock> lock;   // on that run
};

/// The exit code.
int carry_out(Job& job, const CLI::App& parser);

}  // namespace gadwall::app
