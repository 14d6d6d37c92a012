// Exchanges of byte strings by MPI. Every one begins with an arrival: each process tells the first
// how much it brings, so that the first knows who is missing, and the first tells all. What is
// small travels with the arrival, and what is tiny back with it: a number from each is one message
// to the first and one from it.
#include "mpi/mpi_team.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "mpi/pause.hpp"

namespace gadwall {
namespace {

constexpr int kArrivalTag = 1;
constexpr int kPieceTag = 2;
constexpr std::size_t kHead = sizeof(std::uint64_t);
constexpr std::size_t kTiny = 56;                     // bytes that come back with the sizes
constexpr std::size_t kEntry = kHead + kTiny;         // what all are told of each process
constexpr std::size_t kSmall = 4096;                  // bytes that travel with the arrival
constexpr std::size_t kPiece = std::size_t{1} << 30;  // MPI counts with 32 bits

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
  await_all(requests, "the rest");
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
    hear();
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
    std::size_t place = arrival.sizes.front();
    all.push_back(std::move(bytes));
    for (int r = 1; r < size_; ++r) {
      const std::size_t size = arrival.sizes[static_cast<std::size_t>(r)];
      all.push_back(is_there ? arrival.small.substr(place, size) : receive_from(r, size));
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
