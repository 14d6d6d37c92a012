// Exchanges of byte strings by MPI. Every one begins with an arrival: each process tells the first
// how much it brings, so that the first knows who is missing, and the first tells all. What is
// small travels with the arrival, and what is tiny back with it: a number from each is one message
// to the first and one from it.
#include "mpi/mpi_team.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <thread>

namespace gadwall {
namespace {

constexpr int kArrivalTag = 1;
constexpr int kPieceTag = 2;
constexpr std::size_t kHead = sizeof(std::uint64_t);
constexpr std::size_t kTiny = 56;                     // bytes that come back with the sizes
constexpr std::size_t kEntry = kHead + kTiny;         // what all are told of each process
constexpr std::size_t kSmall = 4096;                  // bytes that travel with the arrival
constexpr std::size_t kPiece = std::size_t{1} << 30;  // MPI counts with 32 bits

/// Seconds after which a process counts as lost, where the user says so; else 0.
double given_timeout() {
  const char* const text = std::getenv("GADWALL_RANK_TIMEOUT");
  return text != nullptr ? std::strtod(text, nullptr) : 0;
}

/// At first not at all: who is waited for is about to come. Then it sleeps, longer the longer it
/// waits, to give the processor to whom it waits for.
class Pause {
 public:
  void take() {
    constexpr int kBusy = 200;
    constexpr int kQuick = 2000;
    ++count_;
    if (count_ < kBusy) return;
    if (count_ < kQuick) {
      sched_yield();
      return;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(std::min(1000, count_ - kQuick + 50)));
  }

 private:
  int count_ = 0;
};

void wait_patiently(MPI_Request& request) {
  int done = 0;
  for (Pause pause; MPI_Test(&request, &done, MPI_STATUS_IGNORE), done == 0;) pause.take();
}

bool fits(std::uint64_t total) {
  return total <= static_cast<std::uint64_t>(std::numeric_limits<int>::max());
}

}  // namespace

/// What everybody brings to an exchange.
struct MpiTeam::Arrival {
  Sizes sizes;        // by rank
  std::string small;  // the small ones, one after the other; in the first process, or all tiny

  bool all_within(std::size_t most) const {
    return std::ranges::all_of(sizes, [=](std::uint64_t size) { return size <= most; });
  }
  std::uint64_t total() const {
    return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  }
};

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

void MpiTeam::keep(int size) {
  if (size >= size_) return;
  MPI_Comm all = team_;
  MPI_Comm_split(all, rank_ < size ? 0 : MPI_UNDEFINED, rank_, &team_);
  MPI_Comm_free(&all);
  size_ = size;
}

void MpiTeam::abort(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

int MpiTeam::leave(int code) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  wait_patiently(request);
  MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return code;
}

/// A step that takes this process a minute may take another an hour, not a day.
double MpiTeam::patience() const {
  constexpr double kLeast = 600;
  constexpr double kSlower = 100;
  return timeout_ > 0 ? timeout_ : std::max(kLeast, kSlower * own_work_);
}

std::string MpiTeam::missing(std::vector<MPI_Request>& requests) const {
  std::string names;
  for (int r = 1; r < size_; ++r) {
    int done = 0;
    MPI_Test(&requests[static_cast<std::size_t>(r)], &done, MPI_STATUS_IGNORE);
    if (done != 0) continue;
    names += (names.empty() ? "" : ", ") + name_of(r);
  }
  return names;
}

void MpiTeam::wait_for(MPI_Request& request, int from) {
  const auto begin = Clock::now();
  int done = 0;
  for (Pause pause; MPI_Test(&request, &done, MPI_STATUS_IGNORE), done == 0; pause.take()) {
    const std::chrono::duration<double> waited = Clock::now() - begin;
    if (waited.count() < 3 * patience()) continue;  // the first gives up first, and knows more
    // An exchange of many bytes waits for all, so that nobody knows who it was.
    throw std::runtime_error("what " + name_of(from) + " sends was not through after " +
                             std::to_string(static_cast<int>(waited.count())) +
                             " s: one of the ranks is lost, or far slower than the others");
  }
}

/// Each message: the size of what the process brings, and the bytes themselves where they are few.
std::vector<std::string> MpiTeam::receive_arrivals(std::string own) {
  const auto ranks = static_cast<std::size_t>(size_);
  std::vector<std::string> given(ranks, std::string(kHead + kSmall, '\0'));
  std::vector<MPI_Request> requests(ranks, MPI_REQUEST_NULL);
  given[0] = std::move(own);
  for (std::size_t r = 1; r < ranks; ++r) {
    MPI_Irecv(given[r].data(), static_cast<int>(given[r].size()), MPI_BYTE, static_cast<int>(r),
              kArrivalTag, team_, &requests[r]);
  }
  const auto begin = Clock::now();
  int done = 0;
  for (Pause pause; MPI_Testall(size_, requests.data(), &done, MPI_STATUSES_IGNORE), done == 0;
       pause.take()) {
    const std::chrono::duration<double> waited = Clock::now() - begin;
    if (waited.count() < patience()) continue;
    throw std::runtime_error(missing(requests) + " did not come to the rest within " +
                             std::to_string(static_cast<int>(waited.count())) +
                             " s: lost, or far slower than the others (GADWALL_RANK_TIMEOUT)");
  }
  return given;
}

MpiTeam::Arrival MpiTeam::arrive(const std::string& bytes) {
  own_work_ = std::chrono::duration<double>(Clock::now() - done_).count();
  const std::uint64_t own = bytes.size();
  std::string message(reinterpret_cast<const char*>(&own), kHead);
  if (own <= kSmall) message += bytes;
  const auto ranks = static_cast<std::size_t>(size_);
  std::string entries(ranks * kEntry, '\0');
  Arrival arrival;
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank_ == 0) {
    const std::vector<std::string> given = receive_arrivals(std::move(message));
    for (std::size_t r = 0; r < ranks; ++r) {
      std::uint64_t size = 0;
      std::memcpy(&size, given[r].data(), kHead);
      if (size <= kSmall) arrival.small.append(given[r], kHead, size);
      given[r].copy(entries.data() + r * kEntry, kHead + (size <= kTiny ? size : 0));
    }
  } else {
    MPI_Isend(message.data(), static_cast<int>(message.size()), MPI_BYTE, 0, kArrivalTag, team_,
              &request);
    wait_for(request, 0);
  }
  MPI_Ibcast(entries.data(), static_cast<int>(entries.size()), MPI_BYTE, 0, team_, &request);
  wait_for(request, 0);
  arrival.sizes.resize(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    std::memcpy(&arrival.sizes[r], entries.data() + r * kEntry, kHead);
    if (rank_ > 0 && arrival.sizes[r] <= kTiny) {
      arrival.small.append(entries, r * kEntry + kHead, arrival.sizes[r]);
    }
  }
  return arrival;
}

