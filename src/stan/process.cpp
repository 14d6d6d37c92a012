// Starts a program, reads what it says, and ends it where ours is asked to end.
#include "stan/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "gadwall/error.hpp"
#include "gadwall/host.hpp"

namespace gadwall::stan {
namespace {

/// A process group of its own, so that a signal reaches all that the program starts.
int spawn(const std::vector<std::string>& words, int output, pid_t& process) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t ours;  // ignored by us perhaps, and then by what we start
  sigemptyset(&ours);
  sigaddset(&ours, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &ours);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  const int failure =
      posix_spawnp(&process, words[0].c_str(), &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}

/// False at the end of the file.
bool read_some(int file, std::string& text) {
  std::array<char, 4096> buffer{};
  const ssize_t count = read(file, buffer.data(), buffer.size());
  if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

/// What the group writes, until all of it has ended. The first interrupt asks it to end, the next
/// forces it to; returned is the last, 0 for none.
int read_all(int file, pid_t group, Hold& interrupts, std::string& text) {
  int seen = 0;
  for (;;) {
    std::array<pollfd, 2> waiting = {{{file, POLLIN, 0}, {interrupts.file(), POLLIN, 0}}};
    if (poll(waiting.data(), waiting.size(), -1) < 0) continue;
    if (waiting[1].revents != 0) {
      kill(-group, std::exchange(seen, interrupts.take()) == 0 ? SIGTERM : SIGKILL);
    }
    if (waiting[0].revents != 0 && !read_some(file, text)) return seen;
  }
}

int wait_for(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return 127;  // somebody else has reaped it
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& words) {
  const auto interrupts = hold_interrupts();
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw RunError(fmt::format("{}: no pipe for its output: {}", words[0], std::strerror(errno)));
  }
  pid_t process = 0;
  const int failure = spawn(words, ends[1], process);
  close(ends[1]);
  ProcessResult result;
  int signal_seen = 0;
  if (failure == 0) {
    signal_seen = read_all(ends[0], process, *interrupts, result.output);
    result.code = wait_for(process);
  } else {
    result = {127, fmt::format("{}: {}", words[0], std::strerror(failure))};
  }
  close(ends[0]);
  if (signal_seen != 0) throw Interrupted(signal_seen);
  return result;
}

}  // namespace gadwall::stan
