// How an iteration's time and a batch's memory grow with the dimension n and the lanes K, and what
// a longer run adds. Exit 1 where time grows faster than n^2 per lane, memory faster than n^2, or a
// run's memory with its length.
//
// The cost divided by n^2 K must not rise with n once n is large (beyond a factor for leaving the
// caches, where every number takes as long as memory needs to deliver it).
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "gadwall/gadwall.hpp"
#include "race.hpp"
#include "targets/gaussian.hpp"

namespace gadwall::bench {
namespace {

/// Bytes on the heap, large blocks included.
double heap_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

/// Takes draws and keeps nothing but the heap's size at the last one.
class HeapSink final : public Sink {
 public:
  explicit HeapSink(Index draws = 0) : left_(draws) {}
  void begin_sampling(Index, const Tuning&) override {}
  void write(Index, const DrawStatistics&, ConstVectorRef) override {
    if (--left_ == 0) bytes = heap_bytes();
  }
  double bytes = 0;

 private:
  Index left_;
};

RunPlan plan_of(const std::shared_ptr<const Target>& target, Index lanes, Index warmup,
                Index draws) {
  RunOptions options;
  options.chains = options.lanes = lanes;
  options.warmup = warmup;
  options.draws = draws;
  return {target, find_sampler("gadmala"), {}, options};
}

std::shared_ptr<const Target> gaussian(Index n) {
  const Vector sds = Vector::LinSpaced(n, 0.01, 1);
  return std::make_shared<Gaussian>(Vector::Zero(n), Matrix(sds.cwiseAbs2().asDiagonal()));
}

double seconds_of(const RunPlan& plan) {
  HeapSink sink;
  Monitor monitor(plan.run.chains);
  const double start = thread_seconds();
  run(plan, sink, monitor);
  return thread_seconds() - start;
}

/// What a run of one batch has taken by its last draw.
double bytes_of(const RunPlan& plan) {
  HeapSink sink(plan.draws * plan.run.chains);
  Monitor monitor(plan.run.chains);
  const double before = heap_bytes();
  run(plan, sink, monitor);
  return sink.bytes - before;
}

struct Cost {
  double warmup, sampling;  // seconds per iteration
  double bytes;             // of a batch at work
};

/// Runs that differ in their length alone: the difference of their best times has no part of the
/// start.
Cost measure(Index n, Index lanes) {
  const auto target = gaussian(n);
  const double work = static_cast<double>(n * n * lanes) + 2000.0 * static_cast<double>(lanes);
  const auto more = static_cast<Index>(std::clamp(4e7 / work, 20.0, 2000.0));
  double start = 1e9, warm = 1e9, sampled = 1e9;
  for (int round = 0; round < 4; ++round) {
    start = std::min(start, seconds_of(plan_of(target, lanes, 2, 1)));
    warm = std::min(warm, seconds_of(plan_of(target, lanes, 2 + more, 1)));
    sampled = std::min(sampled, seconds_of(plan_of(target, lanes, 2, 1 + more)));
  }
  Cost best{(warm - start) / static_cast<double>(more),
            (sampled - start) / static_cast<double>(more), 0};
  best.bytes = bytes_of(plan_of(target, lanes, 5, 5));
  return best;
}

bool grows_at_most_quadratically() {
  bool good = true;
  fmt::print("{:>5} {:>4} {:>12} {:>12} {:>14} {:>14} {:>10} {:>12}\n", "n", "K", "warm-up us",
             "sampling us", "ns / (n^2 K)", "ns / (n^2 K)", "MB", "bytes / n^2");
  for (const Index lanes : {1, 4, 16, 64}) {
    std::map<Index, Cost> costs;
    for (const Index n : {2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000}) {
      const Cost cost = costs[n] = measure(n, lanes);
      const auto squares = static_cast<double>(n * n), all = squares * static_cast<double>(lanes);
      fmt::print("{:>5} {:>4} {:>12.2f} {:>12.2f} {:>14.3f} {:>14.3f} {:>10.2f} {:>12.1f}\n", n,
                 lanes, cost.warmup * 1e6, cost.sampling * 1e6, cost.warmup / all * 1e9,
                 cost.sampling / all * 1e9, cost.bytes / 1e6, cost.bytes / squares);
      std::fflush(stdout);
    }
    // From 500 to 2000 n^2 grows 16-fold. Twice that is allowed for leaving the caches.
    const double time = costs[2000].warmup / costs[500].warmup / 16;
    const double memory = costs[2000].bytes / costs[500].bytes / 16;
    good = good && time < 2 && memory < 1.1;
    fmt::print("K = {}: from n = 500 to 2000 time x {:.2f}, memory x {:.2f} of n^2\n", lanes, time,
               memory);
  }
  return good;
}

/// Files and what the caller keeps are not ours.
bool memory_is_independent_of_length() {
  std::vector<double> bytes;
  seconds_of(plan_of(gaussian(10), 4, 10, 10));  // what a thread keeps for good
  for (const Index length : {1000, 10000, 100000}) {
    bytes.push_back(bytes_of(plan_of(gaussian(10), 4, length, length)));
    fmt::print("{} + {} iterations: {:.0f} bytes\n", length, length, bytes.back());
  }
  // The record of the adaptation has 256 to 512 rows, so that a short run may hold a little more.
  const auto is_more = [](double before, double after) { return after > before + 4096; };
  return std::ranges::adjacent_find(bytes, is_more) == bytes.end();
}

}  // namespace
}  // namespace gadwall::bench

int main() {
  using namespace gadwall::bench;
  const bool length = memory_is_independent_of_length();
  const bool quadratic = grows_at_most_quadratically();
  fmt::print("memory against length: {}; growth with n: {}\n", length ? "constant" : "GROWS",
             quadratic ? "at most n^2" : "FASTER than n^2");
  return length && quadratic ? 0 : 1;
}
