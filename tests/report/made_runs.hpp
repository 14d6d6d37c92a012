// Runs with everything a report can show, for its tests.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "gadwall/gadwall.hpp"
#include "gadwall/targets.hpp"

namespace gadwall::testing {

constexpr const char* kHostileNames[] = {
    "<script>window.hacked = 1</script>", "</script><img src=x onerror=\"window.hacked = 2\">",
    "quotes \" ' ` and \\ and {{title}}", "größe, 大きさ, 🦆", "<!--"};

/// A history that settles as those of the gad samplers do.
inline AdaptationTrace made_trace(Index lanes, Index warmup, double end_density) {
  AdaptationTrace trace;
  constexpr Index rows = 200;
  for (Index r = 1; r <= rows; ++r) {
    const double t = static_cast<double>(r) / rows;
    const double wave = std::sin(40 * t) * std::exp(-2 * t);
    trace.iteration.push_back(warmup * r / rows);
    trace.acceptance.push_back(0.55 + 0.3 * wave * std::exp(-3 * t));
    trace.step.push_back(1);
    trace.log_determinant.push_back(-20 * std::exp(-6 * t) - 4 + 0.2 * wave);
    trace.beta.push_back(1 + 2 * std::exp(-5 * t));
    trace.objective.push_back(-30 * std::exp(-5 * t) + 6 + wave);
    std::vector<double> density;
    for (Index k = 0; k < lanes; ++k) {
      density.push_back(end_density * (1 + 40 * std::exp(-60 * t)) * (1 + 0.1 * wave));
    }
    trace.log_density.push_back(density);
  }
  return trace;
}

/// A run through the library, with what it learnt; a history is made where the run kept none.
inline Draws sampled(const std::string& target, const std::string& sampler, Index warmup,
                     Index draws) {
  SampleOptions options;
  options.sampler = sampler;
  options.run.warmup = warmup;
  options.run.draws = draws;
  options.run.chains = 4;
  SampleResult result = sample(find_target(target).make({}).target, options);
  Draws run = std::move(result.draws);
  run.facts.target = target;
  run.facts.command = "gadwall sample " + target + " --sampler " + sampler;
  run.facts.stopped_by = "draws";
  if (run.learnt.empty()) {
    for (const Tuning& tuning : result.tuning) run.learnt.push_back({tuning, {}});
  }
  const auto batches = static_cast<Index>(run.learnt.size());
  for (Learnt& learnt : run.learnt) {
    if (!learnt.trace.iteration.empty()) continue;
    learnt.trace = made_trace(4 / batches, warmup, run.chains[0].statistics(0, 0));
  }
  return run;
}

}  // namespace gadwall::testing
