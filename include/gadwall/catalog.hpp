// The table of samplers: a sampler is a row, kernel + adapter + defaults.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gadwall/adapter.hpp"
#include "gadwall/kernel.hpp"
#include "gadwall/options.hpp"

namespace gadwall {

struct SamplerRow {
  std::string name;
  std::string summary;               // one line for people
  std::vector<std::string> options;  // names of the entries of SamplerOptions that it uses
  std::vector<Metric> metrics;       // that it can learn
  SamplerOptions defaults;
  Index warmup;  // default lengths of a run
  Index draws;
  bool settles = false;  // learns all along, so that warm-up can end when L has settled

  std::function<std::unique_ptr<Kernel>(const SamplerOptions&)> kernel;
  /// n: dimension, warmup: length of the warm-up; schedules depend on them.
  std::function<std::unique_ptr<Adapter>(const SamplerOptions&, Index n, Index warmup)> adapter;
};

const std::vector<SamplerRow>& samplers();

/// UsageError with the nearest name where there is no such sampler.
const SamplerRow& find_sampler(const std::string& name);

/// The numbers a sampler begins with.
SamplerOptions defaults(const std::string& sampler);

/// UsageError that names the option, its value and what is allowed.
void check_options(const SamplerRow& row, const SamplerOptions& options);

/// The options the sampler uses, by name, as text.
std::map<std::string, std::string> used_settings(const SamplerRow& row,
                                                 const SamplerOptions& options);

}  // namespace gadwall
