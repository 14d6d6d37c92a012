#include "stan/compile.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "files/atomic_file.hpp"
#include "gadwall/error.hpp"
#include "gadwall/host.hpp"
#include "stan/bridge_text.hpp"
#include "stan/installation.hpp"
#include "stan/make.hpp"
#include "stan/work_directory.hpp"
#include "threads/start_thread.hpp"

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

/// In one step, so that nobody sees half of it; another program may have made the same meanwhile.
void publish(const fs::path& library, const std::string& key, const fs::path& entry) {
  const WorkDirectory fresh = WorkDirectory::in_cache(entry.parent_path());
  fs::copy_file(library, fresh.path / "model.so");
  if (holds(entry, key)) return fs::rename(fresh.path / "model.so", entry / "model.so");
  files::replace_file((fresh.path / "key").string(), key);
  std::error_code occupied;
  fs::remove_all(entry, occupied);
  fs::rename(fresh.path, entry, occupied);
  if (!holds(entry, key)) {
    throw RunError(fmt::format("{}: cannot be written: {}", entry.string(), occupied.message()));
  }
}

/// Shows the seconds of something long while it lives.
class Stopwatch {
 public:
  Stopwatch()
      : thread_(start_thread<std::jthread>([this](const std::stop_token& stop) { tick(stop); })) {}

  ~Stopwatch() {
    thread_.request_stop();
    thread_.join();
    say(MessageKind::progress, "");
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  int seconds() const {
    const auto passed = std::chrono::steady_clock::now() - begin_;
    return static_cast<int>(std::chrono::round<std::chrono::seconds>(passed).count());
  }

 private:
  void tick(const std::stop_token& stop) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    while (!wake_.wait_for(lock, stop, std::chrono::seconds(1),
                           [&stop] { return stop.stop_requested(); })) {
      say(MessageKind::progress, fmt::format("... {} s", seconds()));
    }
  }

  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::condition_variable_any wake_;
  std::jthread thread_;  // the last member: it uses the others
};

/// A library for "the processor it was made on" is for processors with the same abilities.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("flags") || line.starts_with("Features")) return line;
  }
  return "";
}

/// Thread-local variables, which a threaded Stan reads at every operation, at fixed places: one
/// instruction instead of a call.
constexpr const char* kFixedThreadLocals = "-ftls-model=initial-exec";

/// Room for such variables is scarce, and some loaders have none. Whatever else is wrong with a
/// library is said where it is used.
bool has_room_for(const std::string& library) {
  if (dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr) return true;
  return std::string_view(dlerror()).find("TLS") == std::string_view::npos;
}

class Compilation {
 public:
  Compilation(const std::string& path, const StanCompileOptions& options)
      : path_(path),
        program_(read_stan_program(path)),
        flags_(words_of(options.flags)),
        stanc_flags_(words_of(options.stanc_flags)),
        cache_(cache_directory()) {
    check_compiler_flags(flags_);
    stan_ = find_stan(options.stan);
    toolchain_ = fmt::format("{}\n{}\n{}", stan_->identity(), options.flags, options.stanc_flags);
    if (options.flags.find("native") != std::string::npos) toolchain_ += "\n" + processor();
    for (const BridgeFile& file : bridge_files()) toolchain_ += "\n" + file.text;
  }

  CompiledStan run(const std::string& thread_locals, bool rebuild) const {
    const std::string toolchain = toolchain_ + "\n" + thread_locals;
    const std::string key = fmt::format("{}\n{}\n{}", program_.name, program_.text, toolchain);
    make_private(cache_);
    const fs::path entry = cache_ / name_of(key);
    CompiledStan result{entry / "model.so", stan_->name(), holds(entry, key)};
    if (result.from_cache && !rebuild) return result;
    result.from_cache = false;
    StanBuild build{{}, cache_ / ("bridge-" + name_of(toolchain)), {}, stanc_flags_};
    if (!thread_locals.empty()) build.flags.push_back(thread_locals);
    build.flags.insert(build.flags.end(), flags_.begin(), flags_.end());
    make(build, key, entry);
    return result;
  }

 private:
  void make(StanBuild build, const std::string& key, const fs::path& entry) const {
    try {
      const auto until_clean = hold_interrupts();
      remove_stale_work(cache_);
      const WorkDirectory work = WorkDirectory::of_plain_name(cache_);
      build.directory = work.path;
      say(MessageKind::note, fmt::format("Compiling {} with {} ...\n", path_, stan_->name()));
      const Stopwatch watch;
      publish(stan_->build(program_, build), key, entry);
      say(MessageKind::note, fmt::format("Done in {} s.\n", watch.seconds()));
    } catch (const fs::filesystem_error& error) {
      throw RunError(fmt::format("{}: {}", path_, error.what()));
    }
  }

  std::string path_;
  StanProgram program_;
  std::vector<std::string> flags_, stanc_flags_;
  fs::path cache_;
  std::unique_ptr<StanInstallation> stan_;
  std::string toolchain_;
};

}  // namespace

CompiledStan compile_stan(const std::string& path, const StanCompileOptions& options) {
  const Compilation compilation(path, options);
  const CompiledStan result = compilation.run(kFixedThreadLocals, options.rebuild);
  return has_room_for(result.library) ? result : compilation.run("", options.rebuild);
}

}  // namespace gadwall::stan
