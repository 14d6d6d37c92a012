// The processes of a launch by MPI: how they come together, and how they part.
#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "mpi/mpi_team.hpp"
#include "mpi/pause.hpp"

namespace gadwall {
namespace {

// Between all processes of the launch.
constexpr int kSignalTag = 3;
constexpr int kCodeTag = 4;
constexpr int kFarewellTag = 5;

/// Seconds after which a process counts as lost, where the user says so; else 0.
double given_timeout() {
  const char* const text = std::getenv("GADWALL_RANK_TIMEOUT");
  return text != nullptr ? std::strtod(text, nullptr) : 0;
}

}  // namespace

MpiTeam::MpiTeam() : timeout_(given_timeout()), done_(Clock::now()) {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_dup(MPI_COMM_WORLD, &team_);
  MPI_Comm_rank(team_, &rank_);
  MPI_Comm_size(team_, &size_);
  char own[MPI_MAX_PROCESSOR_NAME] = {};
  int length = 0;
  MPI_Get_processor_name(own, &length);
  std::vector<char> all(static_cast<std::size_t>(size_) * MPI_MAX_PROCESSOR_NAME);
  MPI_Allgather(own, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, all.data(), MPI_MAX_PROCESSOR_NAME, MPI_CHAR,
                team_);
  for (int r = 0; r < size_; ++r) {
    hosts_.emplace_back(all.data() + static_cast<std::size_t>(r) * MPI_MAX_PROCESSOR_NAME);
  }
}

std::string MpiTeam::name_of(int rank) const {
  return "rank " + std::to_string(rank) + " on " + hosts_.at(static_cast<std::size_t>(rank));
}

int MpiTeam::on_this_host() const {
  return static_cast<int>(std::ranges::count(hosts_, hosts_[static_cast<std::size_t>(rank_)]));
}

void MpiTeam::keep(int size, Heard heard) {
  if (size >= size_) return;
  heard_ = std::move(heard);
  MPI_Comm all = team_;
  MPI_Comm_split(all, rank_ < size ? 0 : MPI_UNDEFINED, rank_, &team_);
  MPI_Comm_free(&all);
  size_ = size;
}

/// What those that were left out have told the first.
void MpiTeam::hear() {
  if (!heard_) return;
  const auto is_there = [](MPI_Status& status) {
    int there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, kSignalTag, MPI_COMM_WORLD, &there, &status);
    return there != 0;
  };
  for (MPI_Status status; is_there(status);) {
    int signal = 0;
    MPI_Recv(&signal, 1, MPI_INT, status.MPI_SOURCE, kSignalTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    heard_(signal);
  }
}

void MpiTeam::abort(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

/// The first has the end of the run to write, however long that takes.
int MpiTeam::leave(int code, const SignalSeen& signal_seen) {
  if (rank_ == 0) {
    take_leave(code);
    hear();
  } else {
    code = await_end(signal_seen);
  }
  MPI_Finalize();
  return code;
}

/// Every other process gets the code and answers; those that do not are lost.
void MpiTeam::take_leave(int code) {
  const std::size_t ranks = hosts_.size();
  std::vector<MPI_Request> told(ranks, MPI_REQUEST_NULL);
  std::vector<MPI_Request> answered(ranks, MPI_REQUEST_NULL);
  for (std::size_t r = 1; r < ranks; ++r) {
    const auto other = static_cast<int>(r);
    MPI_Isend(&code, 1, MPI_INT, other, kCodeTag, MPI_COMM_WORLD, &told[r]);
    MPI_Irecv(nullptr, 0, MPI_INT, other, kFarewellTag, MPI_COMM_WORLD, &answered[r]);
  }
  await_all(answered, "the end of the run");
  MPI_Waitall(static_cast<int>(ranks), told.data(), MPI_STATUSES_IGNORE);
}

/// Of one of the others: until the first says how it ended. A signal that comes meanwhile is the
/// first one's to hear.
int MpiTeam::await_end(const SignalSeen& signal_seen) {
  int code = 0;
  int signal = 0;
  int done = 0;
  MPI_Request end = MPI_REQUEST_NULL;
  MPI_Request told = MPI_REQUEST_NULL;
  MPI_Irecv(&code, 1, MPI_INT, 0, kCodeTag, MPI_COMM_WORLD, &end);
  for (Pause pause; MPI_Test(&end, &done, MPI_STATUS_IGNORE), done == 0; pause.take()) {
    if (is_member() || signal != 0) continue;
    signal = signal_seen();
    if (signal == 0) continue;
    MPI_Isend(&signal, 1, MPI_INT, 0, kSignalTag, MPI_COMM_WORLD, &told);
  }
  MPI_Wait(&told, MPI_STATUS_IGNORE);
  MPI_Send(nullptr, 0, MPI_INT, 0, kFarewellTag, MPI_COMM_WORLD);
  return code;
}

/// A step that takes this process a minute may take another an hour, not a day.
double MpiTeam::patience() const {
  constexpr double kLeast = 600;
  constexpr double kSlower = 100;
  return timeout_ > 0 ? timeout_ : std::max(kLeast, kSlower * own_work_);
}

/// In the first process: one request for each process, done when it has come.
void MpiTeam::await_all(std::vector<MPI_Request>& requests, const std::string& where) {
  const auto begin = Clock::now();
  const auto count = static_cast<int>(requests.size());
  int done = 0;
  for (Pause pause; MPI_Testall(count, requests.data(), &done, MPI_STATUSES_IGNORE), done == 0;
       pause.take()) {
    const std::chrono::duration<double> waited = Clock::now() - begin;
    if (waited.count() < patience()) continue;
    throw std::runtime_error(missing(requests) + " did not come to " + where + " within " +
                             std::to_string(static_cast<int>(waited.count())) +
                             " s: lost, or far slower than the others (GADWALL_RANK_TIMEOUT)");
  }
}

std::string MpiTeam::missing(std::vector<MPI_Request>& requests) const {
  std::string names;
  for (std::size_t r = 1; r < requests.size(); ++r) {
    int done = 0;
    MPI_Test(&requests[r], &done, MPI_STATUS_IGNORE);
    if (done != 0) continue;
    names += (names.empty() ? "" : ", ") + name_of(static_cast<int>(r));
  }
  return names;
}

}  // namespace gadwall

gadwall::LaunchedTeam* gadwall_join_team() {
  static gadwall::MpiTeam team;
  return &team;
}

const char* gadwall_mpi_version() {
  static const std::string version = [] {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
    int length = 0;
    MPI_Get_library_version(text, &length);
    const std::string all = text;
    return all.substr(0, all.find_first_of(",\n"));
  }();
  return version.c_str();
}
