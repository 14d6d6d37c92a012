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

std::unique_ptr<StanInstallation> in_directory(const std::string& directory,
                                               const std::string& from) {
  if (is_bridgestan(directory)) return bridgestan_in(fs::absolute(directory));
  if (is_cmdstan(directory)) return cmdstan_in(fs::absolute(directory));
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
  return cmdstan_in(*std::ranges::max_element(found, {}, version_in));
}

void run_compiler(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  const ProcessResult result = run_process(words);
  if (result.code == 0) return;
  say(MessageKind::note, result.output + "\n");
  throw RunError(fmt::format("{} failed with exit code {}, see above", words[0], result.code));
}

/// Published by a rename, so that two programs may be compiled at the same time.
fs::path bridge_object(const BridgeCommands& commands, const StanBuild& build) {
  const fs::path object = build.shared / "bridge.o";
  if (fs::exists(object)) return object;
  for (const BridgeFile& file : bridge_files()) {
    files::replace_file((build.directory / file.name).string(), file.text);
  }
  const fs::path fresh = build.directory / "bridge.o";
  run_compiler(commands.compile,
               {"-I", build.directory, "-c", build.directory / "bridge.cpp", "-o", fresh});
  fs::create_directories(build.shared);
  fs::rename(fresh, object);
  return object;
}

}  // namespace

std::unique_ptr<StanInstallation> find_stan(const std::string& directory) {
  if (!directory.empty()) return in_directory(directory, "--stan");
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

fs::path build_with_bridge(const BridgeCommands& commands, const StanBuild& build) {
  const fs::path bridge = bridge_object(commands, build);
  const fs::path object = build.directory / "model.o";
  const fs::path library = build.directory / "model.so";
  run_compiler(commands.compile, {"-c", build.directory / "model.cpp", "-o", object});
  std::vector<std::string> rest = {object, bridge, "-o", library};
  rest.insert(rest.end(), commands.libraries.begin(), commands.libraries.end());
  run_compiler(commands.link, rest);
  return library;
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
