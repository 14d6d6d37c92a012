// A Stan program in its file, and what Stan's compiler says about it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gadwall::stan {

/// A file of the program, and the copy of it that is compiled: makefiles and shells see no name
/// that a user chose.
struct StanSource {
  std::string path;  // the user's
  std::string name;  // of the copy: program.stan, include_1.stan, ...
  std::string text;  // which includes other files by the names of their copies
};

struct StanProgram {
  std::filesystem::path path;       // as the user wrote it
  std::string name;                 // of the C++ class: the file's, fit for C++
  std::string text;                 // with the content of what it includes, for comparisons
  std::vector<StanSource> sources;  // its own first, then what it includes

  std::vector<std::string> files() const;
};

/// UsageError where the file, or one it includes, cannot be read.
StanProgram read_stan_program(const std::string& path);

/// The copies, each after a change, into a directory; returns the path of the program's own.
std::filesystem::path write_sources(
    const StanProgram& program, const std::filesystem::path& directory,
    const std::function<std::string(const std::string&)>& change = {});

/// Prints what the compiler said and throws a UsageError that begins with FILE:LINE:COLUMN; the
/// hint, where there is one, ends it.
[[noreturn]] void refuse_program(const StanProgram& program, const std::string& compiler_output,
                                 const std::string& hint = "");

}  // namespace gadwall::stan
