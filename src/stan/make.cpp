#include "stan/make.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "gadwall/error.hpp"

namespace gadwall::stan {
namespace {

bool is_plain_character(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || std::isalnum(byte) != 0 ||
         std::string_view("_./+-").find(c) != std::string_view::npos;
}

/// In single quotes of the shell, with every $ doubled for make.
std::string quoted(const std::string& word) {
  std::string result = "'";
  for (const char c : word) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      result += c == '$' ? "$$" : std::string(1, c);
    }
  }
  return result + "'";
}

}  // namespace

bool is_plain(std::string_view path) {
  return std::ranges::all_of(path, is_plain_character);
}

std::string for_recipe(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    const bool plain = std::ranges::all_of(
        word, [](char c) { return is_plain_character(c) || c == '=' || c == ',' || c == ':'; });
    line += (line.empty() ? "" : " ") + (plain ? word : quoted(word));
  }
  return line;
}

ProcessResult run_make(const std::filesystem::path& directory,
                       const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"make", "-s", "-C", directory, "STAN_THREADS=true"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_process(words);
}

std::map<std::string, std::string> make_variables(const std::filesystem::path& directory,
                                                  const std::vector<std::string>& names,
                                                  const std::vector<std::string>& variables) {
  std::vector<std::string> arguments = variables;
  for (const std::string& name : names) arguments.push_back("print-" + name);
  const std::string output = "\n" + run_make(directory, arguments).output;
  std::map<std::string, std::string> values;
  for (const std::string& name : names) {
    const std::string before = "\n" + name + " =";
    const std::size_t at = output.find(before);
    if (at == std::string::npos) {
      throw RunError(fmt::format("{}: its makefile does not say {}: {}", directory.string(), name,
                                 output.substr(1)));
    }
    const std::size_t begin = at + before.size();
    values[name] = output.substr(begin, output.find('\n', begin) - begin);
  }
  return values;
}

void check_compiler_flags(const std::vector<std::string>& flags) {
  constexpr std::array kRefused = {
      "@",           "-wrapper",     "--wrapper", "-fplugin",  "-specs",  "--specs",
      "-B",          "--prefix",     "-fuse-ld",  "--ld-path", "-Xclang", "-Xlinker",
      "-Wl,-plugin", "-Wl,--plugin", "-o",        "--output",  "-load",   "-iplugindir"};
  for (const std::string& flag : flags) {
    if (std::ranges::any_of(kRefused, [&](const char* start) { return flag.starts_with(start); })) {
      throw UsageError(fmt::format(
          "`flags` has '{}', which makes the compiler start another program or write elsewhere; "
          "expected flags such as -O2, -march=native or -DNAME",
          flag));
    }
  }
}

}  // namespace gadwall::stan
