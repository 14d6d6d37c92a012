// Starts the process, shuts it off from everything, and sees to its end.
#include "files/helper_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

void close_range(unsigned first, unsigned last) {
#ifdef SYS_close_range
  if (first <= last) ::syscall(SYS_close_range, first, last, 0);  // Linux 5.9; else they stay open
#endif
}

/// What libraries say when they abort is nothing for the user's terminal, and a file that stays
/// open here would not be closed when the user closes it.
void leave_files(int kept) {
  const int nothing = ::open("/dev/null", O_RDWR);
  for (int standard = 0; standard <= 2 && nothing >= 0; ++standard) {
    if (standard != kept) ::dup2(nothing, standard);
  }
  const auto number = static_cast<unsigned>(kept);
  if (number > 3) close_range(3, number - 1);
  close_range(number < 3 ? 3 : number + 1, ~0U);
}

/// All signals are blocked since before the fork, so that no handler of the host program runs
/// here; the kernel ends a process that crashes all the same.
void shut_off(int kept, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  ::prctl(PR_SET_DUMPABLE, 0);  // no core file, nor a core dump that is piped to a program
  leave_files(kept);
  for (const int own : {SIGABRT, SIGXCPU}) ::signal(own, SIG_DFL);
  sigset_t heard;
  ::sigemptyset(&heard);
  ::sigaddset(&heard, SIGXCPU);
  ::pthread_sigmask(SIG_UNBLOCK, &heard, nullptr);
}

[[noreturn]] void live(const std::function<void(const Channel&)>& serve, Channel channel,
                       pid_t parent) {
  int code = 1;
  try {
    shut_off(channel.file(), parent);
    serve(channel);
    code = 0;
  } catch (...) {  // NOLINT: the one who waits sees that the channel is closed
  }
  ::_exit(code);  // nothing that the host program has buffered or registered is its business
}

}  // namespace

bool Channel::send(const void* bytes, std::size_t count) const {
  const char* from = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t sent = ::send(end_, from, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    from += sent;
    count -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool Channel::receive(void* bytes, std::size_t count) const {
  char* to = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t got = ::recv(end_, to, count, MSG_WAITALL);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

HelperProcess::HelperProcess(const std::function<void(const Channel&)>& serve)
    : channel_(OpenFile()) {
  int ends[2] = {-1, -1};
  const bool has_ends = ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
  channel_ = Channel(OpenFile(ends[0]));
  Channel other{OpenFile(ends[1])};
  if (has_ends) {
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t parent = ::getpid();
    process_ = ::fork();
    if (process_ == 0) {
      channel_ = Channel(OpenFile());
      live(serve, std::move(other), parent);
    }
    const int error = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = error;
  }
  if (process_ < 0) throw RunError(fmt::format("no process can be started: {}", strerror(errno)));
}

/// One that computes still is not waited for. Somebody else may have waited for it before us, or
/// the host program ignores SIGCHLD: then its number is no longer ours to send a signal to.
HelperProcess::~HelperProcess() {
  if (process_ < 0) return;
  channel_ = Channel(OpenFile());
  if (::waitpid(process_, nullptr, WNOHANG) != 0) return;
  ::kill(process_, SIGKILL);
  signal_at_end();
}

int HelperProcess::signal_at_end() {
  if (process_ < 0) return 0;
  channel_ = Channel(OpenFile());
  int status = 0;
  pid_t ended = -1;
  do {
    ended = ::waitpid(process_, &status, 0);
  } while (ended < 0 && errno == EINTR);
  process_ = -1;
  return ended > 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

void allow_computing(unsigned seconds) {
  rusage used = {};
  rlimit limit = {};
  if (::getrusage(RUSAGE_SELF, &used) != 0 || ::getrlimit(RLIMIT_CPU, &limit) != 0) return;
  const auto so_far = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
  limit.rlim_cur = std::min(limit.rlim_max, so_far + 1 + seconds);
  ::setrlimit(RLIMIT_CPU, &limit);
}

}  // namespace gadwall::files