/// bytes has its size in every process.
void MpiTeam::send_from(int root, std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(bytes.data() + at, static_cast<int>(std::min(kPiece, bytes.size() - at)), MPI_BYTE,
               root, team_, &request);
    wait_for(request, root);
  }
}

/// What all bring, one after the other; less than MPI can count.
std::string MpiTeam::gather_joined(const std::string& bytes, Arrival& arrival) {
  std::string joined = std::move(arrival.small);
  if (arrival.all_within(kTiny)) return joined;
  joined.resize(arrival.total());
  if (arrival.all_within(kSmall)) {
    send_from(0, joined);
    return joined;
  }
  std::vector<int> counts, places;
  int place = 0;
  for (const std::uint64_t size : arrival.sizes) {
    counts.push_back(static_cast<int>(size));
    places.push_back(place);
    place += static_cast<int>(size);
  }
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgatherv(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, joined.data(),
                  counts.data(), places.data(), MPI_BYTE, team_, &request);
  wait_for(request, 0);
  return joined;
}

std::vector<std::string> MpiTeam::gather_all(std::string bytes) {
  Arrival arrival = arrive(bytes);
  std::vector<std::string> all;
  if (fits(arrival.total())) {
    const std::string joined = gather_joined(bytes, arrival);
    std::size_t at = 0;
    for (const std::uint64_t size : arrival.sizes) {
      all.push_back(joined.substr(at, size));
      at += size;
    }
  } else {
    for (int r = 0; r < size_; ++r) {
      std::string part = r == rank_ ? bytes : std::string();
      part.resize(arrival.sizes[static_cast<std::size_t>(r)]);
      send_from(r, part);
      all.push_back(std::move(part));
    }
  }
  done_ = Clock::now();
  return all;
}

/// Piece by piece, since MPI counts with 32 bits.
void MpiTeam::send_to_first(const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(bytes.data() + at, static_cast<int>(std::min(kPiece, bytes.size() - at)), MPI_BYTE, 0,
              kPieceTag, team_, &request);
    wait_for(request, 0);
  }
}

std::string MpiTeam::receive_from(int rank, std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t at = 0; at < size; at += kPiece) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(bytes.data() + at, static_cast<int>(std::min(kPiece, size - at)), MPI_BYTE, rank,
              kPieceTag, team_, &request);
    wait_for(request, rank);
  }
  return bytes;
}

std::vector<std::string> MpiTeam::gather_first(std::string bytes) {
  const Arrival arrival = arrive(bytes);
  const bool is_there = arrival.all_within(kSmall);
  std::vector<std::string> all;
  if (rank_ > 0) {
    if (!is_there) send_to_first(bytes);
  } else {
    std::size_t place = 0;
    for (int r = 0; r < size_; ++r) {
      const std::size_t size = arrival.sizes[static_cast<std::size_t>(r)];
      if (r == 0) {
        all.push_back(std::move(bytes));
      } else {
        all.push_back(is_there ? arrival.small.substr(place, size) : receive_from(r, size));
      }
      place += size;
    }
  }
  done_ = Clock::now();
  return all;
}

std::string MpiTeam::from_first(std::string bytes) {
  own_work_ = std::chrono::duration<double>(Clock::now() - done_).count();
  std::uint64_t size = bytes.size();
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(&size, 1, MPI_UINT64_T, 0, team_, &request);
  wait_for(request, 0);
  bytes.resize(size);
  send_from(0, bytes);
  done_ = Clock::now();
  return bytes;
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
