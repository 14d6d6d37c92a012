// make, as the makefiles of Stan's installations need it, and what is fit to go through it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "stan/process.hpp"

namespace gadwall::stan {

/// Means itself to make and to the shell: letters, digits, _ . / + - and what is not ASCII.
bool is_plain(std::string_view path);

/// Words as a variable of make that a recipe gives to the shell: there they are these words again,
/// whatever is in them.
std::string for_recipe(const std::vector<std::string>& words);

/// make in a directory, with threads, for these targets and variables.
ProcessResult run_make(const std::filesystem::path& directory,
                       const std::vector<std::string>& arguments);

/// Of a makefile that prints "NAME = VALUE" for print-NAME; variables: NAME=VALUE, given to it.
/// RunError where it does not.
std::map<std::string, std::string> make_variables(const std::filesystem::path& directory,
                                                  const std::vector<std::string>& names,
                                                  const std::vector<std::string>& variables = {});

/// UsageError where a flag of the C++ compiler makes it start another program, or write elsewhere:
/// flags come from files too.
void check_compiler_flags(const std::vector<std::string>& flags);

}  // namespace gadwall::stan
