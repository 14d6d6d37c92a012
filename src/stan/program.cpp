#include "stan/program.hpp"

#include <fmt/format.h>

#include <cctype>
#include <regex>
#include <set>
#include <sstream>

#include "gadwall/error.hpp"
#include "io/text_file.hpp"

namespace gadwall {
namespace {

/// The text of a file, followed by that of every file it includes (from the program's directory).
void append_with_includes(const std::filesystem::path& path, const std::filesystem::path& directory,
                          std::set<std::string>& seen, std::string& text) {
  if (!seen.insert(path.string()).second) return;
  const std::string own = read_text_file(path.string());
  text += fmt::format("// {}\n{}\n", path.filename().string(), own);
  static const std::regex include(R"(^\s*#include\s*[<"]?([^">\s]+)[">]?.*)");
  std::istringstream lines(own);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (std::regex_match(line, found, include)) {
      append_with_includes(directory / found[1].str(), directory, seen, text);
    }
  }
}

std::string class_name(const std::filesystem::path& path) {
  std::string name = path.stem().string();
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name + "_model";
}

}  // namespace

StanProgram read_stan_program(const std::string& path) {
  StanProgram program;
  program.path = path;
  program.name = class_name(program.path);
  std::set<std::string> seen;
  append_with_includes(program.path, program.path.parent_path(), seen, program.text);
  return program;
}

void refuse_program(const StanProgram& program, const std::string& compiler_output) {
  fmt::print(stderr, "{}\n", compiler_output);
  static const std::regex place(R"(line (\d+), column (\d+))");
  std::smatch found;
  const bool has_place = std::regex_search(compiler_output, found, place);
  throw UsageError(fmt::format(
      "{}{}: Stan's compiler does not take the program, see above", program.path.string(),
      has_place ? fmt::format(":{}:{}", found[1].str(), found[2].str()) : std::string()));
}

}  // namespace gadwall
