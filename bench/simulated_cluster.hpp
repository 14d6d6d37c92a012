// A cluster in one process: ranks that exchange bytes over a network of a chosen speed, with clocks
// of their own.
//
// Two ranks, the first and the second, are threads that carry the run out. The others are the
// second's images: what they bring to an exchange is what it brings, with the states reflected
// (x_j -> -x_j for some coordinates j, by rank), which is a chain of its own where the target is
// symmetric in every coordinate. Those whose chains are not pooled bring no points. So the first
// rank gets, parses and computes what it would get in a team of any size, and memory is that of two
// ranks.
//
// A rank's clock goes on by the processor time of its thread and by what is charged for gradients;
// an exchange sets all clocks to the latest, and then takes as long as the network does.
#pragma once

#include <ctime>

#include <algorithm>
#include <array>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "gadwall/archive.hpp"
#include "gadwall/error.hpp"
#include "gadwall/team.hpp"

namespace gadwall::bench {

struct Network {
  double latency = 2e-6;    // seconds from rank to rank
  double bandwidth = 1e10;  // bytes per second into a rank, and out of it
  double handling = 5e-7;   // seconds a rank needs for a message
};

/// What crossed since the beginning.
struct Traffic {
  double exchanges = 0;
  double messages = 0;  // that the first rank gets
  double bytes = 0;     // that a rank gets; of draws the first
  double seconds = 0;   // of the network
};

enum class Exchange { all_to_all, all_to_first, first_to_all };

/// How MpiTeam does it: arrivals at the first with what is small, the sizes and what is tiny from
/// it to all in a tree, then what they bring.
class ExchangeCost {
 public:
  ExchangeCost(const Network& network, const std::vector<std::string>& brought, Exchange kind)
      : network_(network),
        ranks_(static_cast<double>(brought.size())),
        own_(static_cast<double>(brought.front().size())) {
    if (brought.size() == 1) return;
    constexpr double kSmall = 4096;
    constexpr double kTiny = 56;
    constexpr double kHead = 8;
    constexpr double kEntry = kHead + kTiny;
    double most = 0;
    for (const std::string& bytes : brought) {
      total_ += static_cast<double>(bytes.size());
      most = std::max(most, static_cast<double>(bytes.size()));
    }
    const bool is_small = most <= kSmall;
    if (kind == Exchange::first_to_all) {
      tree(kHead);
      tree(own_);
    } else {
      direct(kHead * ranks_ + (is_small ? total_ : 0));
      tree(kEntry * ranks_);
      if (!is_small) direct(total_ - own_);
      if (is_small && most > kTiny && kind == Exchange::all_to_all) tree(total_);
    }
  }

  double seconds() const { return seconds_; }
  double bytes() const { return bytes_; }
  double messages() const { return messages_; }

 private:
  /// A message of every other rank.
  void direct(double bytes) {
    messages_ += ranks_ - 1;
    bytes_ += bytes;
    seconds_ += network_.latency + (ranks_ - 1) * network_.handling + bytes / network_.bandwidth;
  }

  void tree(double bytes) {
    const double depth = std::ceil(std::log2(ranks_));
    bytes_ += bytes;
    seconds_ += depth * (network_.latency + network_.handling + bytes / network_.bandwidth);
  }

  Network network_;
  double ranks_, own_;
  double total_ = 0;
  double seconds_ = 0, bytes_ = 0, messages_ = 0;
};

/// What batches bring to a meeting where metrics are made (Points), with other signs.
struct PointsImage {
  Index lanes = 0;
  Matrix x, scores;
  Vector logp;

  void archive(Archive& a) {
    a("lanes", lanes);
    a("x", x);
    a("scores", scores);
    a("log density", logp);
  }

