// The processes that a launcher such as mpirun or srun began together.
#pragma once

#include <string>

#include "mpi/launched_team.hpp"

namespace gadwall::app {

/// What the environment says.
struct Launch {
  int size = 1;
  int rank = 0;
};
Launch launched();

/// All processes of this launch, joined at the first call; this one alone where it was begun alone.
/// UsageError where there are several and they cannot be joined.
Team& processes();

/// Null where this process is alone, or has not joined.
LaunchedTeam* joined_team();

/// The end of this process for the others: all of them end together, with the first one's code.
int leave_launch(int code);

/// A processor for each thread of each process of this machine.
int threads_of_process();

/// "Open MPI v4.1.4"; empty where the program has no MPI.
std::string mpi_version();

}  // namespace gadwall::app
