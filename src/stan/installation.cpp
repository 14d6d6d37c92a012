// Finds an installation; what those have in common that need our bridge.
#include "stan/installation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "files/atomic_file.hpp"
#include "gadwall/error.hpp"
#include "gadwall/host.hpp"
#include "stan/bridge_text.hpp"
#include "stan/make.hpp"
#include "stan/process.hpp"

namespace gadwall::stan {
namespace {

namespace fs = std::filesystem;

bool is_bridgestan(const fs::path& directory) {
  return fs::exists(directory / "src" / "bridgestan.h");
}

bool is_cmdstan(const fs::path& directory) {
  return fs::exists(directory / "bin" / "stanc") && fs::exists(directory / "stan" / "src");
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Without a slash at its end: one directory has one name. Its makefiles put it into commands.
fs::path checked(const fs::path& directory, const std::string& from) {
  fs::path path = fs::absolute(directory).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  if (is_plain(path.string())) return path;
  throw UsageError(
      fmt::format("{} {}: Stan's makefiles do not work in a directory of that name, expected "
                  "letters, digits and _ . / + - in it",
                  from, path.string()));
}

std::unique_ptr<StanInstallation> in_directory(const std::string& directory,
                                               const std::string& from) {
  if (is_bridgestan(directory)) return bridgestan_in(checked(directory, from));
  if (is_cmdstan(directory)) return cmdstan_in(checked(directory, from));
  throw UsageError(
      fmt::format("{} {}: neither BridgeStan (with src/bridgestan.h) nor a CmdStan that "
                  "has been built (with bin/stanc)",
                  from, directory));
}

/// cmdstan-2.36.0 is newer than cmdstan-2.9.0.
std::vector<int> version_in(const fs::path& path) {
  std::vector<int> numbers;
  std::string digits;
  for (const char c : path.filename().string() + ".") {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      digits += c;
    } else if (!digits.empty()) {
      numbers.push_back(std::atoi(digits.c_str()));
      digits.clear();
    }
  }
  return numbers;
}

std::unique_ptr<StanInstallation> newest_at_home() {
  const fs::path home = fs::path(environment("HOME")) / ".cmdstan";
  std::error_code ignored;
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(home, ignored)) {
    if (is_cmdstan(entry.path())) found.push_back(entry.path());
  }
  if (found.empty()) return nullptr;
  return cmdstan_in(checked(*std::ranges::max_element(found, {}, version_in), "~/.cmdstan:"));
}

[[noreturn]] void fail(const BridgeCommands& commands, const ProcessResult& result) {
  say(MessageKind::note, result.output + "\n");
  throw RunError(
      fmt::format("{} failed with exit code {}, see above", commands.compiler, result.code));
}

void compile(const BridgeCommands& commands, const std::vector<std::string>& more) {
  std::vector<std::string> words = commands.compile;
  words.insert(words.end(), more.begin(), more.end());
  const ProcessResult result = run_process(words);
  if (result.code != 0) fail(commands, result);
}

/// Published by a rename, so that two programs may be compiled at the same time.
fs::path bridge_object(const BridgeCommands& commands, const StanBuild& build) {
  const fs::path object = build.shared / "bridge.o";
  if (fs::exists(object)) return object;
  for (const BridgeFile& file : bridge_files()) {
    files::replace_file((build.directory / file.name).string(), file.text);
  }
  const fs::path fresh = build.directory / "bridge.o";
  compile(commands, {"-I", build.directory, "-c", build.directory / "bridge.cpp", "-o", fresh});
  fs::create_directories(build.shared);
  fs::rename(fresh, object);
  return object;
}

}  // namespace

std::unique_ptr<StanInstallation> find_stan(const std::string& directory) {
  if (!directory.empty()) return in_directory(directory, "`stan`");
  for (const char* variable : {"BRIDGESTAN", "CMDSTAN"}) {
    const std::string value = environment(variable);
    if (!value.empty()) return in_directory(value, fmt::format("${}", variable));
  }
  if (auto found = newest_at_home()) return found;
  if (auto found = rstan_of_r()) return found;
  throw UsageError(
      "there is no Stan to compile the program with: on Debian and Ubuntu `apt install "
      "r-cran-rstan` gives one; elsewhere unpack a release of BridgeStan "
      "(https://github.com/roualdes/bridgestan/releases) or CmdStan (https://mc-stan.org) and set "
      "BRIDGESTAN or CMDSTAN to its directory");
}

void translate(const fs::path& stanc, const std::vector<std::string>& flags,
               const StanProgram& program, const StanBuild& build, const fs::path& result) {
  const fs::path copy = write_sources(program, build.directory);
  std::vector<std::string> words = {stanc};
  words.insert(words.end(), flags.begin(), flags.end());
  words.insert(words.end(), build.stanc_flags.begin(), build.stanc_flags.end());
  for (const std::string& word :
       {"--name=" + program.name, "--include-paths=" + build.directory.string(),
        "--o=" + result.string(), copy.string()}) {
    words.push_back(word);
  }
  const ProcessResult process = run_process(words);
  if (process.code == 0) return;
  constexpr int kCannotRun = 124;  // from here on: wrong flags, no such program, or a signal
  if (process.code < kCannotRun) refuse_program(program, process.output);
  say(MessageKind::note, process.output + "\n");
  throw RunError(
      fmt::format("{} failed with exit code {}, see above", stanc.string(), process.code));
}

fs::path build_with_bridge(const BridgeCommands& commands, const StanBuild& build) {
  const fs::path bridge = bridge_object(commands, build);
  const fs::path object = build.directory / "model.o";
  const fs::path library = build.directory / "model.so";
  compile(commands, {"-c", build.directory / "model.cpp", "-o", object});
  const auto link = [&](const std::vector<std::string>& libraries) {
    std::vector<std::string> words = commands.link;
    words.insert(words.end(), {object, bridge, "-o", library});
    words.insert(words.end(), libraries.begin(), libraries.end());
    return run_process(words);
  };
  ProcessResult result = link(commands.libraries);
  const bool needs_others = result.output.find("-fPIC") != std::string::npos;
  if (result.code != 0 && needs_others && commands.position_independent) {
    result = link(commands.position_independent());
  }
  if (result.code != 0) fail(commands, result);
  return library;
}

void say_first_use(const StanInstallation& stan) {
  say(MessageKind::note,
      fmt::format("The first program with {} and these flags: what all programs share is compiled "
                  "too, which takes a minute or more.\n",
                  stan.name()));
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string compiler_version(const std::string& compiler) {
  std::vector<std::string> words = words_of(compiler);
  words.push_back("--version");
  const std::string text = run_process(words).output;
  return text.substr(0, text.find('\n'));
}

}  // namespace gadwall::stan
