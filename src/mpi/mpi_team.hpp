// A team whose processes talk by MPI.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>

#include "mpi/launched_team.hpp"

namespace gadwall {

/// Only the thread that joined may call. Waiting sleeps, so that a slow process on the same machine
/// has the processor.
class MpiTeam final : public LaunchedTeam {
 public:
  MpiTeam();

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string name_of(int rank) const override;
  std::vector<std::string> gather_all(std::string bytes) override;
  std::vector<std::string> gather_first(std::string bytes) override;
  std::string from_first(std::string bytes) override;

  int on_this_host() const override;
  void keep(int size, Heard heard) override;
  bool is_member() const override { return team_ != MPI_COMM_NULL; }
  [[noreturn]] void abort(int code) override;
  int leave(int code, const SignalSeen& signal_seen) override;

 private:
  using Clock = std::chrono::steady_clock;
  using Sizes = std::vector<std::uint64_t>;

  struct Arrival;
  Arrival arrive(const std::string& bytes);
  std::vector<std::string> receive_arrivals(std::string own);
  void await_all(std::vector<MPI_Request>& requests, const std::string& where);
  std::string missing(std::vector<MPI_Request>& requests) const;
  void hear();
  void take_leave(int code);
  int await_end(const SignalSeen& signal_seen);
  std::string gather_joined(const std::string& bytes, Arrival& arrival);
  void send_to_first(const std::string& bytes);
  std::string receive_from(int rank, std::size_t size);
  void wait_for(MPI_Request& request, int from);
  void send_from(int root, std::string& bytes);
  double patience() const;

  MPI_Comm team_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  std::vector<std::string> hosts_;  // by rank of the launch
  Heard heard_;
  double timeout_;          // seconds; 0: none is given
  Clock::time_point done_;  // the end of the last exchange
  double own_work_ = 0;     // seconds before the present one
};

}  // namespace gadwall
