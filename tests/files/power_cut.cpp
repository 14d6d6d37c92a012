// Loaded before a program (LD_PRELOAD): keeps beside its files what a power cut would leave of
// them.
//
// In the directory $POWER_CUT_MIRROR: inode/N, the content of a file as of its last fsync; names,
// the entries of its directory as of the directory's last fsync, "N name" each; keep/N, a link that
// keeps the number N from being used again. Where $POWER_CUT_AT is given the process kills itself
// at so many calls: an odd one before the call, an even one after it.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>

namespace {

namespace fs = std::filesystem;

std::atomic<int> moments{0};
std::mutex mirror_mutex;

void maybe_die() {
  static const char* const at = std::getenv("POWER_CUT_AT");
  if (at != nullptr && ++moments == std::atoi(at)) ::kill(::getpid(), SIGKILL);
}

void keep_content(const fs::path& mirror, int descriptor, ino_t number) {
  const std::string name = std::to_string(number);
  const std::string itself = "/proc/self/fd/" + std::to_string(descriptor);
  const fs::path fresh = mirror / "inode" / (name + ".new");
  std::error_code ignored;
  fs::create_hard_link(fs::read_symlink(itself, ignored), mirror / "keep" / name, ignored);
  fs::copy_file(itself, fresh, fs::copy_options::overwrite_existing, ignored);
  fs::rename(fresh, mirror / "inode" / name, ignored);
}

void keep_names(const fs::path& mirror, int descriptor) {
  const fs::path fresh = mirror / "names.new";
  std::error_code ignored;
  {
    std::ofstream list(fresh);
    const fs::path directory = "/proc/self/fd/" + std::to_string(descriptor);
    for (const auto& entry : fs::directory_iterator(directory, ignored)) {
      struct stat facts {};
      if (::lstat(entry.path().c_str(), &facts) == 0 && S_ISREG(facts.st_mode)) {
        list << facts.st_ino << ' ' << entry.path().filename().string() << '\n';
      }
    }
  }
  fs::rename(fresh, mirror / "names", ignored);
}

void record(int descriptor) {
  static const char* const mirror = std::getenv("POWER_CUT_MIRROR");
  struct stat facts {};
  if (mirror == nullptr || ::fstat(descriptor, &facts) != 0) return;
  const std::lock_guard lock(mirror_mutex);
  if (S_ISDIR(facts.st_mode)) keep_names(mirror, descriptor);
  if (S_ISREG(facts.st_mode)) keep_content(mirror, descriptor, facts.st_ino);
}

int synchronise(const char* call, int descriptor) {
  using Call = int (*)(int);
  maybe_die();
  const auto real = reinterpret_cast<Call>(::dlsym(RTLD_NEXT, call));
  const int status = real(descriptor);
  if (status == 0) record(descriptor);
  maybe_die();
  return status;
}

}  // namespace

extern "C" int fsync(int descriptor) {
  return synchronise("fsync", descriptor);
}

extern "C" int fdatasync(int descriptor) {
  return synchronise("fdatasync", descriptor);
}
