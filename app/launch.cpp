// Finds out whether there are other processes, and loads MPI only then.
#include "launch.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <vector>

#include "gadwall/error.hpp"
#include "interrupt.hpp"

namespace gadwall::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libgadwall_mpi.so";

LaunchedTeam* joined_launch = nullptr;

int number_in(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::atoi(text) : otherwise;
}

/// Beside the program, or where an installation puts libraries. Null where it is not there.
void* load_library() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path own = program.parent_path();
  for (const fs::path& place : {own / kLibrary, own / ".." / GADWALL_LIBDIR / kLibrary}) {
    if (!fs::exists(place, ignored)) continue;
    // Global: parts of MPI that are loaded later look for its symbols.
    if (void* const library = dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL)) return library;
  }
  return nullptr;
}

template <class Function>
Function* function_in(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

/// An MPI of another kind than the launcher's makes every process the only one: all of them would
/// do the whole run, into the same files.
void require_whole(const LaunchedTeam& team, int expected) {
  if (team.size() == expected) return;
  throw UsageError(
      fmt::format("the launcher began {} processes, and this gadwall's MPI ({}) sees {}: expected "
                  "the mpirun of "
                  "that MPI, or srun --mpi=pmix",
                  expected, mpi_version(), team.size()));
}

/// Read by the library, which has no words for a wrong one.
void check_timeout() {
  const char* const text = std::getenv("GADWALL_RANK_TIMEOUT");
  if (text == nullptr) return;
  char* end = nullptr;
  const double seconds = std::strtod(text, &end);
  if (*text != '\0' && *end == '\0' && seconds > 0) return;
  throw UsageError(fmt::format("GADWALL_RANK_TIMEOUT is '{}', expected seconds above 0", text));
}

LaunchedTeam* join(const Launch& launch) {
  check_timeout();
  void* const library = load_library();
  const auto join_team =
      library == nullptr ? nullptr
                         : function_in<decltype(gadwall_join_team)>(library, "gadwall_join_team");
  if (join_team == nullptr) {
    throw UsageError(
        fmt::format("the launcher began {} processes, and this gadwall was built without MPI, or "
                    "{} cannot be loaded: expected one process, or a build with MPI",
                    launch.size, kLibrary));
  }
  LaunchedTeam* const team = join_team();
  require_whole(*team, launch.size);
  return team;
}

int bound_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

}  // namespace

/// Open MPI's mpirun, MPICH's and Intel's, MVAPICH's, jsrun, srun. Of Slurm only what srun itself
/// sets: the script of a job is one process, though the job has several tasks.
Launch launched() {
  struct Variables {
    const char* size;
    const char* rank;
  };
  for (const auto& [size, rank] :
       {Variables{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
        Variables{"PMI_SIZE", "PMI_RANK"}, Variables{"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"},
        Variables{"JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_RANK"},
        Variables{"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}}) {
    const int count = number_in(size, 0);
    if (count > 0) return {count, number_in(rank, 0)};
  }
  return {};
}

Team& processes() {
  static Team alone;
  if (joined_launch != nullptr) return *joined_launch;
  const Launch launch = launched();
  if (launch.size == 1) return alone;
  joined_launch = join(launch);
  return *joined_launch;
}

LaunchedTeam* joined_team() {
  return joined_launch;
}

int leave_launch(int code) {
  if (joined_launch == nullptr) return code;
  code = joined_launch->leave(code, InterruptGuard::signal_seen);
  joined_launch = nullptr;
  return code;
}

int threads_of_process() {
  const int bound = bound_processors();
  const auto all = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  if (joined_launch == nullptr || bound < all)
    return std::max(1, bound);  // the launcher's own share
  return std::max(1, all / joined_launch->on_this_host());
}

std::string mpi_version() {
  void* const library = load_library();
  if (library == nullptr) return "";
  const auto version = function_in<decltype(gadwall_mpi_version)>(library, "gadwall_mpi_version");
  return version != nullptr ? version() : "";
}

}  // namespace gadwall::app
