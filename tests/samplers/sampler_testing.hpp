// Settings for any sampler.
#pragma once

#include <string>
#include <vector>

#include "gadwall/catalog.hpp"

namespace gadwall::testing {

/// Those of the settings that the sampler has.
inline Settings settings_for(const SamplerRow& row, const Settings& wanted) {
  Settings known;
  for (const auto& [name, value] : wanted) {
    if (row.has_option(name)) known.emplace(name, value);
  }
  return known;
}

/// The forms of L that a sampler learns, in its words.
inline std::vector<std::string> metrics_of(const SamplerRow& row) {
  const OptionInfo* metric = find_option(row.options, "metric");
  return metric == nullptr ? std::vector<std::string>{"unit"} : metric->choices;
}

/// A sampler's stages for a plain run.
inline std::vector<Stage> stages_of(const SamplerRow& row, const Settings& settings, Index dim,
                                    Index warmup) {
  return row.stages(settings, {.dim = dim, .chains = 1, .warmup = warmup, .iterations = 10});
}

}  // namespace gadwall::testing
