// The part of the arguments of `sample` that is about the target.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "run_arguments.hpp"

namespace gadwall::app {

/// model.stan stands for: stan --model model.stan.
void set_target(const std::string& text, RunArguments& arguments);

void add_target_options(CLI::App* parser, RunArguments& arguments);

/// UsageError for an option of another target, which would be ignored.
void check_target_options(const CLI::App& parser, const TargetRow& row);

/// What files are called after: the target, or the Stan program.
std::string run_title(const RunArguments& arguments);

/// The files that the target is made from.
std::vector<std::string> input_files(const RunArguments& arguments);

/// The options of the target that were given, by name.
std::map<std::string, std::string> target_settings(const CLI::App& parser, const TargetRow& row);

}  // namespace gadwall::app
