// A Stan program in its file, and what Stan's compiler says about it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gadwall::stan {

struct StanProgram {
  std::filesystem::path path;      // as the user wrote it
  std::string name;                // of the C++ class: the file's, fit for C++
  std::string text;                // with the content of what it includes, for comparisons
  std::vector<std::string> files;  // its own and those that it includes
};

/// UsageError where the file, or one it includes, cannot be read.
StanProgram read_stan_program(const std::string& path);

/// Prints what the compiler said and throws a UsageError that begins with FILE:LINE:COLUMN.
[[noreturn]] void refuse_program(const StanProgram& program, const std::string& compiler_output);

}  // namespace gadwall::stan
