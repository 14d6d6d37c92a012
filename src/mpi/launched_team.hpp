// What libgadwall_mpi.so gives the program, which loads it only where a launcher such as mpirun
// began several processes: so the program itself needs no MPI.
#pragma once

#include <functional>

#include "gadwall/team.hpp"

namespace gadwall {

/// The processes of one launch. Nothing in it waits for ever for a process that does not come:
/// after a time-out a std::runtime_error names it.
class LaunchedTeam : public Team {
 public:
  /// Processes on this machine, this one included.
  virtual int on_this_host() const = 0;

  /// From here on the team is the first `size` processes; what the others do is leave(). A signal
  /// that comes to one of these is told to the first, which calls heard(signal) when all next meet
  /// (so not where the first alone has work, and meets nobody).
  using Heard = std::function<void(int)>;
  virtual void keep(int size, Heard heard) = 0;
  virtual bool is_member() const = 0;

  /// Ends all processes at once, with this exit code.
  [[noreturn]] virtual void abort(int code) = 0;

  /// The end, for all of the launch: they wait for the first, however long. The code that it gives.
  /// signal_seen: the signal that has come to this process, or 0.
  using SignalSeen = std::function<int()>;
  virtual int leave(int code, const SignalSeen& signal_seen) = 0;
};

}  // namespace gadwall

extern "C" {
/// Joins the processes of the launch; one call per process. It stays the library's.
gadwall::LaunchedTeam* gadwall_join_team();
/// "Open MPI v4.1.4"; valid before there is a team.
const char* gadwall_mpi_version();
}