  void reflect(int rank) {
    for (Index j = 0; j < x.rows(); ++j) {
      std::uint64_t bits = static_cast<std::uint64_t>(rank) << 32U | static_cast<std::uint64_t>(j);
      bits = (bits ^ bits >> 30U) * 0xbf58476d1ce4e5b9U;
      bits = (bits ^ bits >> 27U) * 0x94d049bb133111ebU;
      if ((bits >> 63U) == 0) continue;
      x.row(j) *= -1;
      scores.row(j) *= -1;
    }
  }
};

/// The same bytes where they are no points. A rank that is not pooled brings an empty list instead
/// of points and paths, which are all that is larger than a few numbers per lane.
inline std::string image_of(const std::string& bytes, int rank, bool is_pooled) {
  constexpr std::size_t kLeast = 1000;  // points of 8 lanes are more
  if (bytes.size() < kLeast) return bytes;
  try {
    Archive given(bytes);
    Index count = 0;
    given("count", count);
    if (!is_pooled) count = 0;
    Archive saved;
    saved("count", count);
    for (Index i = 0; i < count; ++i) {
      PointsImage points;
      given(std::to_string(i).c_str(), points);
      points.reflect(rank);
      saved(std::to_string(i).c_str(), points);
    }
    return saved.bytes();
  } catch (const RunError&) {
    return bytes;
  }
}

/// Gradients that this thread has computed; the target counts them.
inline thread_local double gradients_of_thread = 0;

class Cluster {
 public:
  /// pooled: how many of the ranks bring points.
  Cluster(int ranks, int pooled, Network network, double gradient_seconds)
      : ranks_(ranks), pooled_(pooled), network_(network), gradient_seconds_(gradient_seconds) {}

  int ranks() const { return ranks_; }
  int live() const { return std::min(ranks_, 2); }
  double clock() const { return clock_; }
  const Traffic& traffic() const { return traffic_; }

  /// The thread is this rank from here on.
  void enter() { begin_work(); }

  /// This rank's clock up to now joins the common one, at the end.
  void leave(int rank) { exchange(rank, "", Exchange::first_to_all); }

  std::vector<std::string> exchange(int rank, std::string bytes, Exchange kind) {
    std::unique_lock lock(mutex_);
    const auto place = static_cast<std::size_t>(rank);
    worked_[place] = work_seconds();
    brought_[place] = std::move(bytes);
    const int round = round_;
    if (++arrived_ == live()) {
      complete(kind);
      arrived_ = 0;
      taken_ = 0;
      ++round_;
      changed_.notify_all();
    } else {
      changed_.wait(lock, [&] { return round_ != round; });
    }
    begin_work();  // copying is work
    return ++taken_ == live() ? std::move(all_) : all_;
  }

 private:
  void complete(Exchange kind) {
    all_.assign(brought_.begin(), brought_.begin() + live());
    for (int r = live(); r < ranks_; ++r) all_.push_back(image_of(brought_[1], r, r < pooled_));
    const ExchangeCost cost(network_, all_, kind);
    clock_ += *std::max_element(worked_.begin(), worked_.begin() + live()) + cost.seconds();
    traffic_.exchanges += 1;
    traffic_.messages += cost.messages();
    traffic_.bytes += cost.bytes();
    traffic_.seconds += cost.seconds();
  }

  static double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

  static double& work_begin() {
    thread_local double begin = 0;
    return begin;
  }

  static void begin_work() {
    work_begin() = processor_seconds();
    gradients_of_thread = 0;
  }

  double work_seconds() const {
    return processor_seconds() - work_begin() + gradient_seconds_ * gradients_of_thread;
  }

  int ranks_, pooled_;
  Network network_;
  double gradient_seconds_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::array<std::string, 2> brought_;
  std::array<double, 2> worked_{};
  std::vector<std::string> all_;
  int arrived_ = 0, taken_ = 0, round_ = 0;
  double clock_ = 0;
  Traffic traffic_;
};

class ClusterTeam final : public Team {
 public:
  ClusterTeam(Cluster& cluster, int rank) : cluster_(cluster), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return cluster_.ranks(); }
  std::vector<std::string> gather_all(std::string bytes) override {
    return cluster_.exchange(rank_, std::move(bytes), Exchange::all_to_all);
  }
  std::vector<std::string> gather_first(std::string bytes) override {
    auto all = cluster_.exchange(rank_, std::move(bytes), Exchange::all_to_first);
    if (rank_ > 0) all.clear();
    return all;
  }
  std::string from_first(std::string bytes) override {
    return cluster_.exchange(rank_, rank_ == 0 ? std::move(bytes) : "", Exchange::first_to_all)
        .front();
  }

 private:
  Cluster& cluster_;
  int rank_;
};

/// work(team) in the ranks that are threads.
inline void run_on(Cluster& cluster, const std::function<void(Team&)>& work) {
  std::vector<std::jthread> ranks;
  for (int r = 0; r < cluster.live(); ++r) {
    ranks.emplace_back([&cluster, &work, r] {
      ClusterTeam team(cluster, r);
      cluster.enter();
      work(team);
      cluster.leave(r);
    });
  }
}

}  // namespace gadwall::bench
