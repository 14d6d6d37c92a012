#include "stan/compile.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "gadwall/error.hpp"
#include "io/atomic_file.hpp"
#include "stan/bridge_text.hpp"
#include "stan/installation.hpp"

namespace gadwall {
namespace {

namespace fs = std::filesystem;

fs::path cache_directory() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return fs::path(cache) / "gadwall";
  const char* home = std::getenv("HOME");
  if (home == nullptr)
    throw UsageError("neither XDG_CACHE_HOME nor HOME says where to keep models");
  return fs::path(home) / ".cache" / "gadwall";
}

/// Names a directory; what counts is the key in it.
std::string name_of(const std::string& key) {
  return fmt::format("{:016x}", std::hash<std::string>{}(key));
}

bool holds(const fs::path& entry, const std::string& key) {
  std::error_code ignored;
  return fs::exists(entry / "model.so", ignored) && fs::exists(entry / "key", ignored) &&
         read_whole_file((entry / "key").string()) == key;
}

/// Gone when it is left, unless it was moved.
class WorkDirectory {
 public:
  explicit WorkDirectory(const fs::path& where) {
    fs::create_directories(where);
    std::string pattern = where / "work-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) {
      throw RunError(fmt::format("{}: {}", pattern, std::strerror(errno)));
    }
    path = pattern;
  }
  ~WorkDirectory() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  WorkDirectory(const WorkDirectory&) = delete;
  WorkDirectory& operator=(const WorkDirectory&) = delete;

  fs::path path;
};

/// In one step, so that nobody sees half of it; another program may have made the same meanwhile.
void publish(const fs::path& library, const std::string& key, const fs::path& entry) {
  if (holds(entry, key)) return fs::rename(library, entry / "model.so");
  const WorkDirectory fresh(entry.parent_path());
  fs::rename(library, fresh.path / "model.so");
  replace_file((fresh.path / "key").string(), key);
  std::error_code occupied;
  fs::remove_all(entry, occupied);
  fs::rename(fresh.path, entry, occupied);
  if (!holds(entry, key)) {
    throw RunError(fmt::format("{}: cannot be written: {}", entry.string(), occupied.message()));
  }
}

}  // namespace

CompiledStan compile_stan(const std::string& path, const StanCompileOptions& options) {
  const StanProgram program = read_stan_program(path);
  const auto stan = find_stan(options.stan);
  std::string toolchain = stan->identity() + "\n" + options.flags;
  for (const BridgeFile& file : bridge_files()) toolchain += "\n" + file.text;
  const std::string key = fmt::format("{}\n{}\n{}", program.name, program.text, toolchain);
  const fs::path cache = cache_directory();
  const fs::path entry = cache / name_of(key);
  CompiledStan result{entry / "model.so", stan->name(), holds(entry, key)};
  if (result.from_cache && !options.rebuild) return result;
  result.from_cache = false;
  fmt::print(stderr, "Compiling {} with {} ...\n", path, result.by);
  try {
    const WorkDirectory work(cache);
    const fs::path shared = cache / ("bridge-" + name_of(toolchain));
    publish(stan->build(program, {work.path, shared, options.flags}), key, entry);
  } catch (const fs::filesystem_error& error) {
    throw RunError(fmt::format("{}: {}", path, error.what()));
  }
  return result;
}

}  // namespace gadwall
