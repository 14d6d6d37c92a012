// One repeat of one method: a chain, what it cost and gave, and what the figures show of it.
#pragma once

#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gadwall/run.hpp"
#include "gadwall/summary.hpp"
#include "reproduce/experiments.hpp"

namespace gadwall::app::reproduce {

/// Names a repeat among all.
struct RepeatName {
  std::string experiment;
  std::string method;
  int number = 1;  // also the seed

  auto operator<=>(const RepeatName&) const = default;
};

/// Thinned for drawing.
struct RepeatPictures {
  std::vector<Index> iteration;  // of log_target: warm-up, then draws
  std::vector<double> log_target;
  std::vector<Index> draw;         // of coordinate, from the first after warm-up
  std::vector<double> coordinate;  // Experiment::coordinate
  std::vector<double> diagonal;    // of step L, where L is learnt
  std::vector<double> covariance;  // L L^T, for small dimensions
  double beta = 0;                 // at the end of warm-up; NaN where there is none
  double beta_mean = 0;            // over the second half of warm-up: beta goes on wandering
};

struct Repeat {
  RepeatName name;
  std::map<std::string, std::string> settings;  // everything that decides the numbers below
  double scale = 1;                             // by which its draws were shortened
  Index warmup = 0;
  Index draws = 0;

  double seconds = 0;       // of the processor, warm-up charged (ShortenedMethod::warmup_weight)
  double wall_seconds = 0;  // on the clock, all of warm-up
  double acceptance = 0;
  Spread ess;  // ess_paper over the coordinates
  double ess_worst = 0;
  double evaluations = 0;  // gradients, and densities alone, warm-up included
  double divergences = 0;
  RepeatPictures pictures;

  double ess_per_second() const { return ess.min / seconds; }
  double worst_per_second() const { return ess_worst / seconds; }
  double ess_per_gradient() const { return ess.min / evaluations; }
  double worst_per_gradient() const { return ess_worst / evaluations; }
};

/// A repeat before it is run.
struct RepeatPlan {
  const Experiment* experiment;
  ShortenedMethod chosen;
  int number = 1;

  const Method& method() const { return chosen.method; }
  RepeatName name() const { return {experiment->name, method().name, number}; }

  /// `data` identifies the content of the data files; empty where there are none.
  std::map<std::string, std::string> settings(const std::string& data) const;
};

/// One chain in the calling thread. Nothing where the monitor stopped it.
std::optional<Repeat> run_repeat(const RepeatPlan& plan, std::shared_ptr<const Target> target,
                                 const std::string& data, Monitor& monitor);

}  // namespace gadwall::app::reproduce
