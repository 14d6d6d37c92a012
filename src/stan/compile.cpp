#include "stan/compile.hpp"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>

#include "files/atomic_file.hpp"
#include "gadwall/error.hpp"
#include "gadwall/host.hpp"
#include "stan/bridge_text.hpp"
#include "stan/installation.hpp"
#include "stan/process.hpp"

namespace gadwall::stan {
namespace {

namespace fs = std::filesystem;

fs::path cache_directory() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return fs::path(cache) / "gadwall";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') {
    throw UsageError(
        "HOME is not set, so there is no place for compiled Stan programs; set XDG_CACHE_HOME to "
        "the path of a directory for them, from /");
  }
  return fs::path(home) / ".cache" / "gadwall";
}

/// Names a directory; what counts is the key in it.
std::string name_of(const std::string& key) {
  return fmt::format("{:016x}", std::hash<std::string>{}(key));
}

bool holds(const fs::path& entry, const std::string& key) {
  std::error_code ignored;
  return fs::exists(entry / "model.so", ignored) && fs::exists(entry / "key", ignored) &&
         files::read_whole_file((entry / "key").string()) == key;
}

[[noreturn]] void refuse_cache(const fs::path& cache, const std::string& reason) {
  throw UsageError(
      fmt::format("{}: compiled Stan programs cannot be kept there ({}); set XDG_CACHE_HOME to the "
                  "path of another directory for them, from /",
                  cache.string(), reason));
}

/// What is loaded from there runs as the user: nobody else may have put it there. What is in a
/// directory that others could write to is thrown away.
void make_private(const fs::path& cache) {
  std::error_code failure;
  const bool is_new = fs::create_directories(cache, failure);
  if (failure) refuse_cache(cache, failure.message());
  struct stat status = {};
  if (::stat(cache.c_str(), &status) != 0) refuse_cache(cache, std::strerror(errno));
  if (status.st_uid != ::geteuid()) refuse_cache(cache, "it belongs to somebody else");
  const bool was_open = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  if (is_new || was_open) fs::permissions(cache, fs::perms::owner_all, failure);
  if (failure) refuse_cache(cache, failure.message());
  if (is_new || !was_open) return;
  for (const fs::directory_entry& entry : fs::directory_iterator(cache, failure)) {
    fs::remove_all(entry.path(), failure);
  }
  if (failure) refuse_cache(cache, failure.message());
}

constexpr const char* kWorkName = "work-";

/// What killed processes left behind. By age, as another machine may use the same directory.
void remove_stale_work(const fs::path& cache) {
  constexpr std::chrono::hours kLongest(24);
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(cache, ignored)) {
    std::error_code unknown;
    const auto changed = entry.last_write_time(unknown);
    if (entry.path().filename().string().starts_with(kWorkName) && !unknown &&
        fs::file_time_type::clock::now() - changed > kLongest) {
      fs::remove_all(entry.path(), ignored);
    }
  }
}

/// Gone when it is left, unless it was moved.
class WorkDirectory {
 public:
  explicit WorkDirectory(const fs::path& cache) {
    std::string pattern = cache / fmt::format("{}XXXXXX", kWorkName);
    if (mkdtemp(pattern.data()) == nullptr) refuse_cache(cache, std::strerror(errno));
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
  files::replace_file((fresh.path / "key").string(), key);
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
  make_private(cache);
  const fs::path entry = cache / name_of(key);
  CompiledStan result{entry / "model.so", stan->name(), holds(entry, key)};
  if (result.from_cache && !options.rebuild) return result;
  result.from_cache = false;
  try {
    const auto until_clean = hold_interrupts();
    remove_stale_work(cache);
    const WorkDirectory work(cache);
    say(MessageKind::note, fmt::format("Compiling {} with {} ...\n", path, result.by));
    const fs::path shared = cache / ("bridge-" + name_of(toolchain));
    publish(stan->build(program, {work.path, shared, options.flags}), key, entry);
  } catch (const fs::filesystem_error& error) {
    throw RunError(fmt::format("{}: {}", path, error.what()));
  }
  return result;
}

}  // namespace gadwall::stan
