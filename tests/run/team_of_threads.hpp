// Teams whose processes are threads of this one.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "gadwall/team.hpp"

namespace gadwall::testing {

/// Where the members leave what they bring.
class MeetingPlace {
 public:
  explicit MeetingPlace(int size) : brought_(static_cast<std::size_t>(size)) {}

  /// Returns when all have brought something: all of it, by rank.
  std::vector<std::string> exchange(int rank, std::string bytes) {
    std::unique_lock lock(mutex_);
    brought_[static_cast<std::size_t>(rank)] = std::move(bytes);
    const int round = round_;
    if (++arrived_ == static_cast<int>(brought_.size())) {
      all_ = brought_;
      arrived_ = 0;
      ++round_;
      changed_.notify_all();
    } else {
      changed_.wait(lock, [&] { return round_ != round; });
    }
    return all_;
  }

  int size() const { return static_cast<int>(brought_.size()); }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> brought_, all_;
  int arrived_ = 0;
  int round_ = 0;
};

class TeamOfThreads final : public Team {
 public:
  TeamOfThreads(MeetingPlace& place, int rank) : place_(place), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return place_.size(); }
  std::vector<std::string> gather_all(std::string bytes) override {
    return place_.exchange(rank_, std::move(bytes));
  }
  std::string from_first(std::string bytes) override {
    return place_.exchange(rank_, rank_ == 0 ? std::move(bytes) : "").front();
  }

 private:
  MeetingPlace& place_;
  int rank_;
};

/// work(team) in each of `size` members at the same time. It must not throw in one of them alone.
inline void with_team(int size, const std::function<void(Team&)>& work) {
  MeetingPlace place(size);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(size));
  {
    std::vector<std::jthread> members;
    for (int r = 0; r < size; ++r) {
      members.emplace_back([&, r] {
        try {
          TeamOfThreads team(place, r);
          work(team);
        } catch (...) {
          failures[static_cast<std::size_t>(r)] = std::current_exception();
        }
      });
    }
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace gadwall::testing
