#include "stan/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>
#include <string_view>

#include "files/text_file.hpp"
#include "gadwall/error.hpp"
#include "gadwall/host.hpp"

namespace gadwall::stan {
namespace {

constexpr const char* kBlanks = " \t\r\f\v";

/// The file that a line `#include NAME`, "NAME" or <NAME> names; empty for any other line.
std::string included(std::string_view line) {
  constexpr std::string_view word = "#include";
  const std::size_t begin = line.find_first_not_of(kBlanks);
  if (begin == line.npos || !line.substr(begin).starts_with(word)) return "";
  line.remove_prefix(begin + word.size());
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  if (line.starts_with('<') || line.starts_with('"')) line.remove_prefix(1);
  return std::string(line.substr(0, line.find_first_of("\">\t\r\f\v ")));
}

/// Adds a file, followed by every file it includes (from the program's directory).
void append_with_includes(const std::filesystem::path& path, StanProgram& program) {
  if (std::ranges::count(program.files, path.string()) > 0) return;
  program.files.push_back(path.string());
  const std::string own = files::read_text_file(path.string());
  program.text += fmt::format("// {}\n{}\n", path.filename().string(), own);
  std::istringstream lines(own);
  for (std::string line; std::getline(lines, line);) {
    const std::string file = included(line);
    if (!file.empty()) append_with_includes(program.path.parent_path() / file, program);
  }
}

/// 8-schools.stan: a class in C++ may not begin with a digit.
std::string class_name(const std::filesystem::path& path) {
  std::string name = path.stem().string();
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  const bool has_letter = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0;
  return (has_letter ? "" : "program_") + name + "_model";
}

}  // namespace

StanProgram read_stan_program(const std::string& path) {
  StanProgram program;
  program.path = path;
  program.name = class_name(program.path);
  append_with_includes(program.path, program);
  return program;
}

void refuse_program(const StanProgram& program, const std::string& compiler_output) {
  say(MessageKind::note, compiler_output + "\n");
  static const std::regex place(R"(line (\d+), column (\d+))");
  std::smatch found;
  const bool has_place = std::regex_search(compiler_output, found, place);
  throw UsageError(fmt::format(
      "{}{}: Stan's compiler does not take the program, see above", program.path.string(),
      has_place ? fmt::format(":{}:{}", found[1].str(), found[2].str()) : std::string()));
}

}  // namespace gadwall::stan
