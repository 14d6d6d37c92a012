// Runs with everything a report can show, for its tests.
#pragma once

#include <string>
#include <vector>

#include "gadwall/gadwall.hpp"
#include "gadwall/targets.hpp"

namespace gadwall::testing {

constexpr const char* kHostileNames[] = {
    "<script>window.hacked = 1</script>", "</script><img src=x onerror=\"window.hacked = 2\">",
    "quotes \" ' ` and \\ and {{title}}", "größe, 大きさ, 🦆", "<!--"};

/// A run through the library, with what it learnt and how.
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
  return run;
}

}  // namespace gadwall::testing
