#include "stan/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>
#include <string_view>

#include "files/atomic_file.hpp"
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

/// Adds a file, followed by every file it includes (from the program's directory), and returns the
/// name of its copy.
std::string add_source(const std::filesystem::path& path, StanProgram& program) {
  const auto found = std::ranges::find(program.sources, path.string(), &StanSource::path);
  if (found != program.sources.end()) return found->name;
  const std::size_t index = program.sources.size();
  std::string name = index == 0 ? "program.stan" : fmt::format("include_{}.stan", index);
  program.sources.push_back({path.string(), name, ""});
  const std::string own = files::read_text_file(path.string());
  program.text += fmt::format("// {}\n{}\n", path.filename().string(), own);
  std::istringstream lines(own);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    const std::string file = included(line);
    if (!file.empty()) line = "#include " + add_source(program.path.parent_path() / file, program);
    text += line + "\n";
  }
  program.sources[index].text = std::move(text);
  return name;
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

/// The user's name of a copy that a compiler names, perhaps with its directory.
std::string users_name(const StanProgram& program, const std::string& copy) {
  const std::string name = std::filesystem::path(copy).filename();
  const auto found = std::ranges::find(program.sources, name, &StanSource::name);
  return found != program.sources.end() ? found->path : program.path.string();
}

std::string with_users_names(const StanProgram& program, const std::string& text) {
  static const std::regex copy(R"('[^'\n]*\b(program|include_\d+)\.stan')");
  std::string result;
  auto rest = text.cbegin();
  for (std::sregex_iterator at(text.begin(), text.end(), copy), end; at != end; ++at) {
    const std::string quoted = at->str();
    result.append(rest, (*at)[0].first);
    result += "'" + users_name(program, quoted.substr(1, quoted.size() - 2)) + "'";
    rest = (*at)[0].second;
  }
  return result.append(rest, text.cend());
}

/// FILE:LINE:COLUMN of the error; where a file is included the innermost one comes first.
std::string place_of_error(const StanProgram& program, const std::string& output) {
  static const std::regex with_file(R"(error in '([^'\n]*)',?(?: at)? line (\d+), column (\d+))");
  static const std::regex without_file(R"(line (\d+), column (\d+))");
  std::smatch found;
  if (std::regex_search(output, found, with_file)) {
    return fmt::format("{}:{}:{}", users_name(program, found[1].str()), found[2].str(),
                       found[3].str());
  }
  if (std::regex_search(output, found, without_file)) {
    return fmt::format("{}:{}:{}", program.path.string(), found[1].str(), found[2].str());
  }
  return program.path.string();
}

}  // namespace

std::vector<std::string> StanProgram::files() const {
  std::vector<std::string> paths;
  for (const StanSource& source : sources) paths.push_back(source.path);
  return paths;
}

StanProgram read_stan_program(const std::string& path) {
  StanProgram program;
  program.path = path;
  program.name = class_name(program.path);
  add_source(program.path, program);
  return program;
}

std::filesystem::path write_sources(const StanProgram& program,
                                    const std::filesystem::path& directory,
                                    const std::function<std::string(const std::string&)>& change) {
  for (const StanSource& source : program.sources) {
    files::replace_file(directory / source.name, change ? change(source.text) : source.text);
  }
  return directory / program.sources.front().name;
}

void refuse_program(const StanProgram& program, const std::string& compiler_output,
                    const std::string& hint) {
  say(MessageKind::note, with_users_names(program, compiler_output) + "\n");
  throw UsageError(fmt::format("{}: Stan's compiler does not take the program, see above{}",
                               place_of_error(program, compiler_output), hint));
}

}  // namespace gadwall::stan
