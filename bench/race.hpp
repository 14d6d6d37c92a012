// Competitors that take turns in short bursts, so that a busy machine slows them alike.
#pragma once

#include <algorithm>
#include <ctime>
#include <functional>
#include <utility>
#include <vector>

namespace gadwall::bench {

inline double clock_seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// CPU time: what other processes take does not count.
inline double thread_seconds() {
  return clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

struct Competitor {
  explicit Competitor(std::function<void()> run_, double units_ = 1)
      : run(std::move(run_)), units(units_) {}

  std::function<void()> run;
  double units;                // of work in one run; times are per unit
  int repeats = 1;             // in one burst
  std::vector<double> bursts;  // seconds per unit, one entry per round

  double best() const { return *std::ranges::min_element(bursts); }
};

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Bursts of about half a millisecond, or one run.
inline void choose_repeats(Competitor& one) {
  one.run();
  const double start = thread_seconds();
  one.run();
  one.repeats = std::clamp(static_cast<int>(5e-4 / (thread_seconds() - start)), 1, 100000);
}

/// Rounds until `seconds` of CPU time have passed, at least 20.
inline void race(std::vector<Competitor>& field, double seconds) {
  for (Competitor& one : field) choose_repeats(one);
  const double begin = thread_seconds();
  for (int round = 0; round < 20 || thread_seconds() - begin < seconds; ++round) {
    for (Competitor& one : field) {
      one.run();  // brings its data into the cache
      const double start = thread_seconds();
      for (int i = 0; i < one.repeats; ++i) one.run();
      one.bursts.push_back((thread_seconds() - start) / one.repeats / one.units);
    }
  }
}

/// Time of a over time of b: the median over the rounds of the ratio of neighbouring bursts, which
/// saw the same machine.
inline double ratio(const Competitor& a, const Competitor& b) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < a.bursts.size(); ++i) ratios.push_back(a.bursts[i] / b.bursts[i]);
  return median(std::move(ratios));
}

}  // namespace gadwall::bench
